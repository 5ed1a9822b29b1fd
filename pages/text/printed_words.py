"""The words for printed calculations, on the page, in its figure and in its table."""

from __future__ import annotations

from pages.text.marking import mark

LINES = {
    "scores": mark("scores"),
    "scaled": mark("scaled scores"),
    "exponentials": mark("exponentials"),
    "sum": mark("row sum"),
    "weights": mark("attention weights"),
    "output": mark("output"),
}
# A line is judged beside the line before it; "misprint" is the word for a whole claim.
LINE_VERDICTS = {
    "confirmed": mark("agrees"),
    "misprint": mark("rounded early"),
    "wrong": mark("wrong"),
}

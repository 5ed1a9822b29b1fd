"""The words of the six steps: title, and what to notice."""

from __future__ import annotations

from engine.experiments.worked_example import Result
from pages.text import mark

STEP_TITLES = {
    "project": mark("1 Project"),
    "score": mark("2 Score"),
    "scale": mark("3 Scale"),
    "mask": mark("4 Mask"),
    "softmax": mark("5 Softmax"),
    "output": mark("6 Weighted sum"),
}

NOTICE = {
    "project": mark(
        "Each token is read three ways: what it asks (query), how it can be found (key), what it "
        "hands over (value). Row i of the result depends on row i of the input and on nothing else."
    ),
    "score": mark(
        "Row i holds one dot product for each key. Equal queries give equal rows, wherever the "
        "tokens stand. Rows ask, columns are asked."
    ),
    "scale": mark(
        r"Every score is divided by the same $\sqrt{d_k}$, so the order within a row stays and "
        "only the distances shrink. Smaller distances make a flatter softmax."
    ),
    "mask": mark(
        "A hidden score becomes minus infinity before softmax, so its exponential is zero and "
        "the rest of the row still sums to 1. Zeroing after softmax would not."
    ),
    "softmax": mark(
        "Softmax runs along each row: exponentials, divided by their sum. Adding a constant to a "
        "whole row of scores changes nothing; equal scores share the weight equally."
    ),
    "output": mark(
        "Each output row is an average of the value rows, mixed in the proportions of its row of "
        "weights. It can never leave the range of the values it mixes."
    ),
}

SCALE_IS_OFF = mark(
    "The division is switched off, so the scores go into softmax as they are. The spread of a dot "
    r"product grows with $\sqrt{d_k}$, and softmax gets sharper with it."
)
SCALE_IS_ONE = mark(
    "With $d_k = 1$ the divisor is 1 and nothing changes. Choose a larger $d_k$ to see what the "
    "division does."
)


def notice_text(result: Result, step: str) -> str:
    """Return what to notice in a step, as it is true in the present state of the page."""
    if step == "scale" and not result.params.scaled:
        return SCALE_IS_OFF
    if step == "scale" and result.sizes.d_k == 1:
        return SCALE_IS_ONE
    return NOTICE[step]

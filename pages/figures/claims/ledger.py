"""The ledger as figures: some claims each, with verdict and number, as a slide can hold them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import Claim, Finding, Value
from engine.experiments.claims.ledger import LedgerResult
from pages.figures.canvas import Canvas
from pages.figures.claims.rows import SIZES, Entry, Rows
from pages.figures.claims.verdicts import badge
from pages.figures.figure import Figure, Style, Table
from pages.figures.slide import open_sheet
from pages.text import Translator, mark, translator
from pages.text.claims.every import WORDS
from pages.text.claims.model import REFUSED, VERDICT_WORDS
from pages.text.claims.standing import measured_said, measurer_said, verdict_of

# First and last claim: as many as can be read from afar, in a font whose indices are smaller.
PARTS = {
    (1, 5): mark("Claims 1 to 5, checked"),
    (6, 10): mark("Claims 6 to 10, checked"),
    (11, 15): mark("Claims 11 to 15, checked"),
    (16, 20): mark("Claims 16 to 20, checked"),
    (21, 25): mark("Claims 21 to 25, checked"),
}
Part = tuple[int, int]
_PADDING = 6.0


def ledger_figure(result: LedgerResult, style: Style, part: Part) -> Figure:
    """Draw some claims, each with its verdict and its number.

    Parameters
    ----------
    result : LedgerResult
        What is found so far; a claim that is not checked yet says so.
    style : Style
    part : int
        Which of ``PARTS``, from 0.
    """
    t = translator(style.language)
    first, last = part
    shown = [claim for claim in CLAIMS if first <= claim.number <= last]
    title = t(PARTS[part])
    rule = t("A verdict follows from a threshold on the number, never by hand.")
    note = t.sentences("" if SIZES[style.size].stacked else rule, measurer_said(result, t))
    entries = [_entry(claim, result, style, t) for claim in shown]
    canvas = _drawn(entries, style, title, note, t)
    alt = t.sentences(t("{title}.", title=title), *(_said(entry, t) for entry in entries))
    return Figure(
        f"claims-{first}-to-{last}", title, canvas.spec(alt), _table(shown, result, t), note, alt
    )


def _drawn(entries: list[Entry], style: Style, title: str, note: str, t: Translator) -> Canvas:
    size = SIZES[style.size]
    if style.size == "screen":
        rows = Rows(entries, style, t)
        height = rows.height + 2 * _PADDING
        canvas = Canvas(size.total, height, style.colours, transparent=style.transparent)
        rows.draw(canvas, 0.0, _PADDING)
        return canvas
    canvas, (left, top, width, room) = open_sheet(style, title, note, "input")
    rows = Rows(entries, style, t, room)
    rows.draw(canvas, left + (width - size.total) / 2, top + (room - rows.height) / 2)
    return canvas


def _entry(claim: Claim, result: LedgerResult, style: Style, t: Translator) -> Entry:
    finding = result.finding(claim.number)
    drawn = badge(verdict_of(finding), style, t)
    short, measured = t(WORDS[claim.number].short), measured_said(claim, finding, t)
    return Entry(claim.number, short, drawn, measured)


def _said(entry: Entry, t: Translator) -> str:
    return t(
        "Claim {number}, {claim}: {verdict}; {measured}.",
        number=entry.number,
        claim=entry.claim,
        verdict=entry.badge.word,
        measured=entry.measured,
    )


# ---- the numbers


def _table(claims: list[Claim], result: LedgerResult, t: Translator) -> Table:
    """Return one row for every number that a verdict rests on."""
    columns = ("claim", "title", "verdict", "quantity", "value")
    rows = [row for claim in claims for row in _numbers(claim, result.finding(claim.number), t)]
    return Table(columns, tuple(rows))


def _numbers(claim: Claim, finding: Finding | None, t: Translator) -> list[tuple[object, ...]]:
    verdict = VERDICT_WORDS[verdict_of(finding)]
    head = (claim.number, t(WORDS[claim.number].title), t(verdict.word))
    numbers = listed(finding.values) if finding and finding.case != REFUSED else []
    return [(*head, *number) for number in numbers] or [(*head, "", "")]


def listed(values: Mapping[str, Value]) -> list[tuple[str, object]]:
    """Return numbers with their names; of several under one name each with its place, from 1."""
    found: list[tuple[str, object]] = []
    for name, value in values.items():
        if isinstance(value, tuple):
            found += [(f"{name} {place}", each) for place, each in enumerate(value, 1)]
        else:
            found.append((name, value))
    return found

"""The ledger as a document: Markdown for a note or an issue, CSV for a spreadsheet."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import Claim, Value
from engine.experiments.claims.ledger import LedgerResult
from pages.export.table import to_csv as table_to_csv
from pages.figures.figure import Table
from pages.text import Translator
from pages.text.claims.every import WHERE, WORDS
from pages.text.claims.model import REFUSED, VERDICT_WORDS
from pages.text.claims.standing import (
    SUBJECTS,
    counts_said,
    measured_said,
    measurer_said,
    said_of,
    source_said,
    verdict_of,
)


def to_markdown(
    result: LedgerResult, t: Translator, base: str = "", *, when: datetime | None = None
) -> str:
    """Return the ledger as Markdown: a table of all claims, then each with its sentences.

    Parameters
    ----------
    result : LedgerResult
        What is found so far.
    t : Translator
        Of the language.
    base : str
        The address that the pages stand under; the links are relative without it.
    when : datetime, optional
        When it was saved.
    """
    parts = [
        f"# {t('Every claim, checked')}",
        t.sentences(measurer_said(result, t), t("{counts}.", counts=counts_said(result, t))),
        *([t("Saved {moment}.", moment=_moment(when))] if when else []),
        "\n".join(_table(result, t)),
        *(_section(claim, result, t, base) for claim in CLAIMS),
    ]
    return "\n\n".join(parts) + "\n"


def _table(result: LedgerResult, t: Translator) -> list[str]:
    heads = ("№", t("claim"), t("verdict"), t("measured or counted"))
    rows = [
        (
            str(claim.number),
            t(WORDS[claim.number].short),
            t(VERDICT_WORDS[verdict_of(result.finding(claim.number))].word),
            measured_said(claim, result.finding(claim.number), t),
        )
        for claim in CLAIMS
    ]
    return [_line(heads), _line(["---:", "---", "---", "---"]), *map(_line, rows)]


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _section(claim: Claim, result: LedgerResult, t: Translator, base: str) -> str:
    """Return one claim: title, verdict, sentences, threshold, and the way to its view."""
    finding, words = result.finding(claim.number), WORDS[claim.number]
    verdict = t(VERDICT_WORDS[verdict_of(finding)].word)
    where = link(claim.number, base)
    lines = [
        f"## {claim.number}. {t(words.title)}",
        t.sentences(f"**{verdict}.**", *said_of(claim, finding, t)),
        f"> {words.decided_by(t)}" if words.rule else "",
        t("Claimed in {source}.", source=source_said(claim, t)),
        f"<{where}>" if where else "",
    ]
    return "\n\n".join(filter(None, lines))


def to_csv(
    result: LedgerResult, t: Translator, base: str = "", *, when: datetime | None = None
) -> bytes:
    """Return the ledger as CSV, one row a claim; parameters as of `to_markdown`.

    The column ``values`` has the numbers that decide the verdict at full precision.
    """
    columns = ("claim", "subject", "source", "title", "verdict", "measured", "sentences",
               "threshold", "values", "link", "backend", "device", "saved")  # fmt: skip
    made = (result.backend_name, result.device, _moment(when) if when else "")
    rows = tuple((*_row(claim, result, t, base), *made) for claim in CLAIMS)
    return table_to_csv(Table(columns, rows))


def _row(claim: Claim, result: LedgerResult, t: Translator, base: str) -> tuple[object, ...]:
    finding, words = result.finding(claim.number), WORDS[claim.number]
    values = finding.values if finding and finding.case != REFUSED else {}
    return (
        claim.number,
        t(SUBJECTS[claim.subject]),
        source_said(claim, t),
        t(words.title),
        t(VERDICT_WORDS[verdict_of(finding)].word),
        measured_said(claim, finding, t),
        t.sentences(*said_of(claim, finding, t)),
        words.decided_by(t),
        "; ".join(f"{name} = {_plain(value)}" for name, value in values.items()),
        link(claim.number, base),
    )


def link(claim: int, base: str = "") -> str:
    """Return the address of the view that shows a claim."""
    page, view = WHERE[claim]
    return f"{base}/{page}{'?' if view else ''}{urlencode(view)}"


def _plain(value: Value) -> str:
    """Return a value as Python writes it, the items of several with a space between them."""
    return " ".join(map(_plain, value)) if isinstance(value, tuple) else str(value)


def _moment(when: datetime) -> str:
    return when.strftime("%Y-%m-%d %H:%M %Z").strip()

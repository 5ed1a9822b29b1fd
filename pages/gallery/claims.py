"""The figures of the ledger, and what it has found, kept for every page and file."""

from __future__ import annotations

from itertools import islice

from engine.experiments.claims import ledger
from engine.experiments.claims.ledger import LedgerParams, LedgerResult
from engine.experiments.claims.results import Results
from pages.figures.claims.ledger import PARTS, Part, ledger_figure
from pages.figures.figure import Figure, Style
from pages.gallery.claim_results import keep, results_of
from pages.gallery.kept_results import Kept
from pages.gallery.model import Entry, Idea, Listener, NoParams
from pages.text import mark

NAMES = {part: f"claims-{place}" for place, part in enumerate(PARTS, 1)}


def afresh(backend: str) -> Results:
    """Return results that are all computed anew, and given to the pages and other figures."""
    return Results(backend, keep=keep)


def _run(params: LedgerParams, backend: str, listener: Listener | None) -> LedgerResult:
    return ledger.run(params, backend=backend, progress=listener, results=results_of(backend))


def _at_once(params: LedgerParams, backend: str, _listener: Listener | None) -> LedgerResult:
    """Check the claims that take no time, and leave the others."""
    quick = sum(claim.number not in ledger.SLOW for claim in ledger.in_turn())
    checks = ledger.check_all(params, backend=backend, results=results_of(backend))
    return next(islice(checks, quick - 1, None))


def _entry(part: Part, name: str) -> Entry:
    def draw(result: LedgerResult, _view: NoParams, style: Style) -> Figure:
        return ledger_figure(result, style, part)

    return Entry(name, PARTS[part], draw)


# A whole ledger takes up to half a minute; what is checked at once stands in the first view.
KEPT: Kept[LedgerParams, LedgerResult] = Kept(_run, 4)
AT_ONCE: Kept[LedgerParams, LedgerResult] = Kept(_at_once, 4)
IDEA = Idea(
    name="claims",
    title=mark("Every claim, checked"),
    params=LedgerParams,
    view=NoParams,
    run=KEPT,
    entries=tuple(_entry(part, name) for part, name in NAMES.items()),
)

"""The figures of the printed calculations."""

from __future__ import annotations

from functools import partial

from engine.experiments.printed import PrintedClaim, printed_claims
from pages.figures.figure import Figure, Style
from pages.figures.printed import printed_figure
from pages.gallery.model import Entry, Idea, NoParams
from pages.text import mark

Claims = tuple[PrintedClaim, ...]
TITLES = {
    6: mark("Printed and computed: the textbook example, row 1"),
    7: mark("Printed and computed: the textbook example, row 2"),
    8: mark("Printed and computed: the three-score row"),
}


def name_of(claim: int) -> str:
    """Return the name of the figure of one claim."""
    return f"printed-and-computed-claim-{claim}"


def _draw(claim: int, claims: Claims, _view: NoParams, style: Style) -> Figure:
    return printed_figure(next(each for each in claims if each.claim == claim), style)


IDEA = Idea(
    name="printed",
    title=mark("Printed and computed"),
    params=NoParams,
    view=NoParams,
    run=lambda _params, backend, _progress: printed_claims(backend=backend),
    entries=tuple(
        Entry(name_of(claim), title, partial(_draw, claim)) for claim, title in TITLES.items()
    ),
)

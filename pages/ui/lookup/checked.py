"""The claims that this page checks, and where each is seen."""

from __future__ import annotations

from engine import EngineError
from engine.backends.measuring import MEASURING
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.ledger import refused
from engine.experiments.lookup.cost import CostParams
from pages.gallery.claim_results import finding_of
from pages.gallery.lookup_cost import COST
from pages.text import Translator, mark
from pages.ui.checked import Checked, Place
from pages.ui.lookup import state
from pages.ui.maths import typeset

PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the usual values; a button shows them where they stand."),
    state.show_usual,
    typeset,
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims; what those of other tabs need is computed once they are unfolded."""
    PLACE.draw(CLAIMS, tab, t)


def cost(claim: int, backend: str) -> Finding:
    """Return what additive attention costs, where this process has measured the usual.

    Nobody waits for a page.
    """
    if COST.peek(CostParams(), backend) is None or not MEASURING.acquire(blocking=False):
        return refused(
            claim, EngineError("It is decided here once the usual measurement of this tab is done.")
        )
    try:
        return finding_of(claim, backend)
    finally:
        MEASURING.release()


CLAIMS = (
    Checked(16, "roles"),
    Checked(23, "cost", find=cost),
    Checked(25, "axes"),
)

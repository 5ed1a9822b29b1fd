"""The claims that this page checks, and where each is seen."""

from __future__ import annotations

from engine.backends.measuring import MEASURING
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.ledger import REFUSED
from engine.experiments.claims.of_memory import chunks_found, growth_found
from engine.experiments.memory.measured import MeasuredParams
from pages.gallery.claim_results import finding_of
from pages.gallery.memory_measured import MEASURED
from pages.text import Translator, mark
from pages.ui.checked import Checked, Place
from pages.ui.maths import typeset
from pages.ui.memory import state

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


def growth(_claim: int, backend: str) -> Finding:
    """Return the counts of scores, and the growth where this process has measured the usual."""
    return growth_found(MEASURED.peek(MeasuredParams(), backend))


def chunks(claim: int, backend: str) -> Finding:
    """Return what chunks save; nothing while another measurement has its turn or memory is short.

    Nobody waits for a page.
    """
    if not MEASURING.acquire(blocking=False):
        return chunks_found(None)
    try:
        finding = finding_of(claim, backend)
    finally:
        MEASURING.release()
    return chunks_found(None) if finding.case == REFUSED else finding


CLAIMS = (
    Checked(11, "measured", find=growth),
    Checked(22, "measured", find=chunks),
)

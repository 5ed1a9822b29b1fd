"""The claims that this page checks, and where each is seen."""

from __future__ import annotations

from pages.text import Translator, mark
from pages.ui.checked import Checked, Place
from pages.ui.context import state
from pages.ui.maths import typeset

PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the usual values; a button shows them where they stand."),
    state.show_usual,
    typeset,
)
CLAIMS = (
    Checked(19, "endings"),
    Checked(20, "layers"),
    Checked(21, "cause"),
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims; what those of other tabs need is computed once they are unfolded."""
    PLACE.draw(CLAIMS, tab, t)

"""The claims that this page checks, and where each is seen.

The numbers are those of the usual values of each tab, whatever is chosen; a button shows them.
"""

from __future__ import annotations

from pages.text import Translator, mark
from pages.ui.checked import Checked, Place
from pages.ui.maths import typeset
from pages.ui.scaling import state

PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the usual values; a button shows them where they stand."),
    state.show_usual,
    typeset,
)
CLAIMS = (
    Checked(1, "variance"),
    Checked(2, "saturation", {"first": 50.0, "second": 40.0, "temperature": 1.0}),
    Checked(3, "saturation", {"measure": "largest"}),
    Checked(4, "gradient"),
    Checked(5, "training"),
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims; what those of other tabs need is computed once they are unfolded."""
    PLACE.draw(CLAIMS, tab, t)

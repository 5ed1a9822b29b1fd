"""The claims that this page checks, and where each is seen.

The numbers are those of the textbook example, whatever is chosen; a claim's button chooses it.
"""

from __future__ import annotations

from engine.experiments.masks.mistakes import dtypes_of
from pages.text import Translator, mark
from pages.ui import settings
from pages.ui.checked import Checked, Place
from pages.ui.masks import state

PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the textbook example; a button shows them where they stand."),
    state.show_textbook,
    unfolded=True,
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims of this page."""
    PLACE.draw(claims_of(settings.backend().name), tab, t)


def claims_of(backend: str) -> tuple[Checked, ...]:
    """Return the claims as one backend shows them: not every one computes in float64."""
    exact = dtypes_of(backend)[-1]
    return (
        Checked(12, "mistakes", {"variant": "minus-1e9", "dtype": "float16"}),
        Checked(13, "mistakes", {"variant": "renormalise", "dtype": exact}),
        Checked(14, "compare", {"families": True}),
        Checked(15, "influence", {"side": "b"}),
        Checked(17, "influence", {"side": "a"}),
    )

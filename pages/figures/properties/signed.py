"""The colours of outputs, which may be of either sign: one hue above 0, a grey below."""

from __future__ import annotations

from functools import lru_cache

from pages.figures.figure import Style
from pages.figures.levels import LAST
from pages.figures.palette import mix, theme

_LEAST, _MORE = 0.05, 0.9  # of the hue at 0, and more of it at the end of the scale


def signed_colours(style: Style) -> tuple[str, ...]:
    """Return the colours of the levels of a signed scale, from its foot to its head.

    There are as many as `levels_of` gives to scores, in the hue of outputs: the pink and green of
    scores would say that these are scores.
    """
    return _colours(style.theme)


@lru_cache(maxsize=4)
def _colours(theme_name: str) -> tuple[str, ...]:
    colours = theme(theme_name)
    half = LAST / 2
    found = []
    for level in range(LAST + 1):
        share = (level - half) / half
        end = colours.roles["output"] if share >= 0 else colours.roles["input"]
        found.append(mix(colours.background, end, round(_LEAST + _MORE * abs(share), 4)))
    return (*found, colours.masked)

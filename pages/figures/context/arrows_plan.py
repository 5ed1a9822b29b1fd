"""Where the tokens of one head stand in two columns, and which of them a long text keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pages.figures.context.look import Look, strongest
from pages.figures.context.study_words import placed_names
from pages.figures.figure import SizeName, Style
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import number
from pages.figures.panel import sizes_of
from pages.figures.slide import Room

_STEP, _WIDEST_STEP = 1.32, 2.1  # of the font: from one token to the next, least and most
_LONGEST = 8.0  # of the font: what a name may take
_BEFORE = 5.5  # of the font: what a token may take that has its position beside it
_PAD = 0.45  # of the font: inside a name's ground, on either side
_BESIDE = 0.6  # of the font: between a name and its number
_SPAN: dict[SizeName, float] = {"screen": 330.0, "slide": 560.0, "half": 300.0, "square": 360.0}
_LARGEST_FONT: dict[SizeName, int] = {"screen": 14, "slide": 22, "half": 20, "square": 20}


@dataclass(frozen=True)
class ArrowsPlan:
    """The layout of one head.

    Parameters
    ----------
    shown : tuple of int
        The tokens that are drawn, rising, among those that are kept.
    names : tuple of str
        As they are written.
    font : int
    step : float
        From one token to the next, in pixels.
    top : float
        Upper edge of the first token.
    left, right : float
        Where arrows begin and end.
    title : float
        Middle of the line of titles.
    """

    shown: tuple[int, ...]
    names: tuple[str, ...]
    font: int
    step: float
    top: float
    left: float
    right: float
    title: float

    def middle(self, place: int) -> float:
        """Return the height of a token that is drawn, by its place among them."""
        return self.top + (place + 0.5) * self.step

    @property
    def pad(self) -> float:
        """What a ground has beside its name."""
        return self.font * _PAD

    @property
    def beside(self) -> float:
        """What lies between the ground of a name and its number."""
        return self.font * _BESIDE


def plan_arrows(look: Look, style: Style, room: Room, titles: tuple[float, float]) -> ArrowsPlan:
    """Return the layout in a room; ``titles`` are the widths of the titles of both columns."""
    sizes = sizes_of(style)
    head = sizes.title * 1.9
    height = room[3] - head
    fitting = max(2, int(height / (sizes.tick * _STEP)))
    shown = _kept(look, fitting)
    step = min(height / len(shown), _LARGEST_FONT[style.size] * _WIDEST_STEP)
    font = max(sizes.tick, min(int(step / _STEP), _LARGEST_FONT[style.size]))
    names = _names(look, shown, font)
    widest = max(text_width(name, font, bold=True) for name in names)
    name_room = max(widest + font * _PAD, *titles) + font * _PAD
    numbers = text_width(number(0.0, style.decimals), font, bold=True) + font * _BESIDE
    free = room[2] - 2 * name_room - numbers
    span = max(font * 3.0, min(free, _SPAN[style.size]))
    left = room[0] + (room[2] - span - 2 * name_room - numbers) / 2 + name_room
    top = room[1] + head + (height - step * len(shown)) * 0.4
    return ArrowsPlan(shown, names, font, step, top, left, left + span, top - sizes.title * 0.95)


def _kept(look: Look, most: int) -> tuple[int, ...]:
    """Return the tokens that are drawn: in a long text those that the query looks at most."""
    if look.row is None:
        return strongest(look.weights.sum(axis=0), most)
    weights = np.where(look.hidden[look.row], -1.0, look.weights[look.row])
    return strongest(weights, most, (look.row,))


def _names(look: Look, shown: tuple[int, ...], font: int) -> tuple[str, ...]:
    """Return the names, with their positions where tokens between them are missing."""
    names = placed_names(look, shown, _BEFORE)
    return tuple(fit_text(name, font, font * _LONGEST, bold=True) for name in names)

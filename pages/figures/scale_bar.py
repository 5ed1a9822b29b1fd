"""The scale of colours beside a matrix, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import CELLS, FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.levels import Role
from pages.figures.matrix_axes import draw_tick
from pages.figures.measure import text_width
from pages.figures.panel import sizes_of, smallest_of
from pages.figures.ticks import Scale

_PARTS = 64  # of one colour each
_TICKS = (3, 7)  # fewest and most
_LABEL = 1.4  # of the thickness of the bar: where its numbers begin


@dataclass(frozen=True)
class ScaleBar:
    """One scale.

    Parameters
    ----------
    role : {"weights", "scores", "output"}
        Scores run to both sides of 0.
    limit : float
        The value with the strongest colour.
    colours : tuple of str
        As `colours_of` returns them.
    last : int
        The last level of the ramp.
    title : str
        What is measured.
    foot : float
        Of scores: where the bar ends below, as a share of the limit, -1 to 0.
    """

    role: Role
    limit: float
    colours: tuple[str, ...]
    last: int
    title: str
    foot: float = -1.0

    def draw(self, canvas: Canvas, style: Style, x: float, top: float, bottom: float) -> None:
        """Draw the bar from ``top`` to ``bottom``, its title above and its numbers beside it."""
        sizes, colours, thick = sizes_of(style), style.colours, thickness(style)
        step = (bottom - top) / _PARTS
        for part in range(_PARTS):
            fill = self.colours[self._level((_PARTS - 1 - part) / (_PARTS - 1))]
            canvas.rect(x, top + part * step, thick, step + 0.3, fill=fill, level=CELLS)
        canvas.rect(x, top, thick, bottom - top, stroke=colours.line, stroke_width=1, level=FRAME)
        scale = self._scale(top, bottom)
        ticks = scale.ticks(
            max(_TICKS[0], min(_TICKS[1], int((bottom - top) / (sizes.tick * 2.2))))
        )
        free = bottom + sizes.tick
        for value, label in zip(ticks.values, ticks.labels, strict=True):
            y = min(max(scale.at(value), top + sizes.tick * 0.3), bottom - sizes.tick * 0.3)
            if y > free:
                continue  # on a bar that is too short for all of them
            free = y - sizes.tick * 1.05
            draw_tick(canvas, style, x + thick, scale.at(value), across=True)
            draw_words(canvas, x + thick * _LABEL, y, label, sizes.tick, colours.muted)
        y = top - sizes.tick * 0.9
        canvas.text(x, y, self.title, sizes.tick, colours.muted, align="left")

    def width(self, style: Style) -> float:
        """Return what the bar takes with its title and its numbers, however high it is."""
        size, smallest, thick = sizes_of(style).tick, smallest_of(style), thickness(style)
        labels = {
            label
            for most in range(_TICKS[0], _TICKS[1] + 1)
            for label in self._scale(0.0, 1.0).ticks(most).labels
        }
        widest = max(words_width(label, size, False, smallest) for label in labels)
        return max(thick * _LABEL + widest, text_width(self.title, size))

    def _level(self, share: float) -> int:
        """Return the level of colour at a share of the height of the bar."""
        if self.role == "scores":
            share = (1 + self.foot + share * (1 - self.foot)) / 2
        return round(share * self.last)

    def _scale(self, top: float, bottom: float) -> Scale:
        if self.role == "scores" and not self.limit:
            return Scale(self.foot, 1.0, bottom, top)
        least = self.foot * self.limit if self.role == "scores" else 0.0
        return Scale(least, self.limit or 1.0, bottom, top)


def thickness(style: Style) -> float:
    """Return the width of a bar in pixels."""
    return sizes_of(style).tick * 1.1

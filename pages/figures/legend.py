"""A legend above a plot: samples with names, in as many rows as they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pages.figures.annotate import draw_words, words_width
from pages.figures.bar_style import bar_look, draw_bar
from pages.figures.canvas import FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.panel import sizes_of
from pages.figures.series import dash_of, marker_of, marker_path, polyline


@dataclass(frozen=True)
class Entry:
    """One name of a legend, with the colour and the place of its series."""

    name: str
    colour: str
    kind: Literal["line", "bar"]
    index: int


class Legend:
    """Lays out the entries in rows; ``height`` is what they take, 0 without entries."""

    def __init__(
        self, canvas: Canvas, style: Style, entries: tuple[Entry, ...],
        left: float, top: float, width: float,
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.sizes = canvas, style, sizes_of(style)
        self.left, self.top = left, top
        self.step = self.sizes.label * 1.6
        self.places: list[tuple[Entry, float, float]] = []
        x = y = 0.0
        for entry in entries:
            room = self.sample + words_width(entry.name, self.sizes.label, False, canvas.smallest)
            if x and x + room > width:
                x, y = 0.0, y + self.step
            self.places.append((entry, left + x, top + y + self.step / 2))
            x += room + self.sizes.label * 1.6
        self.height = y + self.step + self.sizes.label * 0.4 if entries else 0.0

    @property
    def sample(self) -> float:
        """Width of a sample and the space after it."""
        return self.sizes.label * 2.6

    def draw(self) -> None:
        """Draw samples and names."""
        size, colour = self.sizes.label, self.style.colours.text
        for entry, x, y in self.places:
            if entry.kind == "bar":
                self._bar(entry, x, y)
            else:
                self._line(entry, x, y)
            draw_words(self.canvas, x + self.sample, y, entry.name, size, colour)

    def _bar(self, entry: Entry, x: float, y: float) -> None:
        size = self.sizes.label
        place = (x, y - size * 0.5, size * 2.1, size)
        look = bar_look(entry.index, entry.colour, self.style.colours)
        draw_bar(self.canvas, place, look, tip="")

    def _line(self, entry: Entry, x: float, y: float) -> None:
        end, width = x + self.sizes.label * 2.1, self.sizes.line
        path = polyline([(x, y), (end, y)], dash_of(entry.index), width)
        self.canvas.path(path, stroke=entry.colour, stroke_width=width, level=FRAME)
        marker = marker_path(marker_of(entry.index), (x + end) / 2, y, self.sizes.marker)
        self.canvas.path(marker, fill=entry.colour, stroke_width=0, level=FRAME)

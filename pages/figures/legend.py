"""A legend above a plot: samples with names, in as many rows as they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pages.figures.annotate import draw_words, words_width
from pages.figures.bar_style import bar_look, draw_bar
from pages.figures.canvas import FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.panel import sizes_of, smallest_of
from pages.figures.series import dash_of, marker_of, marker_path, polyline
from pages.figures.slide import Room

_SAMPLE, _ROW = 2.6, 1.6  # of the font: a sample with the space after it, a row of entries
# Draws a sample into its place.
Sample = Callable[[Canvas, Room], None]


@dataclass(frozen=True)
class Entry:
    """One name of a legend, with the colour and the place of its series, or its own sample."""

    name: str
    colour: str
    kind: Literal["line", "bar"]
    index: int
    sample: Sample | None = None


def place_names(
    names: Sequence[str], style: Style, width: float
) -> tuple[list[tuple[float, float]], float, float]:
    """Return where each entry begins, and how wide and how high all of them are.

    Parameters
    ----------
    names : sequence of str
    style : Style
    width : float
        What a row of entries may take, in pixels.

    Returns
    -------
    places : list of (float, float)
        Left end, and middle of the line, from the upper left corner of the legend.
    width, height : float
        Both 0 without entries.
    """
    size, smallest = sizes_of(style).label, smallest_of(style)
    places: list[tuple[float, float]] = []
    widest = x = y = 0.0
    for name in names:
        room = size * _SAMPLE + words_width(name, size, False, smallest)
        if x and x + room > width:
            x, y = 0.0, y + size * _ROW
        places.append((x, y + size * _ROW / 2))
        widest = max(widest, x + room)
        x += room + size * 1.6
    return places, widest, y + size * _ROW + size * 0.4 if names else 0.0


class Legend:
    """Lays out the entries in rows; ``height`` is what they take, 0 without entries."""

    def __init__(
        self, canvas: Canvas, style: Style, entries: tuple[Entry, ...],
        left: float, top: float, width: float,
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.sizes = canvas, style, sizes_of(style)
        found, _, self.height = place_names([entry.name for entry in entries], style, width)
        self.places = [
            (entry, left + x, top + y) for entry, (x, y) in zip(entries, found, strict=True)
        ]

    @property
    def sample(self) -> float:
        """Width of a sample and the space after it."""
        return self.sizes.label * _SAMPLE

    def draw(self) -> None:
        """Draw samples and names."""
        size, colour = self.sizes.label, self.style.colours.text
        for entry, x, y in self.places:
            if entry.sample is not None:
                entry.sample(self.canvas, self._place(x, y))
            elif entry.kind == "bar":
                self._bar(entry, x, y)
            else:
                self._line(entry, x, y)
            draw_words(self.canvas, x + self.sample, y, entry.name, size, colour)

    def _place(self, x: float, y: float) -> Room:
        size = self.sizes.label
        return x, y - size * 0.5, size * 2.1, size

    def _bar(self, entry: Entry, x: float, y: float) -> None:
        look = bar_look(entry.index, entry.colour, self.style.colours)
        draw_bar(self.canvas, self._place(x, y), look, tip="")

    def _line(self, entry: Entry, x: float, y: float) -> None:
        end, width = x + self.sizes.label * 2.1, self.sizes.line
        path = polyline([(x, y), (end, y)], dash_of(entry.index), width)
        self.canvas.path(path, stroke=entry.colour, stroke_width=width, level=FRAME)
        marker = marker_path(marker_of(entry.index), (x + end) / 2, y, self.sizes.marker)
        self.canvas.path(marker, fill=entry.colour, stroke_width=0, level=FRAME)

"""What one position has heard of after some steps: a row of cells for every architecture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.experiments.properties.paths import ARCHITECTURES, Architecture, PathResult
from engine.shapes import Array
from pages.figures.canvas import BACK, FRAME, Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.matrix_axes import positions
from pages.figures.measure import fit_text, text_width
from pages.figures.panel import Screen, open_plot
from pages.figures.properties.common import words_of
from pages.figures.properties.paths import architecture_colour, path_stem
from pages.figures.slide import Room
from pages.text import translator
from pages.text.properties_paths import heard_words, reads_words
from pages.text.properties_words import architecture_words

SCREEN = Screen(868.0, 260.0)


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output: fonts, the height of a row of cells, and how its name stands.

    ``beside`` says whether names and counts stand beside the cells, or above them.
    """

    font: int
    small: int
    cell: float
    beside: bool


_SIZES: dict[SizeName, _Sizes] = {
    "screen": _Sizes(13, 12, 24, True),
    "slide": _Sizes(20, 18, 44, True),
    "half": _Sizes(18, 18, 22, False),
    "square": _Sizes(18, 18, 22, False),
}


def reached_figure(result: PathResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw which positions the chosen one has heard of, in every architecture."""
    t, params = translator(style.language), result.params
    values = {"position": f"{result.position + 1:,}", "steps": f"{params.layers:,}"}
    title = (
        t("What position {position} has heard of after 1 step", **values)
        if params.layers == 1
        else t("What position {position} has heard of after {steps} steps", **values)
    )
    note = t.sentences(
        t("A coloured cell is a position whose input has reached it; the arrow marks the position "
          "itself."),
        heard_words(result, t),
        reads_words(result, t),
    )  # fmt: skip
    name = path_stem("reached", params, f"steps{params.layers}", f"position{result.position + 1}")
    words = words_of(name, title, note, "weights", t)
    canvas, room = open_plot(style, words, screen)
    _Rows(canvas, result, style, room).draw()
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _table(result: PathResult) -> Table:
    t = translator("en")
    rows = tuple(
        (architecture_words(name, t), place + 1, bool(heard))
        for name in ARCHITECTURES
        for place, heard in enumerate(result.reached[name])
    )
    return Table(("architecture", "position", "heard of"), rows)


class _Rows:
    """Draws the rows of cells, their names, their counts and the positions below them."""

    def __init__(self, canvas: Canvas, result: PathResult, style: Style, room: Room) -> None:
        self.canvas, self.result, self.style = canvas, result, style
        self.sizes, self.t = _SIZES[style.size], translator(style.language)
        self.T = result.params.T
        self.names = {name: architecture_words(name, self.t) for name in ARCHITECTURES}
        self.counts = {name: self._count(name) for name in ARCHITECTURES}
        self.left, self.top, self.width, self.height = room
        self.start, self.end = self._cells()
        self.step = self._step()

    def _count(self, name: Architecture) -> str:
        heard = int(self.result.reached[name].sum())
        return self.t("{count} of {T}", count=f"{heard:,}", T=f"{self.T:,}")

    def _cells(self) -> tuple[float, float]:
        """Return where the cells begin and end."""
        font = self.sizes.font
        if not self.sizes.beside:
            return self.left, self.left + self.width
        names = max(text_width(name, font) for name in self.names.values())
        counts = max(text_width(count, font) for count in self.counts.values())
        return self.left + names + font, self.left + self.width - counts - font

    @property
    def _marks(self) -> float:
        """What the arrow takes above the rows, and the positions below them."""
        return self.sizes.small * 1.5

    def _step(self) -> float:
        """Return the height of a row with what stands between two."""
        most = self.sizes.cell * 1.55 + (0 if self.sizes.beside else self.sizes.font * 1.5)
        return min(most, (self.height - 2 * self._marks) / len(ARCHITECTURES))

    def draw(self) -> None:
        """Draw everything, in the middle of the room."""
        high = self.step * len(ARCHITECTURES)
        top = self.top + self._marks + (self.height - high - 2 * self._marks) * 0.4
        for row, name in enumerate(ARCHITECTURES):
            self._row(name, top + row * self.step)
        self._positions(top + high)

    def _row(self, name: Architecture, top: float) -> None:
        sizes, colours = self.sizes, self.style.colours
        cell = min(sizes.cell, self.step * 0.75)
        if sizes.beside:
            y = top + cell / 2
            self.canvas.text(self.start - sizes.font * 0.6, y, self.names[name], sizes.font,
                             colours.text, align="right")  # fmt: skip
            self.canvas.text(self.end + sizes.font * 0.6, y, self.counts[name], sizes.font,
                             colours.muted, align="left")  # fmt: skip
        else:
            y = top + sizes.font * 0.7
            count = text_width(self.counts[name], sizes.font)
            shown = fit_text(self.names[name], sizes.font, self.width - count - sizes.font)
            self.canvas.text(self.start, y, shown, sizes.font, colours.text, align="left")
            self.canvas.text(self.end, y, self.counts[name], sizes.font, colours.muted,
                             align="right")  # fmt: skip
            top += sizes.font * 1.35
            cell = min(sizes.cell, self.step - sizes.font * 1.6)
        self._strip(name, top, cell)

    def _strip(self, name: Architecture, top: float, high: float) -> None:
        """Draw the cells of a row: single ones where they are wide enough, else runs of them."""
        colours, wide = self.style.colours, (self.end - self.start) / self.T
        colour = architecture_colour(name, self.style)
        gap = 1.0 if wide >= 5 else 0.0
        place = (self.start, top, self.end - self.start, high)
        self.canvas.rect(*place, fill=colours.surface, level=BACK)
        self.canvas.rect(*place, stroke=colours.line, stroke_width=1, level=BACK)
        heard = self.result.reached[name]
        for first, last in runs(heard) if not gap else [(p, p) for p in np.flatnonzero(heard)]:
            x = self.start + first * wide
            place = (x + gap / 2, top, (last - first + 1) * wide - gap, high)
            self.canvas.cell(place, colour, self._tip(name, int(first), int(last)), None)
        self._arrow(top)

    def _tip(self, name: Architecture, first: int, last: int) -> str:
        values = {"name": self.names[name], "first": f"{first + 1:,}", "last": f"{last + 1:,}"}
        if first == last:
            return self.t("{name}: position {first}", **values)
        return self.t("{name}: positions {first} to {last}", **values)

    def _arrow(self, top: float) -> None:
        """Mark the position itself above a row."""
        x = self.start + (self.result.position + 0.5) * (self.end - self.start) / self.T
        half, high = self.sizes.small * 0.32, self.sizes.small * 0.42
        path = f"M{x:.2f},{top:.2f}l{-half:.2f},{-high:.2f}h{2 * half:.2f}Z"
        self.canvas.path(path, fill=self.style.colours.text, stroke_width=0, level=FRAME)

    def _positions(self, bottom: float) -> None:
        """Write positions below the last row."""
        size, colours = self.sizes.small, self.style.colours
        room = self.end - self.start
        y = bottom + size * 0.4
        if self.sizes.beside:
            x = self.start - self.sizes.font * 0.6
            self.canvas.text(x, y, self.t("position"), size, colours.muted, align="right")
        for place, label in positions(self.T, room, text_width(f"{self.T:,}", size) + size * 1.5):
            x = self.start + (place + 0.5) * room / self.T
            half = text_width(label, size) / 2
            x = min(max(x, self.start + half), self.end - half)
            self.canvas.text(x, y, label, size, colours.muted)


def runs(flags: Array) -> list[tuple[int, int]]:
    """Return first and last place of every run of true flags."""
    steps = np.diff(np.concatenate([[0], flags.astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))

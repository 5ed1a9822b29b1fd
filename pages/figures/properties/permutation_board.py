"""Outputs in two orders, drawn: four matrices, and a line for each token from one to the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.shapes import Array
from pages.figures.board import named
from pages.figures.canvas import BACK, Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.levels import levels_of
from pages.figures.matrix import Grid, Matrix
from pages.figures.matrix_cells import (
    MOST_TIPS,
    MatrixCells,
    Numbers,
    block_of,
    font_of,
    holds_numbers,
)
from pages.figures.measure import balance_text, fit_text, text_width
from pages.figures.numerals import measured_number, number_in_full
from pages.figures.palette import mix
from pages.figures.properties.signed import signed_colours
from pages.figures.scale_bar import ScaleBar
from pages.figures.slide import Room
from pages.figures.symbols import draw_symbol, symbol_width
from pages.text import translator

_FEWEST_DECIMALS = 2
_FONT_SHARE = 0.62  # of the height of a cell, for a number in it
_ROW = 1.1  # of the font of a name: a lower row has none
_LINE = 1.25  # of the font, between two lines of a caption


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output.

    ``label`` is the font of names, captions and small numbers, ``symbol`` that of the symbols.
    ``name`` is what a name takes at the most, ``link`` what the lines take between two matrices;
    ``cell`` is the largest cell. Only ``wide`` sheets give the positions of tokens with names as
    well, and say in full what a matrix is.
    """

    label: int
    symbol: int
    name: float
    link: float
    gap: float
    cell: tuple[float, float]
    wide: bool


_SIZES: dict[SizeName, _Sizes] = {
    "screen": _Sizes(12, 17, 70, 70, 26, (66, 42), True),
    "slide": _Sizes(18, 26, 112, 96, 40, (112, 84), True),
    "half": _Sizes(18, 18, 80, 38, 24, (60, 56), False),
    "square": _Sizes(18, 20, 96, 46, 28, (66, 56), False),
}


@dataclass(frozen=True)
class Step:
    """One matrix of the board.

    Parameters
    ----------
    symbol, caption : str
        Its formula, and what it is.
    short : str
        The same in a word, for narrow sheets.
    values : np.ndarray
        (T, E).
    rows : tuple of int
        Which token stands in each row, counted from 0.
    """

    symbol: str
    caption: str
    short: str
    values: Array
    rows: tuple[int, ...]


class PermutationBoard:
    """Lays out the steps in a room, then draws them.

    Parameters
    ----------
    steps : sequence of Step
        Four: lines join the first three, the last is their difference.
    tokens : tuple of str
        T names; empty where they are positions only.
    style : Style
    room : tuple
        Left, top, width and height.
    """

    def __init__(
        self, steps: Sequence[Step], tokens: tuple[str, ...], style: Style, room: Room
    ) -> None:
        self.steps, self.tokens, self.style, self.room = steps, tokens, style, room
        self.sizes, self.t = _SIZES[style.size], translator(style.language)
        self.T, self.columns = (int(size) for size in steps[0].values.shape)
        self.limit = max(float(np.abs(step.values).max()) for step in steps[:3])
        self.bar = ScaleBar("scores", self.limit, signed_colours(style), 254, self.t("output"))
        self.number = text_width(str(self.T), self.sizes.label)
        self.labels = self._label_room()
        self.gap = self._gap()
        self.across, self.down = self._cell()
        self.decimals, self.font = self._numbers()

    def _label_room(self) -> float:
        """Return what positions and names take beside the rows; where narrow, either of them."""
        size = self.sizes.label
        names = [min(text_width(name, size), self.sizes.name) for name in self.tokens]
        if names and not self.sizes.wide:
            return max(names) + size * 0.5
        return self.number + (max(names) + size * 0.4 if names else 0.0) + size * 0.5

    # ---- places

    @property
    def _head(self) -> float:
        """What symbols and captions take above the cells."""
        return self.sizes.symbol * 1.45 + 2 * self.sizes.label * _LINE

    @property
    def _extra(self) -> float:
        """What everything but the cells takes across."""
        sizes = self.sizes
        bar = self.bar.width(self.style) + sizes.gap
        return 2 * (self.labels + sizes.link + self._air) + self.gap + bar

    def _gap(self) -> float:
        """Return what stays free before the difference: the symbol of the third needs its room."""
        sizes = self.sizes
        self.gap = 0.0
        free, symbol = self.room[2] - self._extra, self.steps[2].symbol
        need = symbol_width(symbol, sizes.symbol, True, sizes.label) + sizes.label * 0.7
        # A quarter of what is free, less the gap, and the gap hold the symbol.
        return max(float(sizes.gap), min((4 * need - free) / 3, free / 2))

    @property
    def _air(self) -> float:
        """What stays free between lines and cells."""
        return self.sizes.label * 0.4

    def _cell(self) -> tuple[float, float]:
        across = (self.room[2] - self._extra) / (4 * self.columns)
        down = (self.room[3] - self._head) / self.T
        most = self.sizes.cell
        return min(across, most[0]), min(down, most[1])

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of everything."""
        return self._extra + 4 * self.columns * self.across, self._head + self.T * self.down

    def _lefts(self, left: float) -> list[float]:
        """Return where the cells of each matrix begin."""
        wide, link = self.columns * self.across, self.sizes.link + self._air
        first = left + self.labels
        second = first + wide + link + self.labels
        third = second + wide + link
        return [first, second, third, third + wide + self.gap]

    def _numbers(self) -> tuple[int | None, int]:
        """Return the most decimals that fit into the cells, and the font; None where none do."""
        size = self.sizes.label
        if not holds_numbers(self.across, self.down, size) or self.columns * self.T > MOST_TIPS:
            return None, 0
        for decimals in range(
            self.style.decimals, min(_FEWEST_DECIMALS, self.style.decimals) - 1, -1
        ):
            texts = [row for step in self.steps for row in _texts(step.values, decimals)]
            font = font_of(texts, self.across, self.down, size, _FONT_SHARE)
            if font >= size:
                return decimals, int(font)
        return None, 0

    # ---- drawing

    def draw(self, canvas: Canvas) -> None:
        """Draw everything in the middle of the room."""
        width, height = self.size
        left = self.room[0] + (self.room[2] - width) / 2
        top = self.room[1] + self._head
        if self.style.size != "screen":
            top += (self.room[3] - height) * 0.4
        lefts = self._lefts(left)
        grids = [self._grid(x, top) for x in lefts]
        ends = [grids[1].left - self.labels, grids[2].left]
        for place, end in enumerate(ends):
            self._links(canvas, place, grids, end - self._air)
        rooms = [*ends, grids[3].left, self.room[0] + self.room[2]]
        # On narrow sheets what a matrix is stands over its names as well.
        starts = [grid.left for grid in grids]
        if not self.sizes.wide:
            starts[:2] = [start - self.labels for start in starts[:2]]
        self._headings(canvas, starts, top, rooms)
        for step, grid in zip(self.steps, grids, strict=True):
            self._cells(canvas, step, grid)
        for step, grid in zip(self.steps[:2], grids, strict=False):
            self._labels(canvas, step, grid)
        end = grids[3].left + grids[3].width + self.sizes.gap
        self.bar.draw(canvas, self.style, end, top, top + min(self.T * self.down, 260.0))

    def _grid(self, left: float, top: float) -> Grid:
        return Grid(left, top, self.columns * self.across, self.T * self.down, self.across,
                    self.down)  # fmt: skip

    def _cells(self, canvas: Canvas, step: Step, grid: Grid) -> None:
        values = np.asarray(step.values, dtype=np.float64)
        nowhere = np.zeros(values.shape, dtype=np.bool_)
        levels = levels_of(values, nowhere, "scores", self.limit)
        matrix = Matrix(values, nowhere, levels, self.limit, "scores", (), ())
        cells = MatrixCells(canvas, self.style, matrix, grid, partial(self._tip, step))
        cells.colours = signed_colours(self.style)
        numbers = None
        if self.decimals is not None:
            numbers = Numbers(_texts(values, self.decimals), self.font)
        cells.draw(block_of(matrix.shape, grid.width, grid.height), numbers)

    def _tip(self, step: Step, row: int, column: int) -> str:
        return self.t(
            "{matrix}, row {row}, column {column}: {value}",
            matrix=step.caption,
            row=named(step.rows[row], self.tokens, self.t),
            column=column + 1,
            value=number_in_full(float(step.values[row, column])),
        )

    def _headings(
        self, canvas: Canvas, starts: Sequence[float], top: float, ends: Sequence[float]
    ) -> None:
        """Write symbols and captions; where not every symbol fits, captions alone."""
        size, smallest = self.sizes.symbol, canvas.smallest
        rooms = [end - start - self.sizes.label * 0.2
                 for start, end in zip(starts, ends, strict=True)]  # fmt: skip
        pairs = list(zip(self.steps, rooms, strict=True))
        fits = all(symbol_width(step.symbol, size, True, smallest) <= room for step, room in pairs)
        y = top - self._head + size * 0.75
        for (step, room), start in zip(pairs, starts, strict=True):
            if fits:
                colour = self.style.colours.roles["output"]
                draw_symbol(canvas, start, y, step.symbol, size, colour)
            self._caption(canvas, step, (start, y + size * 0.7), room)

    def _caption(self, canvas: Canvas, step: Step, place: tuple[float, float], room: float) -> None:
        """Write what a matrix is, in up to two lines from its upper left corner."""
        size, colour = self.sizes.label, self.style.colours.muted
        caption = step.caption if self.sizes.wide else step.short
        for number, words in enumerate(balance_text(caption, size, room)[:2]):
            y = place[1] + (number + 0.5) * size * _LINE
            canvas.text(place[0], y, fit_text(words, size, room), size, colour, align="left")

    def _rows(self) -> range:
        """Return the rows that are named: every second, third, ... of low ones."""
        return range(0, self.T, math.ceil(self.sizes.label * _ROW / self.down))

    def _labels(self, canvas: Canvas, step: Step, grid: Grid) -> None:
        """Write the names of the tokens to the left of the rows, their positions in a column."""
        size, colours = self.sizes.label, self.style.colours
        for row in self._rows():
            y, x = grid.top + (row + 0.5) * grid.down, grid.left - self.labels
            if self.sizes.wide or not self.tokens:
                x += self.number
                number = str(step.rows[row] + 1)
                canvas.text(x, y, number, size, colours.muted, align="right")
                x += size * 0.4
            if self.tokens:
                name = fit_text(self.tokens[step.rows[row]], size, self.sizes.name)
                canvas.text(x, y, name, size, colours.text, align="left")

    def _links(self, canvas: Canvas, place: int, grids: Sequence[Grid], end: float) -> None:
        """Draw a line for each token from one matrix to the next."""
        before, after = self.steps[place], self.steps[place + 1]
        start, top = grids[place].left + grids[place].width + self._air, grids[place].top
        there = {token: row for row, token in enumerate(after.rows)}
        colours, middle = self.style.colours, (start + end) / 2
        pale = mix(colours.roles["output"], colours.background, 0.35)
        width = 1.25 if self.style.size == "screen" else 2.0
        for row, token in enumerate(before.rows):
            y, to = (top + (each + 0.5) * self.down for each in (row, there[token]))
            bow = f"C{middle:.2f},{y:.2f} {middle:.2f},{to:.2f} {end:.2f},{to:.2f}"
            path = f"M{start:.2f},{y:.2f}{bow}"
            canvas.path(path, stroke=pale, stroke_width=width, level=BACK)


def _texts(values: Array, decimals: int) -> list[list[str]]:
    return [[measured_number(float(value), decimals) for value in row] for row in values]

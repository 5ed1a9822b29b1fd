"""Draws one matrix of weights with the sums of its rows and columns as bars at its sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.shapes import Array
from pages.figures.annotate import draw_words
from pages.figures.canvas import HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.matrix import Grid, Matrix, grid_of
from pages.figures.matrix_axes import MatrixAxes, column_ticks, row_ticks
from pages.figures.matrix_cells import MatrixCells, Numbers, block_of, font_of, holds_numbers
from pages.figures.measure import balance_text, fit_text, text_width
from pages.figures.numerals import number
from pages.figures.palette import mix
from pages.figures.panel import REFERENCE_DASH, sizes_of
from pages.figures.series import polyline
from pages.figures.slide import Room
from pages.text import Translator, translator

_SUM = "Σ"  # on a narrow sheet, whose caption says what the bars are
_BAR = 0.62  # of the side of a cell
_ONE = 1e-6  # a sum this near to 1 is 1
_LINE = 1.3  # of a font, from one line of a title to the next
_DOWN = 0.7  # of the length of a bar to the right: that of a bar downwards
SUM_DECIMALS = 2
_FONT_SHARE = 0.62  # of the height of a cell, for a number in it


@dataclass(frozen=True)
class Side:
    """One matrix with its title and its sums."""

    title: str
    matrix: Matrix
    row_sums: Array
    column_sums: Array


class SideDrawing:
    """Draws one side.

    Parameters
    ----------
    canvas, style
    side : Side
    cells : tuple
        Left, top, width and height of the cells.
    unit : float
        How many pixels a sum of 1 is to the right.
    decimals : int or None
        Of the numbers in the cells; None where there are none.
    start, end : float
        Where the title begins, and where it must end.
    beside : bool
        Whether the title stands to the left of the cells, in lines, instead of above them.
    first : bool
        Whether it says what the columns are; below another matrix nothing is said twice.
    """

    def __init__(
        self, canvas: Canvas, style: Style, side: Side, cells: Room, unit: float,
        decimals: int | None, start: float, end: float, *, beside: bool = False,
        first: bool = True,
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.side = canvas, style, side
        self.grid: Grid = grid_of(side.matrix, cells)
        self.unit, self.decimals, self.start, self.end = unit, decimals, start, end
        self.beside, self.first = beside, first
        self.sizes = sizes_of(style)
        self.t: Translator = translator(style.language)
        self.wide = has_room(style)

    def draw(self) -> None:
        """Draw title, names, cells and sums."""
        self._title()
        axes = MatrixAxes(self.canvas, self.style, self.grid)
        matrix, size = self.side.matrix, self.sizes.tick
        ticks = row_ticks(matrix, self.grid, size)
        axes.row_marks(ticks)
        axes.row_labels(ticks)
        if self.first:
            axes.column_title(self.t("key"))
        if self.wide:
            axes.row_title(self.t("query"))
        axes.columns(column_ticks(matrix, self.grid, size, 4))
        self._cells()
        self._row_sums()
        self._column_sums()

    def _title(self) -> None:
        grid, sizes = self.grid, self.sizes
        if self.beside:
            self._title_beside()
            return
        y = grid.top - sizes.title * 1.5 - sizes.tick * 1.6 - sizes.label * 0.9
        text = fit_text(self.side.title, sizes.label, self.end - self.start, bold=True)
        draw_words(self.canvas, self.start, y, text, sizes.label, self.style.colours.text,
                   bold=True)  # fmt: skip

    def _title_beside(self) -> None:
        size, colour = self.sizes.label, self.style.colours.text
        for place, line in enumerate(heading_lines(self.side.title, size, self.end - self.start)):
            y = self.grid.top + size * (0.6 + place * _LINE)
            draw_words(self.canvas, self.start, y, line, size, colour, bold=True)

    def _cells(self) -> None:
        matrix, grid = self.side.matrix, self.grid
        numbers = None
        if self.decimals is not None:
            texts = texts_of(matrix, self.decimals)
            font = font_of(texts, grid.across, grid.down, self.sizes.tick, _FONT_SHARE)
            numbers = Numbers(texts, math.floor(font))
        cells = MatrixCells(self.canvas, self.style, matrix, grid, self._tip)
        cells.draw(block_of(matrix.shape, grid.width, grid.height), numbers)

    def _tip(self, row: int, column: int) -> str:
        labels, value = self.side.matrix.row_labels, float(self.side.matrix.values[row, column])
        return self.t("query {query}, key {key}: {value}", query=labels[row], key=labels[column],
                      value=number(value, 6))  # fmt: skip

    # ---- sums

    def _row_sums(self) -> None:
        """Draw the sum of each row as a bar to its right."""
        grid, sizes = self.grid, self.sizes
        foot, side = grid.left + grid.width + sizes.gap, grid.down * _BAR
        numbered = grid.down >= sizes.tick * 1.1
        for row, value in enumerate(self.side.row_sums.tolist()):
            middle = grid.top + (row + 0.5) * grid.down
            place = (foot, middle - side / 2, value * self.unit, side)
            self._bar(place, value)
            if numbered:
                x = foot + max(value, 1.0) * self.unit + sizes.tick * 0.5
                self._number(x, middle, value, "left")
        ends = [(foot + self.unit, grid.top), (foot + self.unit, grid.top + grid.height)]
        self._one(ends)
        word = self.t("row sum") if self.wide else _SUM
        y = grid.top - sizes.tick * 0.8
        self.canvas.text(foot, y, word, sizes.tick, self.style.colours.muted, align="left")

    def _column_sums(self) -> None:
        """Draw the sum of each column as a bar below it."""
        grid, sizes = self.grid, self.sizes
        foot, side = grid.top + grid.height + sizes.gap * 0.75, grid.across * _BAR
        unit = self.unit * _DOWN
        texts = [number(value, SUM_DECIMALS) for value in self.side.column_sums.tolist()]
        numbered = max(text_width(text, sizes.tick) for text in texts) <= grid.across - 2
        for column, value in enumerate(self.side.column_sums.tolist()):
            middle = grid.left + (column + 0.5) * grid.across
            self._bar((middle - side / 2, foot, side, value * unit), value)
            if numbered:
                self._number(middle, foot + max(value, 1.0) * unit + sizes.tick * 0.75, value,
                             "center")  # fmt: skip
        ends = [(grid.left, foot + unit), (grid.left + grid.width, foot + unit)]
        self._one(ends)
        word = self.t("column sum") if self.wide else _SUM
        x = grid.left + grid.width + sizes.gap
        colour = self.style.colours.muted
        self.canvas.text(x, foot + unit * 0.5, word, sizes.tick, colour, align="left")

    def _bar(self, place: Room, value: float) -> None:
        colours = self.style.colours
        exact = abs(value - 1) <= _ONE
        fill = colours.roles["weights"] if exact else mix(
            colours.background, colours.roles["weights"], 0.45)  # fmt: skip
        tip = self.t("sum: {value}", value=number(value, 6))
        self.canvas.cell(place, fill, tip, None)

    def _number(self, x: float, y: float, value: float, align: str) -> None:
        colours, exact = self.style.colours, abs(value - 1) <= _ONE
        text = "1" if exact else number(value, SUM_DECIMALS)
        ink = colours.text if exact else colours.muted
        self.canvas.text(x, y, text, self.sizes.tick, ink, align=align)

    def _one(self, ends: Sequence[tuple[float, float]]) -> None:
        path = polyline(ends, REFERENCE_DASH, 1.25)
        self.canvas.path(path, stroke=self.style.colours.text, stroke_width=1.25, level=HATCH)


def heading_lines(title: str, size: float, room: float) -> list[str]:
    """Return a title in lines that fit beside cells."""
    return balance_text(title, size, room + 1, bold=True)


def has_room(style: Style) -> bool:
    """Return whether there is room to say what the rows and the bars are."""
    return style.size in ("screen", "slide")


def texts_of(matrix: Matrix, decimals: int) -> list[list[str]]:
    """Return the number of each cell."""
    return [[number(value, decimals) for value in row] for row in matrix.values.tolist()]


def cell_of(matrices: Sequence[Matrix], style: Style) -> tuple[float, float]:
    """Return width and height of a cell that holds any number with the fewest decimals."""
    size, decimals = sizes_of(style).tick, min(SUM_DECIMALS, style.decimals)
    texts = [text for each in matrices for line in texts_of(each, decimals) for text in line]
    widest = max(text_width(text, 1.0) for text in texts)
    return max(2.0, widest + 0.4) * size + 6.5, max(1.5, 1 / _FONT_SHARE) * size


def fitting_decimals(matrices: Sequence[Matrix], grid: Grid, style: Style) -> int | None:
    """Return with how many decimals the cells hold their numbers; None where they hold none."""
    size = sizes_of(style).tick
    if not holds_numbers(grid.across, grid.down, size):
        return None
    for decimals in range(style.decimals, min(SUM_DECIMALS, style.decimals) - 1, -1):
        fonts = [
            font_of(texts_of(each, decimals), grid.across, grid.down, size, _FONT_SHARE)
            for each in matrices
        ]
        if min(fonts) >= size:
            return decimals
    return None

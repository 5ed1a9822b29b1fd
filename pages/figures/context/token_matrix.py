"""Draws the weights of tokens on tokens as colours, one row of them in a frame."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pages.figures.board import hatching
from pages.figures.canvas import FRAME, HATCH, Canvas
from pages.figures.context.token_grid import Side, Sides, TokenGrid
from pages.figures.figure import Style
from pages.figures.levels import LAST, Flags, Values, colours_of, levels_of
from pages.figures.matrix import Grid, Matrix
from pages.figures.matrix_cells import (
    LEAST_HATCHED,
    MOST_TIPS,
    MOST_VECTOR_SIDE,
    MatrixCells,
    block_of,
    font_of,
    holds_numbers,
    number_texts,
)
from pages.figures.palette import readable_on
from pages.figures.panel import sizes_of
from pages.figures.scale_bar import ScaleBar
from pages.figures.ticks import rounded_up
from pages.text import translator

_FRAMED = 7.0  # pixels: the least height of a row that has a frame; others have a mark beside them
_FAR = 0.6  # of the largest weight: a limit that is worth its sentence
_FEW = 6  # columns: of so few tokens every weight has a colour of its own

Position = tuple[int, int]


@dataclass(frozen=True)
class TokenMatrix:
    """What is drawn.

    Parameters
    ----------
    values : np.ndarray, (rows, columns)
    hidden : np.ndarray of bool
        What a query cannot see.
    rows, columns : Side
        The chosen row has a frame.
    limit : float
        The weight with the strongest colour.
    tip : callable
        Returns what the pointer says over a cell, from its row and column.
    position : callable
        Returns what a click on a cell gives; None where it gives nothing.
    """

    values: Values
    hidden: Flags
    rows: Side
    columns: Side
    limit: float
    tip: Callable[[int, int], str]
    position: Callable[[int, int], Position | None]


def limit_of(values: Values, hidden: Flags, strongest: float) -> float:
    """Return the largest weight, or a round number far below it that few weights pass.

    Parameters
    ----------
    values : np.ndarray, (..., rows, columns)
    hidden : np.ndarray of bool, (rows, columns)
    strongest : float
        The share of the weights that may take the strongest colour all alike.
    """
    seen = values[..., ~hidden]
    common, largest = float(np.quantile(seen, 1 - strongest)), float(seen.max())
    if values.shape[-1] <= _FEW or common <= 0:
        return largest
    limit = rounded_up(common)
    return limit if limit <= largest * _FAR else largest


def weight_bar(limit: float, style: Style) -> ScaleBar:
    """Return the scale of colours of weights."""
    title = translator(style.language)("weight")
    return ScaleBar("weights", limit, colours_of("weights", style), LAST, title)


def bar_room(limit: float, style: Style) -> float:
    """Return what the scale takes, with the gap before it."""
    return weight_bar(limit, style).width(style) + sizes_of(style).gap * 2


def draw_token_matrix(canvas: Canvas, style: Style, shown: TokenMatrix, grid: TokenGrid) -> None:
    """Draw cells, sides, the frame of the chosen row, and the scale."""
    drawing = _Drawing(canvas, style, shown, grid)
    drawing.cells()
    drawing.frame()
    sides = Sides(canvas, style, grid)
    sides.columns(shown.columns)
    sides.rows(shown.rows)
    drawing.bar()


class _Drawing:
    def __init__(self, canvas: Canvas, style: Style, shown: TokenMatrix, grid: TokenGrid) -> None:
        self.canvas, self.style, self.shown, self.plan = canvas, style, shown, grid
        self.sizes, self.colours = sizes_of(style), colours_of("weights", style)
        levels = levels_of(shown.values, shown.hidden, "weights", shown.limit)
        self.matrix = Matrix(shown.values, shown.hidden, levels, shown.limit, "weights", (), ())

    def cells(self) -> None:
        """Draw the cells: each with what the pointer says, or many as fast as can be."""
        count = self.matrix.shape[0]
        if self.shown.values.size <= MOST_TIPS or self.plan.split < count:
            self._one_by_one()
            parts = [(0, self.plan.split), (self.plan.split, count)]
        else:
            self._many()
            parts = []
        for first, last in parts:
            if first < last:
                self._outline(self.plan.part(first, last))

    def _one_by_one(self) -> None:
        texts, font = self._numbers()
        for row, column in np.ndindex(self.matrix.shape):
            place = self._place(row, column)
            fill = self.colours[self.matrix.levels[row, column]]
            self.canvas.cell(place, fill, self.shown.tip(row, column),
                             self.shown.position(row, column))  # fmt: skip
            if self.shown.hidden[row, column]:
                if min(place[2:]) >= LEAST_HATCHED:
                    self.canvas.path(hatching(place), stroke=self.style.colours.hatch,
                                     stroke_width=1, level=HATCH)  # fmt: skip
            elif texts:
                ink = readable_on(fill, self.style.theme)
                middle = (place[0] + place[2] / 2, place[1] + place[3] / 2)
                self.canvas.text(*middle, texts[row][column], font, ink)

    def _place(self, row: int, column: int) -> tuple[float, float, float, float]:
        grid = self.plan.grid
        gap = grid.gap
        x, y = grid.left + column * grid.across + gap, self.plan.top(row) + gap
        return x, y, grid.across - 2 * gap, grid.down - 2 * gap

    def _numbers(self) -> tuple[list[list[str]], int]:
        """Return the numbers in the cells and their font; none where they do not fit."""
        size, grid = self.sizes.tick, self.plan.grid
        if not holds_numbers(grid.across, grid.down, size):
            return [], 0
        for decimals in range(self.style.decimals, min(2, self.style.decimals) - 1, -1):
            texts = number_texts(self.matrix, decimals)
            font = font_of(texts, grid.across, grid.down, size, 0.5)
            if font >= size:
                return texts, math.floor(min(font, size * 1.3))
        return [], 0

    def _many(self) -> None:
        """Draw the cells without a tip each; rows that can be pointed at say what they hold."""
        grid = self.plan.grid
        MatrixCells(self.canvas, self.style, self.matrix, grid, self.shown.tip).draw(
            block_of(self.matrix.shape, grid.width, grid.height), None
        )
        if max(self.matrix.shape) > MOST_VECTOR_SIDE and self.style.size != "screen":
            return  # nobody points at a sheet, and a file of one picture stays small
        best = np.where(self.shown.hidden, -1.0, self.shown.values).argmax(axis=1).tolist()
        for row, column in enumerate(best):
            place = (grid.left, self.plan.top(row), grid.width, grid.down)
            tip = self.shown.tip(row, column)
            self.canvas.cell(place, "transparent", tip, self.shown.position(row, column))

    def _outline(self, grid: Grid) -> None:
        self.canvas.rect(
            grid.left - 0.5, grid.top - 0.5, grid.width + 1, grid.height + 1,
            stroke=self.style.colours.line, stroke_width=1, level=FRAME,
        )  # fmt: skip

    def frame(self) -> None:
        """Draw a frame around the chosen row, or a mark beside it where it is too thin."""
        row, grid, colours = self.shown.rows.chosen, self.plan.grid, self.style.colours
        if row is None:
            return
        y, width = self.plan.top(row), 2.0 if self.style.size == "screen" else 3.0
        if grid.down < _FRAMED:
            side, middle = self.sizes.tick * 0.4, y + grid.down / 2
            x = grid.left + grid.width + side * 1.4
            path = f"M{x:.2f},{middle - side:.2f}L{x - side * 1.4:.2f},{middle:.2f}"
            path += f"L{x:.2f},{middle + side:.2f}Z"
            self.canvas.path(path, fill=colours.text, stroke_width=0)
            return
        out = width / 2
        self.canvas.rect(
            grid.left - out, y - out, grid.width + width, grid.down + width, stroke=colours.text,
            stroke_width=width, radius=2, level=FRAME,
        )  # fmt: skip

    def bar(self) -> None:
        """Draw the scale beside the cells."""
        grid, count = self.plan.grid, self.matrix.shape[0]
        bottom = self.plan.top(count - 1) + grid.down
        bottom = min(bottom, grid.top + self.sizes.tick * 14)
        bottom = max(bottom, grid.top + self.sizes.tick * 4)
        x = grid.left + grid.width + self.sizes.gap * 2
        weight_bar(self.shown.limit, self.style).draw(self.canvas, self.style, x, grid.top, bottom)

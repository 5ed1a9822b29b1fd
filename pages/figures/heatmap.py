"""A matrix of any size as colours, with its positions along two sides and its scale beside it.

Up to 128 cells a side are drawn as vectors. A larger matrix is one picture whose pixels are its
cells, enlarged by whole steps where it is small, so that no program that opens the file can blur
it. On a sheet at 300 pixels per inch a cell needs one pixel: where a matrix has more cells than
that, a pixel shows the one of a block of neighbours that lies furthest from zero, and the note
says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from pages.figures.annotate import words_width
from pages.figures.board import named
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.levels import colours_of, levels_of
from pages.figures.matrix import Grid, Matrix, grid_of
from pages.figures.matrix_axes import (
    LONGEST_LABEL,
    MatrixAxes,
    column_ticks,
    positions,
    row_ticks,
)
from pages.figures.matrix_cells import (
    MOST_TIPS,
    MOST_VECTOR_SIDE,
    Block,
    MatrixCells,
    Numbers,
    block_of,
    font_of,
    holds_numbers,
    number_texts,
)
from pages.figures.matrix_checks import (
    as_flags,
    as_matrix,
    require_labels,
    require_limit,
    require_values,
)
from pages.figures.matrix_words import beyond_limit, shared_pixels
from pages.figures.measure import text_width
from pages.figures.numerals import number_in_full
from pages.figures.panel import Screen, Words, open_plot, sizes_of
from pages.figures.panel_marks import sample_masked
from pages.figures.scale_bar import ScaleBar, thickness
from pages.figures.slide import Room
from pages.text import Translator, translator

__all__ = ["Role", "heatmap", "positions"]

Role = Literal["weights", "scores"]
SCREEN = Screen(640.0, 420.0)


def heatmap(
    values: npt.ArrayLike,
    style: Style,
    *,
    name: str,
    title: str,
    note: str,
    role: Role = "weights",
    row_title: str,
    column_title: str,
    masked: npt.ArrayLike | None = None,
    row_labels: tuple[str, ...] = (),
    column_labels: tuple[str, ...] = (),
    limit: float | None = None,
    alt: str = "",
    screen: Screen = SCREEN,
) -> Figure:
    """Draw a matrix as colours.

    Parameters
    ----------
    values : array-like, (rows, columns)
        Finite; minus infinity is a masked cell.
    style : Style
        Theme, language, size, decimals.
    name, title, note, alt : str
        As in `Figure`.
    role : {"weights", "scores"}
        Weights, none negative, take one hue from 0 up; scores take two on both sides of 0.
    row_title, column_title : str
        What the rows and the columns are.
    masked : array-like of bool, (rows, columns), optional
        True where a cell is hidden.
    row_labels, column_labels : tuple of str
        Names, drawn where cells are large enough; positions from 1 stand there otherwise.
    limit : float, optional
        The value with the strongest colour; None is the largest of the matrix.
    screen : Screen
        Width and height at screen size.

    Returns
    -------
    Figure
        Its table has one row a cell, above 128 x 128 cells one row a row of the matrix.

    Raises
    ------
    FigureError
        When the matrix is empty, not two-dimensional, or holds what no colour can show; when the
        mask or the labels have another size.
    """
    matrix = _checked(values, role, masked, row_labels, column_labels, limit)
    t = translator(style.language)
    words = Words(name, title, _with_limit(matrix, note, t), alt or title, role)
    words, block = _fitted(words, matrix, style, screen, row_title)
    canvas, room = open_plot(style, words, screen)
    grid = grid_of(matrix, _place(room, matrix, style, row_title))
    drawing = _Drawing(canvas, style, matrix, grid, t)
    drawing.cells(block)
    drawing.axes(row_title, column_title)
    drawing.bar()
    table = _table(matrix)
    return Figure(name, title, canvas.spec(words.alt), table, words.note, words.alt)


def _with_limit(matrix: Matrix, note: str, t: Translator) -> str:
    """Add to the note that some cells lie beyond the scale, where any do."""
    visible = np.abs(matrix.values[~matrix.masked])
    if not (visible > matrix.limit).any():
        return note
    return t.sentences(note, beyond_limit(matrix.limit, t))


def _fitted(
    words: Words, matrix: Matrix, style: Style, screen: Screen, row_title: str
) -> tuple[Words, Block]:
    """Return the words and how many cells share a pixel; the note says so where any do.

    A longer note leaves less room for the cells, so the longest one is tried too.
    """
    t, block, said = translator(style.language), (1, 1), words
    for _ in range(3):
        room = open_plot(style, said, screen)[1]
        box = _place(room, matrix, style, row_title)
        needed = block_of(matrix.shape, box[2], box[3])
        if needed == block:
            break
        block = needed
        said = replace(words, note=t.sentences(words.note, shared_pixels(block, t)))
    return said, block


def _checked(
    values: npt.ArrayLike,
    role: Role,
    masked: npt.ArrayLike | None,
    row_labels: tuple[str, ...],
    column_labels: tuple[str, ...],
    limit: float | None,
) -> Matrix:
    array = as_matrix(values)
    hidden = np.isneginf(array)
    if masked is not None:
        hidden = hidden | as_flags(masked, array.shape)
    require_labels(row_labels, array.shape[0])
    require_labels(column_labels, array.shape[1])
    require_values(array, hidden, role)
    largest = float(np.abs(array[~hidden]).max(initial=0.0)) if limit is None else limit
    require_limit(largest)
    levels = levels_of(array, hidden, role, largest)
    return Matrix(array, hidden, levels, largest, role, row_labels, column_labels)


def _gutter(matrix: Matrix, style: Style, row_title: str) -> float:
    sizes = sizes_of(style)
    names = matrix.row_labels or (str(matrix.shape[0]),)
    widest = max(text_width(name, sizes.tick) for name in names)
    title = words_width(row_title + " ↓", sizes.title)
    return max(min(widest, sizes.tick * LONGEST_LABEL), title) + sizes.tick * 0.6


def _bar_room(matrix: Matrix, style: Style) -> float:
    sizes = sizes_of(style)
    return sizes.tick * (7.5 if matrix.masked.any() else 6.0) + sizes.gap * 2


def _place(room: Room, matrix: Matrix, style: Style, row_title: str) -> Room:
    """Return left, top, width and height of the cells: square ones unless that leaves a sliver."""
    sizes, (rows, columns) = sizes_of(style), matrix.shape
    left, above = _gutter(matrix, style, row_title), sizes.title * 1.5 + sizes.tick * 1.6
    width = room[2] - left - _bar_room(matrix, style)
    height = room[3] - above - sizes.tick * 0.5
    side = min(width / columns, height / rows)
    across = max(side * columns, min(width, height / 4))
    down = max(side * rows, min(height, width / 4))
    used = left + across + _bar_room(matrix, style)
    # Spare height goes below rather than above: the title and its picture belong together.
    spare = (height - down) * 0.4
    return room[0] + (room[2] - used) / 2 + left, room[1] + above + spare, across, down


@dataclass(frozen=True)
class _Drawing:
    """Draws one heatmap."""

    canvas: Canvas
    style: Style
    matrix: Matrix
    grid: Grid
    t: Translator

    def cells(self, block: Block) -> None:
        """Draw the cells with the numbers that fit."""
        cells = MatrixCells(self.canvas, self.style, self.matrix, self.grid, self._tip)
        cells.draw(block, self._numbers())

    def _numbers(self) -> Numbers | None:
        """Return the numbers in the cells; None where they do not fit at the smallest font."""
        size, grid = sizes_of(self.style).tick, self.grid
        many = self.matrix.values.size > MOST_TIPS
        if many or not holds_numbers(grid.across, grid.down, size):
            return None
        texts = number_texts(self.matrix, self.style.decimals)
        font = font_of(texts, grid.across, grid.down, size)
        return Numbers(texts, math.floor(font)) if font >= size else None

    def _tip(self, row: int, column: int) -> str:
        matrix = self.matrix
        value = number_in_full(float(matrix.values[row, column]))
        return self.t(
            "row {row}, column {column}: {value}",
            row=named(row, matrix.row_labels, self.t),
            column=named(column, matrix.column_labels, self.t),
            value=self.t("hidden by the mask") if matrix.masked[row, column] else value,
        )

    def axes(self, row_title: str, column_title: str) -> None:
        """Write titles with the directions they go in, and labels or positions along both sides."""
        axes, size = MatrixAxes(self.canvas, self.style, self.grid), sizes_of(self.style).tick
        axes.column_title(column_title)
        axes.row_title(row_title)
        ticks = row_ticks(self.matrix, self.grid, size)
        axes.row_marks(ticks)
        axes.row_labels(ticks)
        axes.columns(column_ticks(self.matrix, self.grid, size))

    def bar(self) -> None:
        """Draw the colour scale with its numbers, and what a masked cell looks like."""
        sizes, matrix, grid = sizes_of(self.style), self.matrix, self.grid
        x = grid.left + grid.width + sizes.gap * 2
        foot = sizes.tick * 2.4 if matrix.masked.any() else 0.0
        bottom = grid.top + max(grid.height - foot, sizes.tick * 5)
        title = self.t("weight") if matrix.role == "weights" else self.t("score")
        colours = colours_of(matrix.role, self.style)
        bar = ScaleBar(matrix.role, matrix.limit, colours, matrix.last, title)
        bar.draw(self.canvas, self.style, x, grid.top, bottom)
        if foot:
            thick = thickness(self.style)
            self._swatch(x, bottom + foot - thick / 2, thick)

    def _swatch(self, x: float, y: float, side: float) -> None:
        sample_masked(self.style, self.canvas, (x, y - side / 2, side, side))
        colours = self.style.colours
        size = sizes_of(self.style).tick
        self.canvas.text(x + side * 1.4, y, self.t("masked"), size, colours.muted, align="left")


def _table(matrix: Matrix) -> Table:
    """Return one row a cell; of a large matrix one row a row of it, which stays fast."""
    rows, columns = matrix.shape
    if max(rows, columns) > MOST_VECTOR_SIDE:
        names = matrix.column_labels or tuple(str(column + 1) for column in range(columns))
        firsts = matrix.row_labels or tuple(str(row + 1) for row in range(rows))
        lines = matrix.values.tolist()
        return Table(
            ("row", *names),
            tuple((first, *line) for first, line in zip(firsts, lines, strict=True)),
        )
    labels = bool(matrix.row_labels or matrix.column_labels)
    row_names = matrix.row_labels or ("",) * rows
    column_names = matrix.column_labels or ("",) * columns
    cells = tuple(
        (row + 1, row_names[row], column + 1, column_names[column], value)
        if labels
        else (row + 1, column + 1, value)
        for row, line in enumerate(matrix.values.tolist())
        for column, value in enumerate(line)
    )
    if labels:
        return Table(("row", "row label", "column", "column label", "value"), cells)
    return Table(("row", "column", "value"), cells)

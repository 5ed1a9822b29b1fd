"""The cells of a matrix: single ones with numbers, many as paths, more as one picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pages.figures.board import hatching
from pages.figures.canvas import CELLS, FRAME, HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.levels import MASKED, Values, colours_of, picture, reduced
from pages.figures.matrix import Grid, Matrix
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.palette import readable_on

MOST_VECTOR_SIDE = 128
MOST_TIPS = 1024  # cells; more of them would make the page slow for words that nobody seeks
_SHARPEST = 300 / 96  # pixels of a saved picture to one of the sheet
LEAST_HATCHED = 12.0  # pixels: the lines of a smaller cell would be a grey of their own

Block = tuple[int, int]
Texts = list[list[str]]


@dataclass(frozen=True)
class Numbers:
    """What is written in the cells, and in which font."""

    texts: Texts
    font: int


def number_texts(matrix: Matrix, decimals: int) -> Texts:
    """Return the number of each cell; a masked 0 is exact, which is not a small weight."""
    texts = [[number(value, decimals) for value in row] for row in matrix.values.tolist()]
    for row, column in np.argwhere(matrix.masked & (matrix.values == 0)).tolist():
        texts[row][column] = "0"
    return texts


def font_of(texts: Texts, across: float, down: float, size: float, share: float = 0.3) -> float:
    """Return the font in which the widest number fits into its cell.

    Parameters
    ----------
    texts : list of list of str
    across, down : float
        The cell, in pixels.
    size : float
        The font of ticks; numbers grow to 1.6 times of it.
    share : float
        The most that a font may take of the height of a cell.
    """
    widest = max(text_width(text, 1.0) for row in texts for text in row)
    return min((across - 6) / (widest + 0.4), down * share, size * 1.6)


def holds_numbers(across: float, down: float, size: float) -> bool:
    """Return whether a cell can hold any number at this font."""
    return down >= size * 1.5 and across >= size * 2


def block_of(shape: tuple[int, int], width: float, height: float) -> Block:
    """Return how many rows and columns share one pixel of a saved picture."""
    rows, columns = (
        math.ceil(count / (side * _SHARPEST))
        for count, side in zip(shape, (height, width), strict=True)
    )
    return rows, columns


class MatrixCells:
    """Draws the cells of one matrix.

    Parameters
    ----------
    canvas, style
    matrix : Matrix
    grid : Grid
        Where its cells stand.
    tip : callable
        Returns what the pointer says over the cell at a row and a column, from 0.
    clicked : bool
        Whether a click on a cell gives its row and its column.
    """

    def __init__(
        self, canvas: Canvas, style: Style, matrix: Matrix, grid: Grid,
        tip: Callable[[int, int], str], *, clicked: bool = False,
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.matrix, self.grid, self.tip = (
            canvas, style, matrix, grid, tip,
        )  # fmt: skip
        self.clicked = clicked
        self.colours = colours_of(matrix.role, style, matrix.last)

    def draw(self, block: Block, numbers: Numbers | None) -> None:
        """Draw the cells in the way that their number asks for, and a frame around them."""
        rows, columns = self.matrix.shape
        if max(rows, columns) > MOST_VECTOR_SIDE:
            self._as_picture(block)
        elif rows * columns <= MOST_TIPS:
            self._one_by_one(numbers)
        else:
            self._by_colour()
        # Outside of the cells: a row of a large matrix is thinner than this line.
        grid = self.grid
        self.canvas.rect(
            grid.left - 0.5, grid.top - 0.5, grid.width + 1, grid.height + 1,
            stroke=self.style.colours.line, stroke_width=1, level=FRAME,
        )  # fmt: skip

    def _as_picture(self, block: Block) -> None:
        matrix, grid = self.matrix, self.grid
        levels = reduced(matrix.levels, strength_of(matrix), block)
        url = picture(levels, self.colours, enlarge=block == (1, 1), clear=matrix.clear)
        self.canvas.image((grid.left, grid.top, grid.width, grid.height), url)

    def _one_by_one(self, numbers: Numbers | None) -> None:
        for row, column in np.ndindex(self.matrix.shape):
            level = self.matrix.levels[row, column]
            if level == self.matrix.clear:
                continue
            place, fill = self.grid.cell(row, column), self.colours[level]
            position = (row, column) if self.clicked else None
            self.canvas.cell(place, fill, self.tip(row, column), position)
            if self.matrix.masked[row, column] and min(place[2:]) >= LEAST_HATCHED:
                hatch = hatching(place)
                self.canvas.path(
                    hatch, stroke=self.style.colours.hatch, stroke_width=1, level=HATCH
                )
            if numbers is not None and numbers.texts[row][column]:
                middle = (place[0] + place[2] / 2, place[1] + place[3] / 2)
                ink = readable_on(fill, self.style.theme)
                self.canvas.text(*middle, numbers.texts[row][column], numbers.font, ink)

    def _by_colour(self) -> None:
        """Draw all cells of one colour as one path: a few hundred marks instead of thousands."""
        grid, (rows, columns) = self.grid, self.matrix.shape
        first = [grid.cell(0, column) for column in range(columns)]
        starts = [f"M{place[0]:.2f}," for place in first]
        width, height = first[0][2:]
        tail = f"h{width:.2f}v{height:.2f}h{-width:.2f}Z"
        tails = [f"{grid.cell(row, 0)[1]:.2f}{tail}" for row in range(rows)]
        for level, cells in _cells_by_level(self.matrix):
            path = "".join([starts[cell % columns] + tails[cell // columns] for cell in cells])
            self.canvas.path(path, fill=self.colours[level], stroke_width=0, level=CELLS)


def _cells_by_level(matrix: Matrix) -> Iterator[tuple[int, list[int]]]:
    """Yield each level with its cells, counted row by row; those that are not there have none."""
    flat = matrix.levels.ravel()
    order = np.argsort(flat, kind="stable")
    found, starts = np.unique(flat[order], return_index=True)
    for level, cells in zip(found.tolist(), np.split(order, starts[1:]), strict=True):
        if level != matrix.clear:
            yield level, cells.tolist()


def strength_of(matrix: Matrix) -> Values:
    """Return what each cell counts where several share a pixel: one that is no number most."""
    strength = np.where(matrix.levels == MASKED, -1.0, np.abs(matrix.values))
    if matrix.clear is not None:
        strength = np.where(np.isnan(strength), np.inf, strength)
        strength = np.where(matrix.levels == matrix.clear, -2.0, strength)
    return np.asarray(strength)

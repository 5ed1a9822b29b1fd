"""The two sides of a matrix: their titles, and the names or positions of rows and columns."""

from __future__ import annotations

from collections.abc import Sequence

from pages.figures.canvas import FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.matrix import Grid, Matrix
from pages.figures.measure import fit_text, text_width
from pages.figures.panel import sizes_of
from pages.figures.ticks import linear_ticks

_TICK = 3.0  # pixels
LONGEST_LABEL = 7.0  # of its font: what a row's name may take

# A row or column from 0, which may lie between two, and what is written there.
Ticks = Sequence[tuple[float, str]]


class MatrixAxes:
    """Draws the sides of one matrix."""

    def __init__(self, canvas: Canvas, style: Style, grid: Grid) -> None:
        self.canvas, self.style, self.grid = canvas, style, grid
        self.sizes = sizes_of(style)

    def column_title(self, title: str) -> None:
        """Write what the columns are, with the direction they go in."""
        sizes, grid = self.sizes, self.grid
        y = grid.top - sizes.tick * 1.6 - sizes.title * 0.6
        colour = self.style.colours.muted
        self.canvas.text(grid.left, y, f"{title} →", sizes.title, colour, align="left")

    def row_title(self, title: str) -> None:
        """Write what the rows are, with the direction they go in."""
        sizes, grid = self.sizes, self.grid
        x, y = grid.left - sizes.tick * 0.6, grid.top - sizes.tick * 0.9
        colour = self.style.colours.muted
        self.canvas.text(x, y, f"{title} ↓", sizes.title, colour, align="right")

    def row_marks(self, ticks: Ticks) -> None:
        """Mark the places of rows."""
        grid = self.grid
        for row, _ in ticks:
            middle = grid.top + (row + 0.5) * grid.down
            draw_tick(self.canvas, self.style, grid.left - _TICK, middle, across=True)

    def row_labels(self, ticks: Ticks, inset: float = 0.0) -> None:
        """Write names or positions of rows, ``inset`` pixels further from the cells."""
        sizes, grid = self.sizes, self.grid
        x = grid.left - sizes.tick * 0.6 - inset
        for row, label in ticks:
            middle = grid.top + (row + 0.5) * grid.down
            middle = min(max(middle, grid.top + sizes.tick * 0.4), grid.top + grid.height)
            colour = self.style.colours.muted
            self.canvas.text(x, middle, label, sizes.tick, colour, align="right")

    def columns(self, ticks: Ticks, *, beyond: bool = False) -> None:
        """Write names or positions of columns; the last may reach ``beyond`` the matrix."""
        sizes, grid = self.sizes, self.grid
        for column, label in ticks:
            middle = grid.left + (column + 0.5) * grid.across
            draw_tick(self.canvas, self.style, middle, grid.top - _TICK, across=False)
            half = text_width(label, sizes.tick) / 2
            last = grid.left + grid.width - (0.0 if beyond else half)
            middle = max(min(middle, last), grid.left + half * 0.8)
            colour = self.style.colours.muted
            self.canvas.text(middle, grid.top - sizes.tick * 0.8, label, sizes.tick, colour)


def draw_tick(canvas: Canvas, style: Style, x: float, y: float, *, across: bool) -> None:
    """Mark a place: a label near an edge stands beside its place, not on it."""
    line = f"M{x:.2f},{y:.2f}" + (f"h{_TICK}" if across else f"v{_TICK}")
    canvas.path(line, stroke=style.colours.muted, stroke_width=1, level=FRAME)


def names_rows(down: float, size: float) -> bool:
    """Return whether rows of this height can have names in this font."""
    return down >= size * 1.1


def row_ticks(matrix: Matrix, grid: Grid, size: float) -> Ticks:
    """Return (index from 0, name) of every row, or positions where names do not fit."""
    labels = matrix.row_labels
    if labels and names_rows(grid.down, size):
        room = size * LONGEST_LABEL
        return [(row, fit_text(label, size, room)) for row, label in enumerate(labels)]
    return positions(matrix.shape[0], grid.height, size * 1.6)


def column_ticks(matrix: Matrix, grid: Grid, size: float, fewest: int = 2) -> Ticks:
    """Return (index from 0, name) of every column, or positions where names do not fit.

    A name may be cut short, but not below ``fewest`` characters.
    """
    labels = matrix.column_labels
    shown = [fit_text(label, size, grid.across - size * 0.3) for label in labels]
    if labels and all(
        text == label or len(text) > fewest for text, label in zip(shown, labels, strict=True)
    ):
        return list(enumerate(shown))
    widest = text_width(str(matrix.shape[1]), size)
    return positions(matrix.shape[1], grid.width, widest + size * 0.8)


def positions(count: int, length: float, room: float) -> list[tuple[int, str]]:
    """Return (index from 0, position from 1) of labels that stand ``room`` pixels apart."""
    fitting = max(2, int(length / room))
    if count <= fitting:
        return [(index, str(index + 1)) for index in range(count)]
    values = [int(value) for value in linear_ticks(1, count, max(3, fitting)).values]
    if len(values) > 1 and values[1] - values[0] == 2:
        values = list(range(1, count + 1, 2))
    kept: list[int] = []
    for value in dict.fromkeys([1, *values]):
        if not kept or (value - kept[-1]) * length / count >= room:
            kept.append(value)
    return [(value - 1, str(value)) for value in kept]

"""How far each head's row moves between two texts: layers in rows, heads in columns."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.experiments.context.endings import EndingsResult
from pages.figures.canvas import FRAME, FRONT, Canvas
from pages.figures.context.bar_table import ROUNDING
from pages.figures.context.ending_parts import endings_stem, origin_words
from pages.figures.context.endings_view import EndingsView
from pages.figures.figure import Figure, Style, Table
from pages.figures.legend import Entry, Legend, place_names
from pages.figures.levels import levels_of
from pages.figures.matrix import Grid, Matrix
from pages.figures.matrix_axes import MatrixAxes, positions
from pages.figures.matrix_cells import MatrixCells, Numbers, block_of
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.palette import readable_on
from pages.figures.panel import SCREEN_PADDING, Screen, open_plot, sizes_of
from pages.figures.properties.common import words_of
from pages.figures.slide import Room
from pages.text import Translator, translator
from pages.text.context_endings import (
    head_moves_words,
    measure_words,
    moved_words,
    name_of,
    turns_words,
)

HALF = Screen(424.0, 400.0)
_TALLEST, _WIDEST = 46.0, 92.0  # pixels of a cell on screen, and on a sheet
_TALL = 1.35  # of its width: the height of a cell
# Of the side of a cell, and in pixels at the least: the mark of a head that turns.
_CORNER, _LEAST_CORNER = 0.34, 5.0


def movement_figure(result: EndingsResult, view: EndingsView, style: Style) -> Figure:
    """Draw one cell a head, with the percent of the weight that move; 424 pixels wide on screen.

    A click on a cell gives its layer and its head, from 0.
    """
    t, chosen = translator(style.language), view.at(result)
    title = t("How far each head moves between both endings")
    note = t.sentences(measure_words(result, t), moved_words(result, t), turns_words(result, t),
                       origin_words(result, t))  # fmt: skip
    words = words_of(endings_stem("movement", result, view), title, note, "weights", t, "")
    drawing = _Drawing(result, chosen, style, t)
    screen = replace(HALF, height=math.ceil(drawing.height(HALF) + 2 * SCREEN_PADDING - ROUNDING))
    canvas, room = open_plot(style, words, screen)
    drawing.draw(canvas, room)
    return Figure(words.name, title, canvas.spec(words.alt), _table(result), note, words.alt)


class _Drawing:
    """Draws the cells with their sides, their marks and the legend."""

    def __init__(
        self, result: EndingsResult, chosen: tuple[int, int], style: Style, t: Translator
    ) -> None:
        self.result, self.chosen, self.style, self.t = result, chosen, style, t
        self.sizes = sizes_of(style)
        self.shape: tuple[int, int] = (result.first.layers, result.first.heads)
        self.limit = float(result.movement.max()) or 1.0

    def _side(self, width: float, height: float) -> tuple[float, float]:
        """Return width and height of a cell in a room for all of them."""
        rows, columns = self.shape
        most = _TALLEST if self.style.size == "screen" else _WIDEST
        across = width / columns
        return across, min(height / rows, most, max(across * _TALL, self.sizes.tick * 1.9))

    def height(self, screen: Screen) -> float:
        """Return what everything takes on screen."""
        above, left = self._above, self._left
        legend = self._legend_height(screen.inside)
        room = screen.height - 2 * SCREEN_PADDING - above - legend
        return above + self._side(screen.inside - left, room)[1] * self.shape[0] + legend

    @property
    def _above(self) -> float:
        return self.sizes.title * 1.5 + self.sizes.tick * 1.6

    @property
    def _left(self) -> float:
        title = text_width(self.t("layer") + " ↓", self.sizes.title)
        return max(title, text_width(str(self.shape[0]), self.sizes.tick)) + self.sizes.tick * 0.6

    def _entries(self) -> tuple[Entry, ...]:
        one, other = (
            name_of(self.result, at, self.t) for at in (self.result.one, self.result.other)
        )
        turns = self.t("turns between {one} and {other}", one=one, other=other)
        looked = self.t("head looked at")
        return (
            Entry(turns, "", "bar", 0, self._sample_turn),
            Entry(looked, "", "bar", 0, self._sample_frame),
        )

    def _legend_height(self, width: float) -> float:
        names = [entry.name for entry in self._entries()]
        return place_names(names, self.style, width)[2] + self.sizes.tick * 0.6

    def draw(self, canvas: Canvas, room: Room) -> None:
        """Draw everything into a room."""
        self.canvas = canvas
        left, top, width, height = room
        legend = self._legend_height(width)
        rows, columns = self.shape
        free = height - self._above - legend
        across, down = self._side(width - self._left, free)
        begin = top + max(0.0, free - down * rows) * 0.3 + self._above
        self.grid = Grid(left + self._left, begin, across * columns, down * rows, across, down)
        self._cells()
        self._sides()
        self._marks()
        foot = begin + down * rows + self.sizes.tick * 0.6
        Legend(canvas, self.style, self._entries(), left, foot, width).draw()

    def _cells(self) -> None:
        values = np.asarray(self.result.movement, dtype=np.float64)
        masked = np.zeros(values.shape, dtype=np.bool_)
        levels = levels_of(values, masked, "weights", self.limit)
        matrix = Matrix(values, masked, levels, self.limit, "weights", (), ())
        cells = MatrixCells(self.canvas, self.style, matrix, self.grid, self._tip, clicked=True)
        self.colours = [[cells.colours[level] for level in row] for row in levels.tolist()]
        cells.draw(block_of(matrix.shape, self.grid.width, self.grid.height), self._numbers())

    def _numbers(self) -> Numbers | None:
        """Return whole percents where they fit."""
        texts = [[number(100 * value, 0) for value in row] for row in self.result.movement.tolist()]
        widest = max(text_width(text, 1.0) for row in texts for text in row)
        size = self.sizes.tick
        font = min((self.grid.across - 6) / widest, self.grid.down * 0.55, size * 1.4)
        return Numbers(texts, math.floor(font)) if font >= size else None

    def _tip(self, row: int, column: int) -> str:
        return head_moves_words(self.result, row, column, self.t)

    def _sides(self) -> None:
        axes, size, (rows, columns) = (
            MatrixAxes(self.canvas, self.style, self.grid),
            self.sizes.tick,
            self.shape,
        )
        axes.column_title(self.t("head"))
        axes.row_title(self.t("layer"))
        axes.row_labels(positions(rows, self.grid.height, size * 1.3))
        axes.columns(
            positions(columns, self.grid.width, text_width(str(columns), size) + size * 0.5)
        )

    def _marks(self) -> None:
        """Mark heads that turn by a corner, and frame the head that is looked at."""
        for row, column in np.argwhere(self.result.turned).tolist():
            ink = readable_on(self.colours[row][column], self.style.theme)
            self._corner(self.canvas, self.grid.cell(row, column), ink)
        self._frame(self.canvas, self.grid.cell(*self.chosen))

    def _corner(self, canvas: Canvas, place: Room, ink: str) -> None:
        """Fill the upper right corner of a cell."""
        x, y, width, height = place
        side = max(min(width, height) * _CORNER, min(_LEAST_CORNER, width, height))
        path = f"M{x + width - side:.2f},{y:.2f}h{side:.2f}v{side:.2f}Z"
        canvas.path(path, fill=ink, stroke_width=0, level=FRAME)

    def _frame(self, canvas: Canvas, place: Room) -> None:
        x, y, width, height = place
        thick = 2.25 if self.style.size == "screen" else 3.5
        canvas.rect(x - 1, y - 1, width + 2, height + 2, stroke=self.style.colours.text,
                    stroke_width=thick, radius=2, level=FRONT)  # fmt: skip

    def _sample_turn(self, canvas: Canvas, place: Room) -> None:
        colours = self.style.colours
        canvas.rect(*place, stroke=colours.line, stroke_width=1, level=FRAME)
        x, y, width, height = place
        side = height * 0.7
        path = f"M{x + width - side:.2f},{y:.2f}h{side:.2f}v{side:.2f}Z"
        canvas.path(path, fill=colours.text, stroke_width=0, level=FRAME)

    def _sample_frame(self, canvas: Canvas, place: Room) -> None:
        x, y, width, height = place
        self._frame(canvas, (x + 2, y + 2, width - 4, height - 4))


def _table(result: EndingsResult) -> Table:
    layers, heads = result.movement.shape
    rows = tuple(
        (layer + 1, head + 1, float(result.movement[layer, head]), bool(result.turned[layer, head]))
        for layer in range(layers)
        for head in range(heads)
    )
    return Table(("layer", "head", "movement", "turns"), rows)

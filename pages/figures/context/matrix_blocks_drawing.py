"""Draws small matrices with named rows and columns."""

from __future__ import annotations

import math

import numpy as np

from pages.figures.canvas import FRAME, Canvas
from pages.figures.context.matrix_blocks import BLOCK_SIZES, LINE, Blocks, Placed, place_blocks
from pages.figures.figure import Style
from pages.figures.measure import text_width
from pages.figures.numerals import decimals_needed, number, number_in_full
from pages.figures.palette import readable_on, role_fill
from pages.figures.slide import Room
from pages.figures.symbols import draw_symbol, plain
from pages.text import translator

_GAP = 1.0  # pixels that a cell leaves free on each side


def shortened(blocks: Blocks, style: Style, room: Room) -> bool:
    """Return whether some number has fewer decimals than the style asks for."""
    return any(
        _text(value, style, each.width) != _text(value, style, math.inf)
        for each in place_blocks(blocks, style, room)
        for value in each.block.values.ravel()
    )


def _text(value: np.floating, style: Style, width: float) -> str:
    """Return a number with as many decimals as it needs, and as fit into a cell."""
    most, font = decimals_needed(np.array([[value]]), style.decimals), BLOCK_SIZES[style.size].font
    texts = [number(float(value), fewer) for fewer in range(most, -1, -1)]
    room = width - font * 0.3
    return next((text for text in texts if text_width(text, font) <= room), texts[-1])


def draw_blocks(canvas: Canvas, blocks: Blocks, style: Style, room: Room) -> None:
    """Draw every block in its place."""
    for each in place_blocks(blocks, style, room):
        _Drawing(canvas, style, each).draw()


class _Drawing:
    """Draws one block."""

    def __init__(self, canvas: Canvas, style: Style, placed: Placed) -> None:
        self.canvas, self.style, self.placed, self.block = canvas, style, placed, placed.block
        self.sizes, self.t = BLOCK_SIZES[style.size], translator(style.language)

    def draw(self) -> None:
        """Draw symbol, names and cells; a frame around the row that is set apart."""
        self._symbol()
        self._names()
        for place in np.ndindex(*self.block.values.shape):
            self._cell(*place)
        if self.block.marked is not None:
            self._frame(self.block.marked)

    def _symbol(self) -> None:
        placed, colours, sizes = self.placed, self.style.colours, self.sizes
        y = placed.top - (placed.lines * LINE + 0.4) * sizes.font - sizes.symbol * 0.7
        end = draw_symbol(self.canvas, placed.left, y, self.block.symbol, sizes.symbol,
                          colours.roles[self.block.role])  # fmt: skip
        self.canvas.text(end + sizes.font * 0.6, y + (sizes.symbol - sizes.font) * 0.36,
                         self.block.caption, sizes.font, colours.muted, align="left")  # fmt: skip

    def _names(self) -> None:
        placed, colour, font = self.placed, self.style.colours.muted, self.sizes.font
        for column, name in enumerate(placed.columns):
            x, pieces = placed.left + (column + 0.5) * placed.width, name.split()
            for line, piece in enumerate(reversed(pieces)):
                y = placed.top - font * (0.75 + line * LINE)
                self.canvas.text(x, y, piece, font, colour)
        for row, name in enumerate(placed.rows):
            y = placed.top + (row + 0.5) * placed.height
            self.canvas.text(placed.left - font * 0.5, y, name, font, colour, align="right")

    def _cell(self, row: int, column: int) -> None:
        placed, block, colours = self.placed, self.block, self.style.colours
        value = block.values[row, column]
        largest = float(np.abs(block.values).max()) or 1.0
        x, y = placed.left + column * placed.width, placed.top + row * placed.height
        fill = role_fill(block.role, float(value) / largest, self.style.theme)
        if value == 0:
            fill = colours.surface
        tip = self.t("{matrix}, row {row}, column {column}: {value}", matrix=plain(block.symbol),
                     row=block.rows[row], column=block.columns[column],
                     value=number_in_full(float(value)))  # fmt: skip
        box = (x + _GAP, y + _GAP, placed.width - 2 * _GAP, placed.height - 2 * _GAP)
        self.canvas.cell(box, fill, tip, None, radius=2)
        ink = colours.muted if value == 0 else readable_on(fill, self.style.theme)
        self.canvas.text(x + placed.width / 2, y + placed.height / 2,
                         _text(value, self.style, placed.width), self.sizes.font, ink,
                         bold=value != 0)  # fmt: skip

    def _frame(self, row: int) -> None:
        placed = self.placed
        wide = placed.width * len(placed.columns)
        self.canvas.rect(
            placed.left, placed.top + row * placed.height, wide, placed.height, radius=3,
            stroke=self.style.colours.roles["query"], level=FRAME,
            stroke_width=1.75 if self.style.size == "screen" else 2.75,
        )  # fmt: skip

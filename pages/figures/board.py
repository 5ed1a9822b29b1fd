"""A board: matrices as blocks of annotated cells with operators between them, drawn in pixels.

Whatever the rule of fit (see `layout`) leaves out is said in the note.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.figures.blocks import Block, Metrics, Operator, Part, metrics
from pages.figures.canvas import FRAME, HATCH, Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.layout import FEWEST, Layout, Measured, fit, holds, largest_of
from pages.figures.measure import fit_text
from pages.figures.numerals import number, number_in_full, numbers
from pages.figures.palette import mix, readable_on, role_fill, score_fill, weight_fill
from pages.figures.rows import (
    caption_gap,
    caption_text,
    row_extent,
    row_gap,
    row_starts,
    spans,
    total_height,
    total_width,
)
from pages.figures.slide import body, open_sheet
from pages.figures.symbols import draw_symbol, plain
from pages.text import Translator, translator

_SCREEN_PADDING = 8
_HATCH_STEP = 9.0
# Symbols with the role whose colour each takes.
Formula = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _BlockDrawing:
    """Draws one block; holds where it stands and how large its cells are."""

    canvas: Canvas
    block: Block
    style: Style
    left: float
    top: float
    width: float
    height: float
    font: int
    decimals: int
    sizes: Metrics
    formula: Formula = ()
    silent: bool = False

    def draw(self) -> None:
        self.heading()
        self.row_labels()
        self.column_labels()
        self.cells()
        self.emphasis()

    def heading(self) -> None:
        sizes, colours, block = self.sizes, self.style.colours, self.block
        labels = sizes.label * 1.5 if block.column_labels else 0.0
        above = self.top - labels - sizes.label * 0.3
        caption_y = above - sizes.caption * 0.75
        symbol_y = caption_y - sizes.caption * 0.75 - sizes.symbol * 0.6
        if sizes.one_line:
            symbol_y = above - sizes.symbol * 0.6
            # The two stand on one base line: digits and capitals are about 0.72 em tall.
            caption_y = symbol_y + (sizes.symbol - sizes.caption) * 0.36
        colour = colours.roles[block.role]
        end = draw_symbol(self.canvas, self.left, symbol_y, block.symbol, sizes.symbol, colour)
        for symbol, role in self.formula:
            colour = colours.roles[role]
            end = draw_symbol(self.canvas, end, symbol_y, symbol, sizes.symbol, colour)
        text = caption_text(block)
        if text:
            left = end + caption_gap(sizes) if sizes.one_line else self.left
            self.canvas.text(left, caption_y, text, sizes.caption, colours.muted, align="left")

    def row_labels(self) -> None:
        size, colour = self.sizes.label, self.style.colours.muted
        for row, label in enumerate(self.block.row_labels):
            shown = fit_text(label, size, self.sizes.label_room)
            y = self.top + (row + 0.5) * self.height
            self.canvas.text(self.left - size * 0.5, y, shown, size, colour, align="right")

    def column_labels(self) -> None:
        size, colour = self.sizes.label, self.style.colours.muted
        for column, label in enumerate(self.block.column_labels):
            shown = fit_text(label, size, self.width - 2)
            if not shown:
                continue
            x = self.left + (column + 0.5) * self.width
            self.canvas.text(x, self.top - size * 0.85, shown, size, colour)

    def cells(self) -> None:
        texts = numbers(self.block.values, self.decimals)
        largest = largest_of(self.block.values) if self.block.limit is None else self.block.limit
        for row in range(self.block.shape[0]):
            for column in range(self.block.shape[1]):
                text = self.shown(row, column, texts[row][column])
                self.cell(row, column, text, self.fill(row, column, largest))

    def shown(self, row: int, column: int, text: str) -> str:
        if self.block.secret:
            return "?"
        if self.silent:
            return ""
        # A masked weight is exactly 0, which is not the same as a small one.
        masked_weight = self.masked(row, column) and self.block.values[row, column] == 0
        return "0" if masked_weight else text

    def cell(self, row: int, column: int, text: str, fill: str) -> None:
        colours = self.style.colours
        ink, hatch = readable_on(fill, self.style.theme), colours.hatch
        if self.dimmed(row, column):
            fill, ink = mix(fill, colours.background, 0.6), mix(ink, colours.background, 0.45)
            hatch = mix(hatch, colours.background, 0.6)
        gap = 1.0 if self.style.size == "screen" else 1.5
        x, y = self.left + column * self.width + gap, self.top + row * self.height + gap
        place = (x, y, self.width - 2 * gap, self.height - 2 * gap)
        position = (row, column) if self.block.result else None
        self.canvas.cell(place, fill, self.tip(row, column), position, radius=3)
        if self.masked(row, column):
            self.canvas.path(hatching(place), stroke=hatch, stroke_width=1, level=HATCH)
        if not text:
            return
        middle = y + place[3] / 2 + self.font * 0.04
        self.canvas.text(x + place[2] / 2, middle, text, self.font, ink)

    def masked(self, row: int, column: int) -> bool:
        if self.block.secret:
            return False
        hidden = self.block.masked is not None and bool(self.block.masked[row, column])
        return hidden or float(self.block.values[row, column]) == -math.inf

    def fill(self, row: int, column: int, largest: float) -> str:
        colours, value = self.style.colours, float(self.block.values[row, column])
        if self.block.secret or self.block.ramp == "plain":
            return colours.masked if self.masked(row, column) else colours.surface
        if self.masked(row, column):
            return colours.masked
        if self.block.ramp == "weights":
            return weight_fill(value, self.style.theme)
        if self.block.ramp == "scores":
            return score_fill(value, largest, self.style.theme)
        return role_fill(self.block.role, value / largest if largest else 0.0, self.style.theme)

    def dimmed(self, row: int, column: int) -> bool:
        rows, columns = self.block.rows, self.block.columns
        return (rows is not None and row not in rows) or (
            columns is not None and column not in columns
        )

    def tip(self, row: int, column: int) -> str:
        t = translator(self.style.language)
        value = float(self.block.values[row, column])
        return t(
            "{matrix}, row {row}, column {column}: {value}",
            matrix=plain(self.block.symbol),
            row=named(row, self.block.row_labels, t),
            column=named(column, self.block.column_labels, t),
            value="?" if self.block.secret else number_in_full(value),
        )

    def emphasis(self) -> None:
        """Outline the chosen cell, or the operand row and column that produce it."""
        if self.block.chosen is not None:
            row, column = self.block.chosen
            self.outline(row, row, column, column, self.style.colours.text)
        elif self.block.rows is not None or self.block.columns is not None:
            last_row, last_column = self.block.shape[0] - 1, self.block.shape[1] - 1
            rows = sorted(self.block.rows or (0, last_row))
            columns = sorted(self.block.columns or (0, last_column))
            colour = self.style.colours.roles[self.block.role]
            self.outline(rows[0], rows[-1], columns[0], columns[-1], colour)

    def outline(self, top: int, bottom: int, left: int, right: int, colour: str) -> None:
        """Draw a frame around the cells from (top, left) to (bottom, right), both included."""
        self.canvas.rect(
            self.left + left * self.width,
            self.top + top * self.height,
            (right - left + 1) * self.width,
            (bottom - top + 1) * self.height,
            stroke=colour,
            stroke_width=3.5 if self.style.size != "screen" else 2.25,
            radius=4,
            level=FRAME,
        )


def named(index: int, labels: tuple[str, ...], t: Translator) -> str:
    """Return ``2 (street)``: the position of a row or column from 1, with its label if any."""
    if not labels or not labels[index]:
        return str(index + 1)
    return t("{number} ({label})", number=index + 1, label=labels[index])


def hatching(place: tuple[float, float, float, float], step: float = _HATCH_STEP) -> str:
    """Return the diagonal lines, as an SVG path, that mark the cell at ``place`` as masked."""
    x, y, width, height = place
    lines, offset = [], step / 2
    while offset < width + height:
        left, right = max(0.0, offset - height), min(width, offset)
        lines.append(
            f"M{x + left:.1f},{y + offset - left:.1f}L{x + right:.1f},{y + offset - right:.1f}"
        )
        offset += step
    return "".join(lines)


def _draw_operator(
    canvas: Canvas, operator: Operator, centre: float, middle: float, style: Style
) -> None:
    sizes, colours = metrics(style), style.colours
    draw_symbol(
        canvas,
        centre,
        middle,
        operator.symbol,
        sizes.operator,
        colours.text,
        bold=False,
        align="center",
    )
    y = middle + sizes.operator * 0.75 + sizes.remark * 0.6
    if operator.remark:
        canvas.text(centre, y, operator.remark, sizes.remark, colours.muted)


def formula(parts: tuple[Part, ...]) -> Formula:
    """Return how the result is made, as (symbol, role) pairs: ``= Q × K^T``."""
    end = next(i for i, part in enumerate(parts) if isinstance(part, Block) and part.result)
    if end == 0:
        return ()
    made = [_term(part) for part in parts[: end - 1]]
    last = parts[end - 1]
    if isinstance(last, Operator) and last.symbol == "→":
        made = [(f"{last.remark}(", "input"), *made, (")", "input")]
    return ((" = ", "input"), *made)


def _term(part: Part) -> tuple[str, str]:
    if isinstance(part, Block):
        return part.symbol, part.role
    return f" {part.symbol} ", "input"


@dataclass(frozen=True)
class _Drawing:
    """Draws all rows of a layout."""

    canvas: Canvas
    layout: Layout
    style: Style
    made: Formula

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of everything."""
        layout, sizes = self.layout, self.layout.sizes
        return (
            total_width(layout.arrangement, layout.cell_widths, sizes),
            total_height(layout.arrangement, layout.cell_height, sizes),
        )

    def draw(self, left: float, top: float) -> None:
        """Draw everything from its upper left corner."""
        layout, sizes = self.layout, self.layout.sizes
        starts = row_starts(layout.arrangement, layout.cell_widths, sizes, left)
        first, y = 0, top
        for row, start in zip(layout.arrangement.rows, starts, strict=True):
            above, below = row_extent(row, layout.cell_height, sizes)
            first = self.row(row, first, start, y + above)
            y += above + below + row_gap(sizes)

    def row(self, row: tuple[Part, ...], first: int, left: float, middle: float) -> int:
        """Draw one row whose first block has the number ``first``; return the next number."""
        layout = self.layout
        places = spans(row, iter(layout.cell_widths[first:]), layout.sizes, left)
        for part, (start, end) in zip(row, places, strict=True):
            if isinstance(part, Operator):
                _draw_operator(self.canvas, part, (start + end) / 2, middle, self.style)
            else:
                self.block(part, first, start, middle)
                first += 1
        return first

    def block(self, block: Block, index: int, left: float, middle: float) -> None:
        """Draw one block whose cells begin at ``left``."""
        layout = self.layout
        _BlockDrawing(
            self.canvas,
            block,
            self.style,
            left,
            middle - block.shape[0] * layout.cell_height / 2,
            layout.cell_widths[index],
            layout.cell_height,
            layout.font,
            layout.decimals[index],
            layout.sizes,
            self.made if block.result and layout.alone else (),
            layout.silent,
        ).draw()


def _screen_canvas(layout: Layout, style: Style, made: Formula) -> Canvas:
    sizes, rows = layout.sizes, layout.arrangement
    width = total_width(rows, layout.cell_widths, sizes) + 2 * _SCREEN_PADDING
    height = total_height(rows, layout.cell_height, sizes) + 2 * _SCREEN_PADDING
    canvas = Canvas(width, height, style.colours, transparent=style.transparent)
    _Drawing(canvas, layout, style, made).draw(_SCREEN_PADDING, _SCREEN_PADDING)
    return canvas


def _sheet_canvas(layout: Layout, style: Style, title: str, note: str, made: Formula) -> Canvas:
    role = next(block.role for block in layout.blocks if block.result)
    canvas, (_, top, _, room) = open_sheet(style, title, note, role)
    drawing = _Drawing(canvas, layout, style, made)
    width, height = drawing.size
    drawing.draw((canvas.width - width) / 2, top + (room - height) / 2)
    return canvas


def _budget(style: Style, note: str) -> Metrics:
    """Return the sizes of a style, with the room that this note leaves on a sheet."""
    if style.size == "screen":
        return metrics(style)
    _, _, width, height = body(style, note)
    return replace(metrics(style), width=width, height=height)


def fits_together(measured: Measured, style: Style, note: str) -> bool:
    """Return whether operands and result fit into one picture, whatever the decimals asked for."""
    t = translator(style.language)
    full = t.sentences(note, _fewer_decimals(FEWEST, t))
    return holds(measured, _budget(style, full))


def lay_out(measured: Measured, style: Style, note: str) -> tuple[Layout, str]:
    """Return the layout of a board, and its note with what the rule of fit left out."""
    t = translator(style.language)
    if style.size == "screen":
        layout = fit(measured, metrics(style), style.decimals)
        return layout, t.sentences(note, fit_remarks(layout, style))
    full = note
    # A remark makes the caption taller and the room smaller, which may take another remark.
    while True:
        layout = fit(measured, _budget(style, full), style.decimals)
        longer = t.sentences(note, fit_remarks(layout, style))
        if len(longer) <= len(full):
            return layout, longer  # what this layout leaves out, in a caption that has its room
        full = longer


def fit_remarks(layout: Layout, style: Style) -> str:
    """Return what the rule of fit left out, as sentences; empty when nothing was."""
    t = translator(style.language)
    remarks = []
    if layout.alone:
        remarks.append(t("Only the result is drawn, because its operands do not fit beside it."))
    if layout.silent:
        shown = next(block for block in layout.blocks if block.result)
        remarks.append(_range_remark(shown, style, t))
    if layout.reduced:
        remarks.append(_fewer_decimals(max(layout.decimals), t))
    return t.sentences(*remarks)


def _fewer_decimals(decimals: int, t: Translator) -> str:
    return t("Numbers are drawn with fewer decimals ({decimals}) to fit.", decimals=decimals)


def _range_remark(block: Block, style: Style, t: Translator) -> str:
    if block.secret:
        return ""
    finite = block.values[np.isfinite(block.values)]
    return t(
        "The cells are too small for numbers: their colours run from {least} to {largest}.",
        least=number(float(finite.min()), style.decimals),
        largest=number(float(finite.max()), style.decimals),
    )


def board(
    parts: tuple[Part, ...],
    style: Style,
    *,
    name: str,
    title: str,
    note: str,
    table: Table,
    alt: str = "",
) -> Figure:
    """Draw parts as one figure.

    Parameters
    ----------
    parts : tuple of Block and Operator
        From left to right; exactly one block is the result.
    style : Style
        Theme, language, size and decimals.
    name, title, note, alt : str
        As in `Figure`; the note gains a sentence for whatever did not fit.
    table : Table
        The numbers at full precision.

    Returns
    -------
    Figure
    """
    layout, full_note = lay_out(Measured(parts), style, note)
    if style.size != "screen":
        canvas = _sheet_canvas(layout, style, title, full_note, formula(parts))
    else:
        canvas = _screen_canvas(layout, style, formula(parts))
    spec: dict[str, Any] = canvas.spec(alt or title)
    return Figure(name, title, spec, table, full_note, alt or title)

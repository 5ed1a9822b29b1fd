"""Softmax along the rows beside softmax down the columns, each with the sums of both."""

from __future__ import annotations

import numpy as np

from engine.experiments.lookup.axes import AxesResult
from engine.shapes import Array
from pages.figures.canvas import Canvas
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style, Table
from pages.figures.levels import LAST_OF_FEWER, levels_of
from pages.figures.lookup.axes_drawing import (
    SUM_DECIMALS,
    Side,
    SideDrawing,
    cell_of,
    fitting_decimals,
    has_room,
)
from pages.figures.lookup.axes_layout import Layout, Needs, lay_out, screen_height, widest
from pages.figures.lookup.common import stem, words_of
from pages.figures.masks.common import input_words
from pages.figures.matrix import Matrix, grid_of
from pages.figures.measure import text_width, widest_word
from pages.figures.numerals import number
from pages.figures.panel import SCREEN_PADDING, Screen, room_of, sizes_of
from pages.figures.slide import Room, open_sheet
from pages.text import Translator, translator
from pages.text.amounts import size

SCREEN = Screen(868.0, 400.0)


def axes_figure(result: AxesResult, style: Style) -> Figure:
    """Draw both matrices of weights; the sums of their rows and columns are bars at their sides."""
    t = translator(style.language)
    title = t("Softmax along rows, and down columns")
    sides = _sides(result, t)
    needs = _needs(result, sides, style)
    note, layout, decimals = _settled(result, sides, needs, style, t)
    canvas = _canvas(needs, style, title, note)
    unit = layout.bar / _largest(sides)
    for side, cells, span in zip(sides, layout.cells, _spans(layout, canvas), strict=True):
        first = not layout.stacked or side is sides[0]
        SideDrawing(canvas, style, side, cells, unit, decimals, *span, beside=layout.stacked,
                    first=first).draw()  # fmt: skip
    name = stem("axes", result.params.source, f"T{len(result.tokens)}")
    words = words_of(name, title, note, "weights", t)
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _sides(result: AxesResult, t: Translator) -> tuple[Side, Side]:
    limit = max(float(result.rows.max()), float(result.columns.max()))
    return (
        Side(t("softmax along rows"), _matrix(result.rows, result.tokens, limit),
             result.row_sums, result.column_sums_of_rows),
        Side(t("softmax down columns"), _matrix(result.columns, result.tokens, limit),
             result.row_sums_of_columns, result.column_sums),
    )  # fmt: skip


def _matrix(weights: Array, tokens: tuple[str, ...], limit: float) -> Matrix:
    none = np.zeros(weights.shape, dtype=np.bool_)
    values = np.asarray(weights, np.float64)
    levels = levels_of(values, none, "weights", limit, LAST_OF_FEWER)
    return Matrix(values, none, levels, limit, "weights", tokens, tokens, LAST_OF_FEWER)


def _largest(sides: tuple[Side, Side]) -> float:
    return max(float(sums.max()) for side in sides for sums in (side.row_sums, side.column_sums))


def _needs(result: AxesResult, sides: tuple[Side, Side], style: Style) -> Needs:
    size = sizes_of(style).tick
    sums = [sums for side in sides for sums in (side.row_sums, side.column_sums)]
    texts = tuple(number(value, SUM_DECIMALS) for each in sums for value in each.tolist())
    T = len(result.tokens)
    title = 0.0
    if has_room(style):
        title = text_width(f"{translator(style.language)('query')} ↓", sizes_of(style).title)
    return Needs(
        T,
        widest(result.tokens, size),
        widest((str(T),), size),
        title,
        widest(texts, size),
        max(widest_word(side.title, sizes_of(style).label, True) for side in sides),
        cell_of([side.matrix for side in sides], style),
    )


def _settled(
    result: AxesResult, sides: tuple[Side, Side], needs: Needs, style: Style, t: Translator
) -> tuple[str, Layout, int | None]:
    """Return the note, the layout beside it, and the decimals of the numbers that fit."""
    note = _note(result, t)
    while True:
        layout = lay_out(needs, style, _room(needs, style, note))
        grid = grid_of(sides[0].matrix, layout.cells[0])
        decimals = fitting_decimals([side.matrix for side in sides], grid, style)
        fewer = ""
        if decimals is not None and decimals < style.decimals:
            fewer = t("Numbers are drawn with fewer decimals ({decimals}) to fit.",
                      decimals=decimals)  # fmt: skip
        full = t.sentences(_note(result, t), fewer)
        if len(full) <= len(note):
            return full, layout, decimals
        note = full


def _room(needs: Needs, style: Style, note: str) -> Room:
    if style.size != "screen":
        return room_of(style, note, SCREEN)
    height = _screen_height(needs, style) - 2 * SCREEN_PADDING
    return SCREEN_PADDING, SCREEN_PADDING, SCREEN.inside, height


def _screen_height(needs: Needs, style: Style) -> float:
    most = SCREEN.height - 2 * SCREEN_PADDING
    return screen_height(needs, style, SCREEN.inside, most) + 2 * SCREEN_PADDING


def _canvas(needs: Needs, style: Style, title: str, note: str) -> Canvas:
    if style.size != "screen":
        return open_sheet(style, title, note, "weights")[0]
    height = _screen_height(needs, style)
    return Canvas(SCREEN.width, height, style.colours, transparent=style.transparent)


def _spans(layout: Layout, canvas: Canvas) -> list[tuple[float, float]]:
    """Return where the title of each side begins, and where it must end."""
    if layout.stacked:
        start = layout.cells[0][0] - layout.gutter - layout.heading
        return [(start, layout.cells[0][0] - layout.gutter)] * 2
    starts = [cells[0] - layout.gutter for cells in layout.cells]
    return list(zip(starts, [starts[1], canvas.width - SCREEN_PADDING], strict=True))


def _note(result: AxesResult, t: Translator) -> str:
    sums = result.row_sums_of_columns
    if len(result.tokens) == 1:
        return t("With one token the only weight is 1, along the row and down the column.")
    return t.sentences(
        t("The same scores in both. Bars are sums; the dashed line is 1."),
        t(
            "Down columns, the weights of a query add up to {least} at the least and {most} at the "
            "most.",
            least=number(float(sums.min()), 3),
            most=number(float(sums.max()), 3),
        ),
        t("The outputs differ by up to {difference}.",
          difference=size(result.difference_output)),
        input_words(result.params, t),
    )  # fmt: skip


def _table(result: AxesResult) -> Table:
    blocks = [
        ("rows", {"score": result.scores, "weight": result.rows}),
        ("columns", {"score": result.scores, "weight": result.columns}),
    ]
    return cells_table(blocks, result.tokens, result.tokens, ("softmax along", "query", "key"))

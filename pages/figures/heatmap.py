"""A matrix of any size as colours, with its positions along two sides and its scale beside it.

Up to 128 cells a side are drawn as vectors. A larger matrix is one picture whose pixels are its
cells, enlarged by whole steps where it is small, so that no program that opens the file can blur
it. On a sheet at 300 pixels per inch a cell needs one pixel: where a matrix has more cells than
that, a pixel shows the one of a block of neighbours that lies furthest from zero, and the note
says so.
"""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image

from pages.figures.annotate import draw_words, words_width
from pages.figures.board import hatching, named
from pages.figures.canvas import CELLS, FRAME, HATCH, Canvas
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, Style, Table
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import number, number_in_full
from pages.figures.palette import readable_on, score_fill, weight_fill
from pages.figures.panel import Screen, Words, open_plot, sizes_of
from pages.figures.slide import Room
from pages.figures.ticks import Scale, linear_ticks
from pages.text import Translator, translator

Role = Literal["weights", "scores"]
Values = npt.NDArray[np.float64]
Levels = npt.NDArray[np.uint8]

MOST_VECTOR_SIDE = 128
MOST_TIPS = 1024  # cells; more of them would make the page slow for words that nobody seeks
_LAST, _MASKED = 254, 255  # the levels of colour, and the one beyond them for hidden cells
_SHARPEST = 300 / 96  # pixels of a saved picture to one of the sheet
_RASTER_SIDE = 1024  # pixels: a smaller picture is enlarged to at least this
SCREEN = Screen(640.0, 420.0)
_TICK = 3.0  # pixels


@dataclass(frozen=True)
class _Matrix:
    """A matrix with its levels of colour; ``block`` cells a side lie behind each level."""

    values: Values
    masked: npt.NDArray[np.bool_]
    levels: Levels
    limit: float
    role: Role
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns


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
    drawing = _Drawing(canvas, style, matrix, _place(room, matrix, style, row_title), t)
    drawing.cells(block)
    drawing.axes(row_title, column_title)
    drawing.bar()
    table = _table(matrix)
    return Figure(name, title, canvas.spec(words.alt), table, words.note, words.alt)


def _with_limit(matrix: _Matrix, note: str, t: Translator) -> str:
    """Add to the note that some cells lie beyond the scale, where any do."""
    visible = np.abs(matrix.values[~matrix.masked])
    if not (visible > matrix.limit).any():
        return note
    said = t("Beyond {limit} the colour stays the same.", limit=number_in_full(matrix.limit))
    return t.sentences(note, said)


def _fitted(
    words: Words, matrix: _Matrix, style: Style, screen: Screen, row_title: str
) -> tuple[Words, tuple[int, int]]:
    """Return the words and how many cells share a pixel; the note says so where any do.

    A longer note leaves less room for the cells, so the longest one is tried too.
    """
    t, block, said = translator(style.language), (1, 1), words
    for _ in range(3):
        room = open_plot(style, said, screen)[1]
        needed = _block(matrix.shape, _place(room, matrix, style, row_title))
        if needed == block:
            break
        block = needed
        shared = t(
            "There are more cells than pixels: of {rows} × {columns} neighbouring cells each pixel "
            "shows the one furthest from 0.",
            rows=block[0],
            columns=block[1],
        )
        said = replace(words, note=t.sentences(words.note, shared))
    return said, block


def _checked(
    values: npt.ArrayLike,
    role: Role,
    masked: npt.ArrayLike | None,
    row_labels: tuple[str, ...],
    column_labels: tuple[str, ...],
    limit: float | None,
) -> _Matrix:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise FigureError(
            "A heatmap needs a matrix with at least one cell, got shape {shape}.",
            shape=array.shape,
        )
    hidden = np.isneginf(array)
    if masked is not None:
        given = np.asarray(masked, dtype=np.bool_)
        if given.shape != array.shape:
            raise FigureError(
                "The mask must have the shape of the matrix, got {mask} for {shape}.",
                mask=given.shape,
                shape=array.shape,
            )
        hidden = hidden | given
    _require_labels(row_labels, array.shape[0])
    _require_labels(column_labels, array.shape[1])
    _require_values(array, hidden, role)
    largest = float(np.abs(array[~hidden]).max(initial=0.0)) if limit is None else limit
    if not (math.isfinite(largest) and largest >= 0):
        raise FigureError(
            "The limit of a heatmap must be a finite number of 0 or more, got {limit}.",
            limit=largest,
        )
    levels = levels_of(array, hidden, role, largest)
    return _Matrix(array, hidden, levels, largest, role, row_labels, column_labels)


def _require_labels(labels: tuple[str, ...], count: int) -> None:
    if labels and len(labels) != count:
        raise FigureError(
            "There must be one label for each of the {count} rows or columns, got {labels}.",
            count=count,
            labels=len(labels),
        )


def _require_values(array: Values, hidden: npt.NDArray[np.bool_], role: Role) -> None:
    wrong = ~hidden & ~np.isfinite(array)
    if role == "weights":
        wrong |= ~hidden & (array < 0)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise FigureError(
            "A heatmap cannot show {value} at row {row}, column {column}: scores must be finite, "
            "and weights 0 or more.",
            value=float(array[row, column]),
            row=row + 1,
            column=column + 1,
        )


def levels_of(values: Values, masked: npt.NDArray[np.bool_], role: Role, limit: float) -> Levels:
    """Return the level of colour of each cell: 0 to 254, and 255 where it is masked."""
    shares = np.clip(np.where(masked, 0.0, values) / (limit or 1.0), -1.0, 1.0)
    if role == "scores":
        # The two sides of 0 differ in hue, so a small negative score stays on its side.
        half = _LAST / 2
        shifted = np.rint(half + shares * half)
        levels = np.where(shares < 0, np.minimum(shifted, half - 1), shifted).astype(np.uint8)
    else:
        levels = np.rint(shares * _LAST).astype(np.uint8)
    levels[masked] = _MASKED
    return np.asarray(levels)


def colours_of(role: Role, style: Style) -> list[str]:
    """Return the 256 colours of the levels; the last is that of a masked cell."""
    half = _LAST / 2
    if role == "scores":
        ramp = [score_fill((level - half) / half, 1.0, style.theme) for level in range(_LAST + 1)]
    else:
        ramp = [weight_fill(level / _LAST, style.theme) for level in range(_LAST + 1)]
    return [*ramp, style.colours.masked]


def _block(shape: tuple[int, int], box: Room) -> tuple[int, int]:
    """Return how many rows and columns share one pixel of a saved picture."""
    rows, columns = (
        math.ceil(count / (side * _SHARPEST))
        for count, side in zip(shape, (box[3], box[2]), strict=True)
    )
    return rows, columns


def reduced(matrix_levels: Levels, values: Values, block: tuple[int, int]) -> Levels:
    """Return the levels of blocks of cells: of each, the visible cell furthest from 0."""
    if block == (1, 1):
        return matrix_levels
    rows, columns = (
        math.ceil(count / size) for count, size in zip(values.shape, block, strict=True)
    )
    fill = ((0, rows * block[0] - values.shape[0]), (0, columns * block[1] - values.shape[1]))
    strength = np.where(matrix_levels == _MASKED, -1.0, np.abs(values))
    blocks = [
        np.pad(array, fill, constant_values=nothing)
        .reshape(rows, block[0], columns, block[1])
        .swapaxes(1, 2)
        .reshape(rows, columns, -1)
        for array, nothing in ((strength, -2.0), (matrix_levels, _MASKED))
    ]
    best = blocks[0].argmax(axis=2)[..., None]
    return np.asarray(np.take_along_axis(blocks[1], best, axis=2)[..., 0], dtype=np.uint8)


def _gutter(matrix: _Matrix, style: Style, row_title: str) -> float:
    sizes = sizes_of(style)
    names = matrix.row_labels or (str(matrix.shape[0]),)
    widest = max(text_width(name, sizes.tick) for name in names)
    title = words_width(row_title + " ↓", sizes.title)
    return max(min(widest, sizes.tick * 7), title) + sizes.tick * 0.6


def _bar_room(matrix: _Matrix, style: Style) -> float:
    sizes = sizes_of(style)
    return sizes.tick * (7.5 if matrix.masked.any() else 6.0) + sizes.gap * 2


def _place(room: Room, matrix: _Matrix, style: Style, row_title: str) -> Room:
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


class _Drawing:
    """Draws one heatmap."""

    def __init__(
        self, canvas: Canvas, style: Style, matrix: _Matrix, box: Room, t: Translator
    ) -> None:
        self.canvas, self.style, self.matrix, self.t = canvas, style, matrix, t
        self.left, self.top, self.width, self.height = box
        self.across, self.down = self.width / matrix.shape[1], self.height / matrix.shape[0]
        self.sizes, self.colours = sizes_of(style), colours_of(matrix.role, style)

    def cells(self, block: tuple[int, int]) -> None:
        """Draw the cells in the way that their number asks for, and a frame around them."""
        rows, columns = self.matrix.shape
        if max(rows, columns) > MOST_VECTOR_SIDE:
            levels = reduced(self.matrix.levels, self.matrix.values, block)
            url = _picture(levels, self.colours, enlarge=block == (1, 1))
            self.canvas.image((self.left, self.top, self.width, self.height), url)
        elif rows * columns <= MOST_TIPS:
            self._single_cells()
        else:
            self._cells_by_colour()
        # Outside of the cells: a row of a large matrix is thinner than this line.
        self.canvas.rect(
            self.left - 0.5, self.top - 0.5, self.width + 1, self.height + 1,
            stroke=self.style.colours.line, stroke_width=1, level=FRAME,
        )  # fmt: skip

    def _gap(self) -> float:
        """Return what stays free around a cell; small ones overlap, so that no seam shows."""
        smallest = min(self.across, self.down)
        return 1.0 if smallest >= 14 else 0.5 if smallest >= 8 else -0.15

    def _cell(self, row: int, column: int) -> Room:
        gap = self._gap()
        return (
            self.left + column * self.across + gap,
            self.top + row * self.down + gap,
            self.across - 2 * gap,
            self.down - 2 * gap,
        )

    def _single_cells(self) -> None:
        texts = self._texts()
        font = math.floor(self._font(texts)) if texts else 0
        for row, column in np.ndindex(self.matrix.shape):
            place, fill = self._cell(row, column), self.colours[self.matrix.levels[row, column]]
            self.canvas.cell(place, fill, self._tip(row, column), None)
            if self.matrix.masked[row, column] and min(place[2:]) >= 12:
                hatch = hatching(place)
                self.canvas.path(
                    hatch, stroke=self.style.colours.hatch, stroke_width=1, level=HATCH
                )
            if texts:
                middle = (place[0] + place[2] / 2, place[1] + place[3] / 2)
                ink = readable_on(fill, self.style.theme)
                self.canvas.text(*middle, texts[row][column], font, ink)

    def _texts(self) -> list[list[str]]:
        """Return the numbers in the cells; empty where they do not fit at the smallest font."""
        matrix, size = self.matrix, self.sizes.tick
        if self.down < size * 1.5 or self.across < size * 2:
            return []
        decimals = self.style.decimals
        texts = [[number(value, decimals) for value in row] for row in matrix.values.tolist()]
        for row, column in np.argwhere(matrix.masked & (matrix.values == 0)).tolist():
            texts[row][column] = "0"  # exactly, which is not the same as a small weight
        return texts if self._font(texts) >= size else []

    def _font(self, texts: list[list[str]]) -> float:
        """Return the font in which the widest number fits into its cell."""
        widest = max(text_width(text, 1.0) for row in texts for text in row)
        return min((self.across - 6) / (widest + 0.4), self.down * 0.3, self.sizes.tick * 1.6)

    def _tip(self, row: int, column: int) -> str:
        matrix = self.matrix
        value = number_in_full(float(matrix.values[row, column]))
        return self.t(
            "row {row}, column {column}: {value}",
            row=named(row, matrix.row_labels, self.t),
            column=named(column, matrix.column_labels, self.t),
            value=self.t("hidden by the mask") if matrix.masked[row, column] else value,
        )

    def _cells_by_colour(self) -> None:
        """Draw all cells of one colour as one path: a few hundred marks instead of thousands."""
        for level in np.unique(self.matrix.levels).tolist():
            pieces = []
            for row, column in np.argwhere(self.matrix.levels == level).tolist():
                x, y, width, height = self._cell(row, column)
                pieces.append(f"M{x:.2f},{y:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}Z")
            self.canvas.path("".join(pieces), fill=self.colours[level], stroke_width=0, level=CELLS)

    def axes(self, row_title: str, column_title: str) -> None:
        """Write titles with the directions they go in, and labels or positions along both sides."""
        sizes, muted = self.sizes, self.style.colours.muted
        y = self.top - sizes.tick * 1.6 - sizes.title * 0.6
        self.canvas.text(self.left, y, f"{column_title} →", sizes.title, muted, align="left")
        x = self.left - sizes.tick * 0.6
        y = self.top - sizes.tick * 0.9
        self.canvas.text(x, y, f"{row_title} ↓", sizes.title, muted, align="right")
        for row, label in self._row_ticks():
            middle = self.top + (row + 0.5) * self.down
            self._tick(self.left - _TICK, middle, across=True)
            middle = min(max(middle, self.top + sizes.tick * 0.4), self.top + self.height)
            self.canvas.text(x, middle, label, sizes.tick, muted, align="right")
        for column, label in self._column_ticks():
            middle = self.left + (column + 0.5) * self.across
            self._tick(middle, self.top - _TICK, across=False)
            half = text_width(label, sizes.tick) / 2
            middle = max(min(middle, self.left + self.width - half), self.left + half * 0.8)
            self.canvas.text(middle, self.top - sizes.tick * 0.8, label, sizes.tick, muted)

    def _tick(self, x: float, y: float, *, across: bool) -> None:
        """Mark a place: a label near an edge stands beside its place, not on it."""
        line = f"M{x:.2f},{y:.2f}" + (f"h{_TICK}" if across else f"v{_TICK}")
        self.canvas.path(line, stroke=self.style.colours.muted, stroke_width=1, level=FRAME)

    def _row_ticks(self) -> list[tuple[int, str]]:
        labels, size = self.matrix.row_labels, self.sizes.tick
        if labels and self.down >= size * 1.1:
            return [(row, fit_text(label, size, size * 7)) for row, label in enumerate(labels)]
        return positions(self.matrix.shape[0], self.height, size * 1.6)

    def _column_ticks(self) -> list[tuple[int, str]]:
        labels, size = self.matrix.column_labels, self.sizes.tick
        shown = [fit_text(label, size, self.across - size * 0.3) for label in labels]
        if labels and all(
            text == label or len(text) > 2 for text, label in zip(shown, labels, strict=True)
        ):
            return list(enumerate(shown))
        widest = text_width(str(self.matrix.shape[1]), size)
        return positions(self.matrix.shape[1], self.width, widest + size * 0.8)

    def bar(self) -> None:
        """Draw the colour scale with its numbers, and what a masked cell looks like."""
        sizes, colours, matrix = self.sizes, self.style.colours, self.matrix
        x, thick = self.left + self.width + sizes.gap * 2, sizes.tick * 1.1
        foot = sizes.tick * 2.4 if matrix.masked.any() else 0.0
        bottom = self.top + max(self.height - foot, sizes.tick * 5)
        least = -matrix.limit if matrix.role == "scores" else 0.0
        scale = Scale(least, matrix.limit or 1.0, bottom, self.top)
        if matrix.role == "scores" and not matrix.limit:
            scale = Scale(-1.0, 1.0, bottom, self.top)
        step = (bottom - self.top) / 64
        for part in range(64):
            fill = self.colours[round((63 - part) / 63 * _LAST)]
            self.canvas.rect(x, self.top + part * step, thick, step + 0.3, fill=fill, level=CELLS)
        self.canvas.rect(
            x, self.top, thick, bottom - self.top, stroke=colours.line, stroke_width=1, level=FRAME
        )
        ticks = scale.ticks(max(3, min(7, int((bottom - self.top) / (sizes.tick * 2.2)))))
        for value, label in zip(ticks.values, ticks.labels, strict=True):
            self._tick(x + thick, scale.at(value), across=True)
            y = min(max(scale.at(value), self.top + sizes.tick * 0.3), bottom - sizes.tick * 0.3)
            draw_words(self.canvas, x + thick * 1.4, y, label, sizes.tick, colours.muted)
        title = self.t("weight") if matrix.role == "weights" else self.t("score")
        y = self.top - sizes.tick * 0.9
        self.canvas.text(x, y, title, sizes.tick, colours.muted, align="left")
        if foot:
            self._swatch(x, bottom + foot - thick / 2, thick)

    def _swatch(self, x: float, y: float, side: float) -> None:
        place, colours = (x, y - side / 2, side, side), self.style.colours
        self.canvas.rect(*place, fill=colours.masked, level=CELLS)
        self.canvas.path(hatching(place, 6), stroke=colours.hatch, stroke_width=1, level=HATCH)
        size = self.sizes.tick
        self.canvas.text(x + side * 1.4, y, self.t("masked"), size, colours.muted, align="left")


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


def _picture(levels: Levels, colours: list[str], *, enlarge: bool) -> str:
    """Return a picture of the levels, each as one or more whole pixels, as an address."""
    step = math.ceil(_RASTER_SIDE / max(levels.shape)) if enlarge else 1
    if step > 1:
        levels = np.kron(levels, np.ones((step, step), dtype=np.uint8))
    image = Image.fromarray(np.ascontiguousarray(levels), "P")
    image.putpalette([int(c[i : i + 2], 16) for c in colours for i in (1, 3, 5)])
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=3)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _table(matrix: _Matrix) -> Table:
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

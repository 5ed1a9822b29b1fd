"""A table with one row a token: its name, bars in columns, and the numbers beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.figures.annotate import draw_words, words_width
from pages.figures.bar_style import BarLook, bar_look, draw_bar
from pages.figures.canvas import BACK, FRAME, UNDER, Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.measure import fit_text, text_width
from pages.figures.palette import mix
from pages.figures.panel import smallest_of


@dataclass(frozen=True)
class Bar:
    """What one bar of every row shows.

    Parameters
    ----------
    name : str
        Above its numbers, beside a sample.
    values : tuple of float
        One a row; NaN where there is none.
    colour : str
        As ``#rrggbb``.
    index : int
        Which of the looks of `bar_look` it has.
    """

    name: str
    values: tuple[float, ...]
    colour: str
    index: int = 0


@dataclass(frozen=True)
class Column:
    """Bars that share one scale, and their numbers.

    Parameters
    ----------
    title : str
    bars : tuple of Bar
        One or two, drawn over each other in a row; they name their numbers.
    written : callable
        Returns the text of a value.
    below : Bar or None
        The bars run to both sides of 0: those below it have this one's colour and look.
    share : float
        Of the room that is left for bars, beside other columns.
    """

    title: str
    bars: tuple[Bar, ...]
    written: Callable[[float], str]
    below: Bar | None = None
    share: float = 1.0


@dataclass(frozen=True)
class TableRow:
    """One row.

    Parameters
    ----------
    name : str
    tip : str
        What the pointer says over it.
    role : str
        Whose colour sets it apart; empty where none does.
    quiet : bool
        Whether it is written in pale ink.
    plain : bool
        Whether it has numbers only: bars of a sum would make those of its parts invisible.
    """

    name: str
    tip: str
    role: str = ""
    quiet: bool = False
    plain: bool = False


@dataclass(frozen=True)
class TableSizes:
    """Pixels of one output: font, lowest and highest row, narrowest bars, share of the names."""

    font: int
    row: tuple[float, float]
    bar: float
    names: float
    gap: float


FEWEST = 2  # decimals of a weight
ROUNDING = 1e-6  # pixels: how far the sum of heights may lie above a whole number of them
SIZES: dict[SizeName, TableSizes] = {
    "screen": TableSizes(12, (17.0, 30.0), 90, 0.2, 14),
    "slide": TableSizes(18, (23.0, 44.0), 120, 0.2, 24),
    "half": TableSizes(18, (22.0, 44.0), 60, 0.22, 10),
    "square": TableSizes(18, (22.0, 44.0), 70, 0.22, 12),
}


class BarTable:
    """Draws rows with bars.

    Parameters
    ----------
    style : Style
    rows : sequence of TableRow
    columns : sequence of Column
    width : float
        Of the whole table.
    """

    def __init__(
        self, style: Style, rows: Sequence[TableRow], columns: Sequence[Column], width: float
    ) -> None:
        self.style, self.rows, self.columns = style, rows, columns
        self.sizes, self.width, self.smallest = SIZES[style.size], width, smallest_of(style)
        self.row = self.sizes.row[1]
        self.names = self._names_width()
        self.numbers = [self._numbers_width(column) for column in columns]
        taken = [sum(widths) for widths in self.numbers]
        spare = width - self.names - sum(taken) - self.sizes.gap * (2 * len(columns) - 1)
        whole = sum(column.share for column in columns)
        self.lengths = [max(8.0, spare * column.share / whole) for column in columns]

    def _names_width(self) -> float:
        widest = max(text_width(row.name, self.sizes.font, bool(row.role)) for row in self.rows)
        return min(widest + self.sizes.font, self.width * self.sizes.names)

    def _numbers_width(self, column: Column) -> list[float]:
        """Return the widths of the columns of numbers, their headings included."""
        font = self.sizes.font
        return [
            max(
                max((text_width(_written(column, v), font) for v in each.values), default=0.0),
                self._heading_width(each, column),
            )
            + font * 0.7
            for each in column.bars
        ]

    def _heading_width(self, each: Bar, column: Column) -> float:
        if len(column.bars) == 1:
            return 0.0
        font = self.sizes.font
        name = words_width(each.name, font, False, self.smallest)
        return min(name, self.width * 0.16) + font * 1.1

    @property
    def fits(self) -> bool:
        """Whether the bars are long enough to tell anything."""
        return min(self.lengths) >= self.sizes.bar * 0.7

    @property
    def head(self) -> float:
        """Height of the headings."""
        return self.sizes.font * 1.9

    @property
    def height(self) -> float:
        """Height of the table."""
        return self.head + self.row * len(self.rows)

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        self.row = min(self.row, (height - self.head) / len(self.rows))

    def ends(self, column: Column) -> tuple[float, float]:
        """Return the least and the largest value with a bar, and 0; 0 and 1 where all are 0."""
        values = [
            value
            for each in column.bars
            for value, row in zip(each.values, self.rows, strict=True)
            if not (row.plain or math.isnan(value))
        ]
        least, most = min([0.0, *values]), max([0.0, *values])
        return (least, most) if least < most else (0.0, 1.0)

    # ---- drawing

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw the table from its upper left corner."""
        self.canvas = canvas
        self._grounds(left, top)
        x = left + self.names
        for column, numbers, length in zip(self.columns, self.numbers, self.lengths, strict=True):
            self._column(column, numbers, length, x, top)
            x += length + self.sizes.gap + sum(numbers) + self.sizes.gap
        for place, row in enumerate(self.rows):
            y = top + self.head + place * self.row
            self._name(row, left, y)
            self.canvas.cell((left, y, self.width, self.row), "transparent", row.tip, None)

    def _grounds(self, left: float, top: float) -> None:
        """Draw a line under the headings and a tint under rows that are set apart."""
        colours, y = self.style.colours, top + self.head
        line = f"M{left:.2f},{y:.2f}h{self.width:.2f}"
        self.canvas.path(line, stroke=colours.line, stroke_width=1, level=BACK)
        for place, row in enumerate(self.rows):
            if row.role:
                fill = mix(colours.background, colours.roles[row.role], 0.09)
                box = (left, y + place * self.row, self.width, self.row)
                self.canvas.rect(*box, fill=fill, level=UNDER)

    def _name(self, row: TableRow, left: float, top: float) -> None:
        colours, font = self.style.colours, self.sizes.font
        colour = colours.roles[row.role] if row.role else colours.text
        colour = colours.muted if row.quiet else colour
        shown = fit_text(row.name, font, self.names - font * 0.6, bool(row.role))
        y = top + self.row / 2
        self.canvas.text(left + font * 0.3, y, shown, font, colour, bold=bool(row.role),
                         align="left")  # fmt: skip

    def _column(
        self, column: Column, numbers: list[float], length: float, left: float, top: float
    ) -> None:
        """Draw the heading, the bars and the numbers of one column."""
        font, middle = self.sizes.font, top + self.head * 0.45
        room = length + self.sizes.gap * 0.5 + (sum(numbers) if len(numbers) == 1 else 0.0)
        title = fit_text(column.title, font, room)
        draw_words(self.canvas, left, middle, title, font, self.style.colours.muted)
        least, most = self.ends(column)
        zero = left - least / (most - least) * length
        self._zero(zero, top + self.head)
        right = left + length + self.sizes.gap * 0.5
        for place, each in enumerate(column.bars):
            right += numbers[place]
            if len(column.bars) > 1:
                self._sample(each, right, middle)
            for index, value in enumerate(each.values):
                y = top + self.head + index * self.row
                if not self.rows[index].plain:
                    self._bar(column, place, value, (zero, y, length / (most - least)))
                self._number(column, value, right, y + self.row / 2, self.rows[index])

    def _zero(self, x: float, top: float) -> None:
        """Draw the line on which the bars of a column stand."""
        line = f"M{x:.2f},{top:.2f}v{self.row * len(self.rows):.2f}"
        self.canvas.path(line, stroke=self.style.colours.muted, stroke_width=1, level=FRAME)

    def _sample(self, each: Bar, right: float, middle: float) -> None:
        """Name a column of numbers, and show what its bars look like."""
        font = self.sizes.font
        shown = fit_text(each.name, font, self.width * 0.16)
        width = words_width(shown, font, False, self.smallest)
        draw_words(self.canvas, right - width, middle, shown, font, self.style.colours.text)
        side = font * 0.8
        place = (right - width - font * 1.05, middle - side / 2, side, side)
        draw_bar(self.canvas, place, self._look(each), tip="")

    def _look(self, each: Bar) -> BarLook:
        return bar_look(each.index, each.colour, self.style.colours)

    def _bar(
        self, column: Column, place: int, value: float, at: tuple[float, float, float]
    ) -> None:
        """Draw one bar of a row ``at`` its zero line and its top, in pixels a unit."""
        zero, y, unit = at
        if math.isnan(value) or value == 0:
            return
        each = column.below if column.below and value < 0 else column.bars[place]
        wide = abs(value) * unit
        inset = self.row * 0.14
        high = (self.row - 2 * inset) / len(column.bars)
        gap = 0.5 if len(column.bars) > 1 else 0.0
        left = zero - wide if value < 0 else zero
        box = (left, y + inset + place * high + gap, wide, high - 2 * gap)
        draw_bar(self.canvas, box, self._look(each), tip="")

    def _number(
        self, column: Column, value: float, right: float, middle: float, row: TableRow
    ) -> None:
        colours, text = self.style.colours, _written(column, value)
        colour = colours.muted if row.quiet or math.isnan(value) else colours.text
        self.canvas.text(right, middle, text, self.sizes.font, colour, bold=bool(row.role),
                         align="right")  # fmt: skip


def _written(column: Column, value: float) -> str:
    return "–" if math.isnan(value) else column.written(value)


def most_rows(style: Style, height: float) -> int:
    """Return how many rows fit into a height, headings included; at least 1."""
    sizes = SIZES[style.size]
    return max(1, int((height - sizes.font * 1.9) / sizes.row[0]))


def decimals_of(values: Sequence[float], decimals: int) -> int:
    """Return the decimals with which the largest of some values has so many digits, at most 8."""
    largest = max((abs(value) for value in values if value == value), default=0.0)
    if not largest:
        return decimals
    return min(8, max(decimals, decimals - 1 - math.floor(math.log10(largest))))

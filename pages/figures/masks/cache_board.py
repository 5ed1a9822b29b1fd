"""One step of generation, drawn: every row is a token, with its key, its weight and its value.

The new query stands above the keys it is compared with, the new output below the values that it
averages; rows of tokens that are not there yet are empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.experiments.masks.growth import GrowthResult
from engine.shapes import Array
from pages.figures.board import Formula, hatching, named
from pages.figures.canvas import BACK, FRAME, HATCH, Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import decimals_needed, number, number_in_full
from pages.figures.palette import readable_on, role_fill, weight_fill
from pages.figures.symbols import draw_symbol, symbol_width
from pages.text import translator

FEWEST_DECIMALS = 1


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output.

    ``fonts`` are those of the numbers, ``label`` that of token names and remarks, ``symbol`` that
    of headings, ``formula`` that of formulas. ``names`` and ``remarks`` are the room to the left
    and to the right of the rows; ``cell`` is the widest and tallest that a cell may be.
    """

    fonts: tuple[int, ...]
    label: int
    symbol: int
    formula: int
    names: float
    remarks: float
    gap: float
    cell: tuple[float, float]


_SIZES: dict[SizeName, _Sizes] = {
    "screen": _Sizes((14, 13, 12), 12, 18, 15, 84, 62, 26, (76, 32)),
    "slide": _Sizes((26, 24, 22, 20, 18), 18, 28, 22, 112, 84, 32, (120, 58)),
    "half": _Sizes((24, 22, 20, 18), 18, 24, 18, 108, 82, 20, (80, 50)),
    "square": _Sizes((24, 22, 20, 18), 18, 24, 18, 110, 82, 24, (90, 50)),
}


@dataclass(frozen=True)
class _Part:
    """One matrix of the board: its symbol, the role of its colour, its values, its first column."""

    symbol: str
    role: str
    values: Array
    first: int
    caption: str = ""
    masked: Array | None = None

    @property
    def columns(self) -> int:
        return int(self.values.shape[1])


class CacheBoard:
    """Lays out one step in a room, then draws it.

    Parameters
    ----------
    result : GrowthResult
        Under a mask that lets no query see later tokens.
    step : int
        From 1.
    style : Style
    room : tuple of float
        Width and height in pixels.
    """

    def __init__(
        self, result: GrowthResult, step: int, style: Style, room: tuple[float, float]
    ) -> None:
        self.result, self.step, self.style = result, step, style
        self.sizes, self.T = _SIZES[style.size], len(result.head.tokens)
        row = step - 1
        hidden = ~result.b.visible[row:step, :step].T
        d_k, d_v = result.k.shape[1], result.v.shape[1]
        t, at = translator(style.language), slice(row, step)
        index = "".join(f"_{digit}" for digit in str(step))
        self.query = _Part(f"q{index}", "query", result.q[at], 0, t("query"))
        self.keys = _Part("K", "key", result.k[:step], 0, t("keys"))
        weights = result.weights[at, :step].T
        self.weights = _Part(f"a{index}", "weights", weights, d_k, masked=hidden)
        self.values = _Part("V", "value", result.v[:step], d_k + 1, t("values"))
        self.output = _Part(f"o{index}", "output", result.output[at], d_k + 1)
        self.columns = int(d_k + 1 + d_v)
        sizes = self.sizes
        widest = (room[0] - sizes.names - sizes.remarks - 2 * sizes.gap) / self.columns
        tallest = (room[1] - 2 * self._heading - 2 * sizes.gap / 2) / (self.T + 2)
        self.width, self.height = min(widest, sizes.cell[0]), min(tallest, sizes.cell[1])
        self.font, self.decimals = self._font_and_decimals()

    @property
    def parts(self) -> tuple[_Part, ...]:
        """All matrices."""
        return self.query, self.keys, self.weights, self.values, self.output

    @property
    def masked(self) -> bool:
        """Whether the mask hides a token from this query."""
        return self.weights.masked is not None and bool(self.weights.masked.any())

    @property
    def _heading(self) -> float:
        return self.sizes.symbol * 1.5

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of everything."""
        sizes = self.sizes
        width = sizes.names + self.columns * self.width + 2 * sizes.gap + sizes.remarks
        return width, 2 * self._heading + sizes.gap + (self.T + 2) * self.height

    def _font_and_decimals(self) -> tuple[int, int | None]:
        """Return the largest font with the most decimals that fit; None where no digit does."""
        for decimals in range(self.style.decimals, FEWEST_DECIMALS - 1, -1):
            for font in self.sizes.fonts:
                if self.height >= font * 1.3 and self._widest(decimals, font) <= self.width - 4:
                    return font, decimals
        return self.sizes.fonts[-1], None

    @property
    def rounded(self) -> bool:
        """Whether a number is drawn with fewer decimals than were asked for and needed."""
        most = self.decimals or 0
        return any(_decimals(part, self.style.decimals) > most for part in self.parts)

    def _widest(self, decimals: int, font: float) -> float:
        texts = {text for part in self.parts for text in _texts(part, decimals)}
        return max(text_width(text, font) for text in texts)

    # ---- drawing

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw everything from its upper left corner."""
        sizes = self.sizes
        x = left + sizes.names
        query = top + self._heading
        first = query + self.height + sizes.gap / 2 + self._heading
        output = first + self.T * self.height + sizes.gap / 2
        for part, y in (
            (self.query, query), (self.keys, first), (self.weights, first), (self.values, first),
            (self.output, output),
        ):  # fmt: skip
            self._part(canvas, part, self._x(part.first, x), y)
        for part in (self.keys, self.weights, self.values):
            self._later(canvas, part, self._x(part.first, x), first)
        self._headings(canvas, x, query, first, output)
        self._names(canvas, x, query, first)
        self._remarks(canvas, x, first)

    def _x(self, column: int, left: float) -> float:
        """Return where a column begins; a gap separates keys, weights and values."""
        d_k = self.keys.columns
        gaps = (column >= d_k) + (column > d_k)
        return left + column * self.width + gaps * self.sizes.gap

    def _part(self, canvas: Canvas, part: _Part, left: float, top: float) -> None:
        texts = iter(_texts(part, self.decimals))
        largest = float(np.abs(part.values).max(initial=0.0))
        for row, column in np.ndindex(*part.values.shape):
            text = next(texts)
            hidden = part.masked is not None and bool(part.masked[row, column])
            place = self._place(left + column * self.width, top + row * self.height)
            fill = self._fill(part, float(part.values[row, column]), largest, hidden=hidden)
            canvas.cell(place, fill, self._tip(part, row, column), None, radius=3)
            if hidden:
                hatch = hatching(place)
                canvas.path(hatch, stroke=self.style.colours.hatch, stroke_width=1, level=HATCH)
            if self.decimals is not None:
                middle = (place[0] + place[2] / 2, place[1] + place[3] / 2)
                ink = readable_on(fill, self.style.theme)
                canvas.text(*middle, "0" if hidden else text, self.font, ink)

    def _place(self, x: float, y: float) -> tuple[float, float, float, float]:
        gap = 1.0 if self.style.size == "screen" else 1.5
        return x + gap, y + gap, self.width - 2 * gap, self.height - 2 * gap

    def _fill(self, part: _Part, value: float, largest: float, *, hidden: bool) -> str:
        if hidden:
            return self.style.colours.masked
        if part.role == "weights":
            return weight_fill(value, self.style.theme)
        return role_fill(part.role, value / largest if largest else 0.0, self.style.theme)

    def _later(self, canvas: Canvas, part: _Part, left: float, top: float) -> None:
        """Leave the places of later tokens empty, with an outline."""
        for row in range(self.step, self.T):
            for column in range(part.columns):
                place = self._place(left + column * self.width, top + row * self.height)
                canvas.rect(
                    *place, stroke=self.style.colours.line, stroke_width=1, radius=3, level=BACK
                )

    def _headings(
        self, canvas: Canvas, left: float, query: float, first: float, output: float
    ) -> None:
        for part, top in (
            (self.query, query), (self.keys, first), (self.weights, first), (self.values, first),
        ):  # fmt: skip
            self._heading_of(canvas, part, self._x(part.first, left), top)
        # How the weights and the output are made stands where there is nothing else.
        q, a, o = self.query.symbol, self.weights.symbol, self.output.symbol
        rest = " ÷ √d_k + M)" if self.masked else " ÷ √d_k)"
        made: Formula = (
            (a, "weights"), (" = softmax(", "input"), (q, "query"), (" ", "input"),
            ("K^T", "key"), (rest, "input"),
        )  # fmt: skip
        # Above the weights, or as far to the left of that as it takes.
        end = self._x(self.columns, left) + self.sizes.remarks
        x = min(self._x(self.weights.first, left), end - self._width_of(made, canvas))
        if x > left + self.query.columns * self.width + self.sizes.label * 0.5:
            self._formula(canvas, made, x, query + self.height / 2)
        made = ((o, "output"), (" = ", "input"), (a, "weights"), (" ", "input"), ("V", "value"))
        x = self._x(self.output.first, left) - self.sizes.label
        self._formula(canvas, made, x - self._width_of(made, canvas), output + self.height / 2)

    def _width_of(self, formula: Formula, canvas: Canvas) -> float:
        size = self.sizes.formula
        return sum(symbol_width(symbol, size, True, canvas.smallest) for symbol, _ in formula)

    def _formula(self, canvas: Canvas, formula: Formula, x: float, y: float) -> None:
        for symbol, role in formula:
            colour = self.style.colours.roles[role]
            x = draw_symbol(canvas, x, y, symbol, self.sizes.formula, colour)

    def _heading_of(self, canvas: Canvas, part: _Part, left: float, top: float) -> None:
        y, sizes, colours = top - self._heading * 0.45, self.sizes, self.style.colours
        colour = colours.roles[part.role]
        end = draw_symbol(canvas, left + 1, y, part.symbol, sizes.symbol, colour)
        rows, columns = part.values.shape
        text, x = f"{part.caption}  {rows} × {columns}", end + sizes.label * 0.6
        room = columns * self.width - (x - left)
        if part.caption and text_width(text, sizes.label) <= room:
            # Digits and capitals are about 0.72 em tall: the two stand on one base line.
            y += (sizes.symbol - sizes.label) * 0.36
            canvas.text(x, y, text, sizes.label, colours.muted, align="left")

    def _names(self, canvas: Canvas, left: float, query: float, first: float) -> None:
        label, colours, tokens = self.sizes.label, self.style.colours, self.result.head.tokens
        room = self.sizes.names - label
        rows = [(self.step - 1, query), *((i, first + i * self.height) for i in range(self.T))]
        for token, top in rows:
            new = token == self.step - 1
            shown = fit_text(tokens[token], label, room, bold=new)
            colour = colours.text if new else colours.muted
            x, y = left - label * 0.6, top + self.height / 2
            canvas.text(x, y, shown, label, colour, bold=new, align="right")

    def _remarks(self, canvas: Canvas, left: float, first: float) -> None:
        """Say to the right of the rows what the cache held before, and what is new in it."""
        t, label, colours = translator(self.style.language), self.sizes.label, self.style.colours
        x = self._x(self.columns, left) + label * 0.5
        last = first + (self.step - 1) * self.height
        y = last + self.height / 2
        canvas.text(x + label * 0.7, y, t("new"), label, colours.text, bold=True, align="left")
        if self.step > 1:
            path = f"M{x:.2f},{first + 3:.2f}V{last - 3:.2f}"
            canvas.path(path, stroke=colours.muted, stroke_width=1.5, level=BACK)
            y = (first + last) / 2
            canvas.text(x + label * 0.7, y, t("cached"), label, colours.muted, align="left")
        for part in (self.keys, self.values):
            start, width = self._x(part.first, left), part.columns * self.width
            thick = 2.25 if self.style.size == "screen" else 3.5
            canvas.rect(
                start, last, width, self.height,
                stroke=colours.text, stroke_width=thick, radius=4, level=FRAME,
            )  # fmt: skip

    def _tip(self, part: _Part, row: int, column: int) -> str:
        t, tokens = translator(self.style.language), self.result.head.tokens
        token = row if part.values.shape[0] > 1 else self.step - 1
        return t(
            "{matrix}, row {row}, column {column}: {value}",
            matrix=part.symbol[0],
            row=named(token, tokens, t),
            column=column + 1,
            value=number_in_full(float(part.values[row, column])),
        )


def _decimals(part: _Part, most: int) -> int:
    return decimals_needed(part.values, most, typed=part.role == "weights")


def _texts(part: _Part, decimals: int | None) -> Iterator[str]:
    """Yield the numbers of a part in their order."""
    shown = _decimals(part, decimals or 0)
    return (number(float(value), shown) for value in part.values.ravel())

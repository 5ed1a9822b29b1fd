"""The six steps of attention in one strip, with symbolic shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.experiments.worked_example import Params, Result, run
from pages.figures.board import hatching
from pages.figures.canvas import BACK, CELLS, HATCH, Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.layout import largest_of
from pages.figures.measure import balance_text
from pages.figures.palette import role_fill, score_fill, weight_fill
from pages.figures.slide import open_sheet
from pages.figures.symbols import draw_symbol, plain, symbol_width
from pages.text import Translator, translator

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Card:
    """One step: its name, its phrase, its formula and shapes as (symbol, role), its picture."""

    name: str
    phrase: str
    formula: Pairs
    shapes: str
    picture: tuple[str, ...]
    role: str


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output.

    ``steps`` are the ways down from the name's middle to the picture, from the picture to the
    formula's middle, and from there to the phrase; None shares out the height of the card.
    """

    columns: int
    width: float
    height: float
    gap: float
    row_gap: float
    padding: float
    name: int
    text: int
    formula: int
    unit: float
    steps: tuple[float, float, float] | None = None


_SCREEN = _Sizes(3, 279, 154, 15, 15, 15, 18, 14, 21, 11, steps=(18, 21, 21 * 0.75 + 14 * 0.55))
_SCREEN_PADDING = 4
_SCREEN_GRID = ((_SCREEN.columns, _SCREEN.width), (2, _SCREEN.height))
_SHEETS: dict[SizeName, _Sizes] = {
    "slide": _Sizes(3, 0, 0, 30, 24, 20, 28, 20, 34, 20),
    "half": _Sizes(2, 0, 0, 20, 10, 12, 20, 18, 23, 9),
    "square": _Sizes(2, 0, 0, 20, 12, 10, 22, 18, 26, 11),
}
_STEPS, _PICTURE_ROWS = 6, 4
_LINE = 1.25


def _filling(sizes: _Sizes, width: float, height: float) -> _Sizes:
    """Return the sizes with cards that fill a room of this width and height."""
    rows = _STEPS // sizes.columns
    return replace(
        sizes,
        width=(width - (sizes.columns - 1) * sizes.gap) / sizes.columns,
        height=(height - (rows - 1) * sizes.row_gap) / rows,
    )


def _along(count: int, side: float, gap: float) -> float:
    """Return the length of ``count`` cards in a row or a column."""
    return count * side + (count - 1) * gap


def _cards(t: Translator) -> tuple[_Card, ...]:
    return (
        _Card(
            t("Project"), t("Three views of every token"),
            (("Q", "query"), (" = ", "input"), ("X ", "input"), ("W_Q", "query")),
            "T × d_k", ("X", "→", "Q", "K", "V"), "query",
        ),
        _Card(
            t("Score"), t("Every query meets every key"),
            (("S", "scores"), (" = ", "input"), ("Q ", "query"), ("K^T", "key")),
            "T × T", ("Q", "×", "K^T", "=", "S"), "scores",
        ),
        _Card(
            t("Scale"), t("Keep softmax from saturating"),
            (("S′", "scores"), (" = ", "input"), ("S ", "scores"), ("÷ √d_k", "input")),
            "T × T", ("S", "→", "S′"), "scores",
        ),
        _Card(
            t("Mask"), t("Hide what may not be seen"),
            (("S″", "scores"), (" = ", "input"), ("S′ ", "scores"), ("+ M", "input")),
            "T × T", ("S′", "→", "S″"), "scores",
        ),
        _Card(
            t("Softmax"), t("Turn each row into weights"),
            (("A", "weights"), (" = softmax(", "input"), ("S″", "scores"), (")", "input")),
            "T × T", ("S″", "→", "A"), "weights",
        ),
        _Card(
            t("Output"), t("A weighted mean of the values"),
            (("O", "output"), (" = ", "input"), ("A ", "weights"), ("V", "value")),
            "T × d_v", ("A", "×", "V", "=", "O"), "output",
        ),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _example() -> Result:
    # Real numbers make the small pictures: the textbook example under a causal mask.
    return run(Params(causal=True), backend="numpy")


@dataclass(frozen=True)
class _Picture:
    """One small matrix and how it is coloured."""

    values: np.ndarray
    role: str
    ramp: str = "role"
    masked: bool = False


def _pictures(result: Result) -> dict[str, _Picture]:
    trace = result.trace
    return {
        "X": _Picture(np.array(result.params.x), "input"),
        "Q": _Picture(trace.q, "query"),
        "K": _Picture(trace.k, "key"),
        "K^T": _Picture(trace.k.T, "key"),
        "V": _Picture(trace.v, "value"),
        "S": _Picture(trace.scores, "scores", "scores"),
        "S′": _Picture(trace.scaled, "scores", "scores"),
        "S″": _Picture(trace.masked, "scores", "scores", masked=True),
        "A": _Picture(trace.weights, "weights", "weights", masked=True),
        "O": _Picture(trace.output, "output"),
    }


class _Strip:
    """Draws the cards."""

    def __init__(self, canvas: Canvas, style: Style, sizes: _Sizes) -> None:
        self.canvas, self.style, self.sizes = canvas, style, sizes
        self.pictures = _pictures(_example())
        self.limit = largest_of(_example().trace.scores)

    @cached_property
    def steps(self) -> tuple[float, float, float, float]:
        """The ways down: to the name's middle, to the picture, to the formula, to the phrase."""
        sizes = self.sizes
        if sizes.steps is not None:
            return sizes.padding + sizes.name * 0.7, *sizes.steps
        room = sizes.width - 2 * sizes.padding
        cards = _cards(translator(self.style.language))
        lines = max(len(balance_text(card.phrase, sizes.text, room)) for card in cards)
        words = (sizes.name, sizes.formula * 1.1, sizes.text * _LINE * lines)
        free = sizes.height - sum(words) - sizes.unit * _PICTURE_ROWS
        # More above the name, where the bar is; less between the formula and its phrase.
        gap = free / (1.4 + 0.9 + 0.9 + 0.3 + 0.9)
        return (
            gap * 1.4 + sizes.name / 2,
            sizes.name / 2 + gap * 0.9,
            gap * 0.9 + sizes.formula * 0.55,
            sizes.formula * 0.55 + gap * 0.3 + sizes.text * _LINE / 2,
        )

    def card(self, number: int, card: _Card, left: float, top: float) -> None:
        """Draw one card from its upper left corner."""
        sizes, colours = self.sizes, self.style.colours
        role = colours.roles[card.role]
        self.canvas.rect(left, top, sizes.width, sizes.height, fill=colours.surface, radius=8)
        self.canvas.rect(left, top, sizes.width, 4, fill=role, radius=2, level=CELLS)
        to_name, to_picture, to_formula, to_phrase = self.steps
        x, y = left + sizes.padding, top + to_name
        self.canvas.text(x, y, str(number), sizes.name, role, bold=True, align="left")
        self.canvas.text(
            x + sizes.name, y, card.name, sizes.name, colours.text, bold=True, align="left"
        )
        self._shape(card.shapes, left + sizes.width - sizes.padding, y)
        y += to_picture + sizes.unit * 2
        self._picture(card.picture, left + sizes.width / 2, y)
        y += sizes.unit * 2 + to_formula
        self._pairs(card.formula, x, y)
        y += to_phrase
        self._phrase(card.phrase, left, y)

    def _shape(self, shape: str, right: float, y: float) -> None:
        size, colour = self.sizes.text, self.style.colours.muted
        left = right - symbol_width(shape, size, False, self.canvas.smallest)
        draw_symbol(self.canvas, left, y, shape, size, colour, bold=False)

    def _pairs(self, pairs: Pairs, x: float, y: float) -> None:
        for symbol, role in pairs:
            colour = self.style.colours.roles[role]
            x = draw_symbol(self.canvas, x, y, symbol, self.sizes.formula, colour)

    def _phrase(self, phrase: str, left: float, y: float) -> None:
        sizes, colours = self.sizes, self.style.colours
        x = left + sizes.padding
        for line in balance_text(phrase, sizes.text, sizes.width - 2 * sizes.padding):
            self.canvas.text(x, y, line, sizes.text, colours.muted, align="left")
            y += sizes.text * _LINE

    def _widths(self, picture: tuple[str, ...]) -> list[float]:
        return [
            self.pictures[part].values.shape[1] * self.sizes.unit
            if part in self.pictures
            else self.sizes.text * 0.9
            for part in picture
        ]

    def _picture(self, picture: tuple[str, ...], centre: float, middle: float) -> None:
        gap = self.sizes.unit * 0.5
        widths = self._widths(picture)
        x = centre - (sum(widths) + gap * (len(widths) - 1)) / 2
        for part, width in zip(picture, widths, strict=True):
            if part in self.pictures:
                self._glyph(self.pictures[part], x, middle)
            else:
                size, colour = self.sizes.text * 1.1, self.style.colours.muted
                self.canvas.text(x + width / 2, middle, part, size, colour)
            x += width + gap

    def _glyph(self, picture: _Picture, left: float, middle: float) -> None:
        unit = self.sizes.unit
        rows, columns = picture.values.shape
        top = middle - rows * unit / 2
        for row, column in np.ndindex(rows, columns):
            place = (left + column * unit, top + row * unit, unit - 1, unit - 1)
            self.canvas.rect(*place, fill=self._fill(picture, row, column), radius=1.5, level=CELLS)
            if picture.masked and column > row:
                hatch, stroke = hatching(place, 4), self.style.colours.hatch
                self.canvas.path(hatch, stroke=stroke, stroke_width=1, level=HATCH)

    def _fill(self, picture: _Picture, row: int, column: int) -> str:
        value, theme = float(picture.values[row, column]), self.style.theme
        if picture.masked and column > row:
            return self.style.colours.masked
        if picture.ramp == "weights":
            return weight_fill(value, theme)
        if picture.ramp == "scores":
            return score_fill(value, self.limit, theme)
        return role_fill(picture.role, 0.25 + 0.75 * value / largest_of(picture.values), theme)


def _chevron(canvas: Canvas, x: float, y: float, size: float) -> None:
    path = f"M{x - size / 2:.1f},{y - size:.1f}l{size:.1f},{size:.1f}l{-size:.1f},{size:.1f}"
    canvas.path(path, stroke=canvas.colours.muted, stroke_width=2, level=BACK)


def _place(index: int, sizes: _Sizes, origin: tuple[float, float]) -> tuple[float, float]:
    row, column = divmod(index, sizes.columns)
    left = origin[0] + column * (sizes.width + sizes.gap)
    return left, origin[1] + row * (sizes.height + sizes.row_gap)


def _draw(canvas: Canvas, style: Style, sizes: _Sizes, origin: tuple[float, float]) -> None:
    strip = _Strip(canvas, style, sizes)
    for index, card in enumerate(_cards(translator(style.language))):
        left, top = _place(index, sizes, origin)
        strip.card(index + 1, card, left, top)
        if (index + 1) % sizes.columns:
            x, y = left + sizes.width + sizes.gap / 2, top + sizes.height / 2
            _chevron(canvas, x, y, sizes.gap * 0.4)


def _formula_text(card: _Card) -> str:
    return plain("".join(symbol for symbol, _ in card.formula))


def steps_figure(style: Style) -> Figure:
    """Draw the six steps of attention, from the input to the output, with symbolic shapes.

    Parameters
    ----------
    style : Style
        Theme, language, size.

    Returns
    -------
    Figure
    """
    t = translator(style.language)
    title = t("Attention in six steps")
    note = t("The small pictures hold the textbook example, computed with a causal mask.")
    if style.size != "screen":
        canvas, (left, top, width, height) = open_sheet(style, title, note, "query")
        _draw(canvas, style, _filling(_SHEETS[style.size], width, height), (left, top))
    else:
        width, height = (_along(count, side, _SCREEN.gap) for count, side in _SCREEN_GRID)
        canvas = Canvas(
            width + 2 * _SCREEN_PADDING,
            height + 2 * _SCREEN_PADDING,
            style.colours,
            transparent=style.transparent,
        )
        _draw(canvas, style, _SCREEN, (_SCREEN_PADDING, _SCREEN_PADDING))
    cards = _cards(t)
    rows = tuple(
        (index + 1, card.name, _formula_text(card), card.shapes, card.phrase)
        for index, card in enumerate(cards)
    )
    steps = t.clauses(f"{card.name} {_formula_text(card)}" for card in cards)
    alt = t.sentences(t("{title}.", title=title), t("{steps}.", steps=steps))
    table = Table(("step", "name", "formula", "shape", "meaning"), rows)
    return Figure("attention-in-six-steps", title, canvas.spec(alt), table, note, alt)

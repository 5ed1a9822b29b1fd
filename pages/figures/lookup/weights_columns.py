"""Which columns the table of a lookup has, and how wide each is: what fits, the most first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from engine.experiments.lookup.soft import Result
from pages.figures.figure import SizeName, Style
from pages.figures.lookup.weights_written import Written, written
from pages.figures.measure import text_width
from pages.text import Translator, mark, translator
from pages.text.lookup_words import similarity_formula, temperature_words

Keys = Literal["numbers", "bars", "none"]
FEWEST_DECIMALS = 2
_A_SHAPE = 4  # components that are drawn as bars: fewer are specks whose heights tell nothing
_LEAST = 2.4  # times the font: a column that has no more looks like a gap between others
# Headings; on a narrow sheet they take two lines.
HEADINGS = {
    "name": mark("name"),
    "key": mark("key"),
    "value": mark("value"),
    "score": mark("score"),
    "weight": mark("soft weight"),
    "hard": mark("hard weight"),
    "contribution": mark("weight ×\N{NO-BREAK SPACE}value"),
}
QUERY = mark("query")


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output: fonts, the height of a row, what stays free.

    ``row`` are the lowest and the highest row, ``bar`` the shortest and the longest bar, ``gap``
    lies between two columns and ``pad`` on both sides of a number in its cell; ``glyph`` is the
    width of one component where a vector is drawn as bars.
    """

    font: int
    small: int
    row: tuple[float, float]
    bar: tuple[float, float]
    gap: float
    pad: float
    glyph: float
    cut: float

    @property
    def head(self) -> float:
        """Height of the headings."""
        return self.small * 2.5 + self.pad


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(13, 12, (18, 34), (90, 300), 12, 5, 10, 7),
    "slide": Sizes(20, 18, (22, 62), (120, 460), 20, 8, 14, 7),
    "half": Sizes(18, 18, (20, 62), (36, 300), 8, 4, 11, 5.5),
    "square": Sizes(18, 18, (20, 62), (84, 300), 12, 5, 12, 6),
}


@dataclass(frozen=True)
class Plan:
    """What is drawn: keys as numbers, as bars or not at all; values; how many of their columns."""

    keys: Keys
    values: bool
    cut: bool
    decimals: int
    shown: int


@dataclass(frozen=True)
class Columns:
    """Columns by name: where each begins and how wide it is; ``cell`` is one number of it."""

    plan: Plan
    texts: Written
    lefts: dict[str, float]
    widths: dict[str, float]
    cells: dict[str, float]
    number: float
    total: float


def columns_of(result: Result, style: Style, room: float) -> Columns:
    """Return the columns with the most in them that fit into a room."""
    fitting = _Fitting(result, style)
    for plan in _plans(result, style):
        columns = fitting.columns(plan, room)
        if columns is not None:
            return columns
    raise AssertionError("one column of values without a decimal fits every sheet")


def _plans(result: Result, style: Style) -> Iterator[Plan]:
    e = len(result.params.values[0])
    fewest = min(FEWEST_DECIMALS, style.decimals)
    usual = range(style.decimals, fewest - 1, -1)
    kinds: tuple[tuple[Keys, bool, bool], ...] = (
        ("numbers", True, False), ("numbers", True, True), ("bars", True, False),
        ("bars", True, True), ("none", True, False), ("none", True, True), ("bars", False, True),
        ("none", False, True),
    )  # fmt: skip
    bars = len(result.params.query) >= _A_SHAPE
    usable = [each for each in kinds if bars or each[0] != "bars"]
    for (keys, values, cut), decimals in product(usable, usual):
        yield Plan(keys, values, cut, decimals, e)
    for shown, decimals in product(range(e, 0, -1), range(fewest, _least_decimals(result) - 1, -1)):
        yield Plan("none", False, True, decimals, shown)


def _least_decimals(result: Result) -> int:
    """Return with how many decimals the largest number that comes out still has two digits."""
    outputs = (result.soft.output, result.hard_output)
    largest = max(float(np.abs(each).max()) for each in outputs)
    return 0 if largest >= 10 else 1


def formula_of(name: str, result: Result, t: Translator) -> str:
    """Return what stands below the heading of a column; empty where that is nothing."""
    params = result.params
    divided = "" if params.temperature == 1 else f" ÷ {temperature_words(params)}"
    return {
        "score": similarity_formula(params.similarity),
        "weight": t("softmax(score{divided})", divided=divided),
        "hard": t("largest score"),
    }.get(name, "")


class _Fitting:
    """Finds the widths of the columns of a plan."""

    def __init__(self, result: Result, style: Style) -> None:
        self.result, self.sizes = result, SIZES[style.size]
        self.wide = style.size in ("screen", "slide")
        self.t: Translator = translator(style.language)

    def columns(self, plan: Plan, room: float) -> Columns | None:
        """Return the columns, the bars as long as there is room; None where they do not fit."""
        texts, sizes = written(self.result, plan.decimals), self.sizes
        cells = self._cells(plan, texts)
        widths = {"name": self._names(plan), **self._widths(plan, cells)}
        number = self._widest(texts.weights, texts.weights_sum) + sizes.pad
        spare = room - sum(widths.values()) - sizes.gap * len(widths) - number
        if spare < sizes.bar[0]:
            return None
        spare = self._widened(widths, spare)
        longest = number + min(spare, sizes.bar[1])
        widths["weight"] = max(longest, self._heading("weight"))
        order = [name for name in HEADINGS if name in widths]
        lefts, x = {}, 0.0
        for name in order:
            lefts[name] = x
            x += widths[name] + sizes.gap
        return Columns(plan, texts, lefts, widths, cells, number, x - sizes.gap)

    def _widened(self, widths: dict[str, float], spare: float) -> float:
        """Widen columns for what stands below their headings, and narrow ones; return the rest."""
        sizes, least = self.sizes, _LEAST * self.sizes.font
        for name in ("hard", "score", "value", "contribution"):
            below = text_width(formula_of(name, self.result, self.t), sizes.small)
            wanted = max(least, below - sizes.gap if self.wide else 0.0)
            more = wanted - widths.get(name, wanted)
            if 0 < more <= spare - sizes.bar[0]:
                widths[name] += more
                spare -= more
        return spare

    def _cells(self, plan: Plan, texts: Written) -> dict[str, float]:
        """Return how wide one number of each column is, with what stays free beside it."""
        pad = 2 * self.sizes.pad
        cells = {
            "score": self._widest(texts.scores) + pad,
            "hard": self._widest(texts.hard, texts.hard_sum) + pad,
            "contribution": self._widest(*texts.contributions, texts.soft, texts.picked) + pad,
        }
        if plan.values:
            cells["value"] = self._widest(*texts.values) + pad
        if plan.keys == "numbers":
            cells["key"] = self._widest(*texts.keys, texts.query) + pad
        elif plan.keys == "bars":
            cells["key"] = self.sizes.glyph
        return cells

    def _widths(self, plan: Plan, cells: dict[str, float]) -> dict[str, float]:
        counts = {"key": len(self.result.params.query), "value": plan.shown,
                  "contribution": plan.shown}  # fmt: skip
        return {
            name: max(cell * counts.get(name, 1), self._heading(name))
            for name, cell in cells.items()
        }

    def _widest(self, *texts: str | Iterable[str]) -> float:
        flat = [each for text in texts for each in ([text] if isinstance(text, str) else text)]
        return max(text_width(text, self.sizes.font) for text in flat)

    def _heading(self, name: str) -> float:
        """Return what a heading takes: one line of a wide table, else a line for each word."""
        text, font = self.t(HEADINGS[name]), self.sizes.small
        whole = text_width(text, font, True)
        if self.wide or len(text.split(" ")) == 1:
            return whole
        return max(text_width(part, font, True) for part in text.split(" "))

    def _names(self, plan: Plan) -> float:
        texts = [*self.result.params.names, self.t(QUERY)]
        width = max(text_width(text, self.sizes.font, True) for text in texts)
        return min(width, self.sizes.cut * self.sizes.font) if plan.cut else width

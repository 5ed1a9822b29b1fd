"""What stands in the table of mask mistakes: which columns a size holds, and their texts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from engine.experiments.masks.mistakes import DTYPES, Dtype, MistakesResult, Outcome
from engine.experiments.masks.precision import Precision
from pages.figures.figure import SizeName, Style
from pages.figures.measure import text_width
from pages.figures.numerals import measured_number
from pages.text import Translator, translator
from pages.text.marking import mark
from pages.text.mask_words import NOTHING_TO_JUDGE, full_row_words

_UNITS = 4  # of the spacing above 1
_LONG = 10  # tokens
SHORT: dict[Dtype, str] = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output.

    Parameters
    ----------
    name : float
        Width of the column of names.
    measures : tuple
        Measured columns from left to right, each with its width.
    verdict : float
        Width of each column of verdicts.
    words : bool
        Whether verdicts are words beside their marks, and dtypes are written out.
    name_font, font : int
        Of names, and of everything else.
    head : float
        Height of the headings.
    row : float
        The tallest that a row may be.
    """

    name: float
    measures: tuple[tuple[str, float], ...]
    verdict: float
    words: bool
    name_font: int
    font: int
    head: float
    row: float

    @property
    def width(self) -> float:
        """Width of the whole table."""
        return self.name + sum(width for _, width in self.measures) + len(DTYPES) * self.verdict

    def height(self, rows: int) -> float:
        """Return the height of the table where its rows are as tall as they may be."""
        return self.head + self.row * rows


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(
        214,
        (("sums", 108), ("difference", 72), ("leak", 62), ("nan", 56), ("full", 84)),
        64, True, 13, 12, 50, 27,
    ),
    "slide": Sizes(
        300,
        (("sums", 146), ("difference", 104), ("leak", 72), ("nan", 70), ("full", 124)),
        88, True, 18, 18, 72, 42,
    ),
    "half": Sizes(300, (("leak", 76),), 50, False, 18, 18, 60, 40),
    "square": Sizes(296, (("leak", 64), ("full", 104)), 46, False, 18, 18, 68, 40),
}  # fmt: skip

ROUNDING = "≈ 0"  # a leak that is nothing but rounding

HEADINGS = {
    "sums": mark("row sums"),
    "difference": mark("largest difference"),
    "leak": mark("leak"),
    "nan": mark("NaN rows"),
    "full": mark("fully masked row"),
}


def rounding(dtype: Dtype) -> float:
    """Return what a sum of weights may miss 1 by, when each is rounded to the dtype."""
    return _UNITS * Precision(dtype).eps


@dataclass(frozen=True)
class Measure:
    """The text of one measured cell, whether it shows what is wrong, and what to add to it."""

    text: str
    wrong: bool
    about: str = ""


def _sums(outcome: Outcome, decimals: int, t: Translator) -> Measure:
    ends = [measured_number(value, decimals) for value in outcome.row_sums]
    off = max(abs(value - 1.0) for value in outcome.row_sums)
    text = ends[0] if ends[0] == ends[1] else t("{least} to {most}", least=ends[0], most=ends[1])
    return Measure(text, not outcome.right and off > rounding(outcome.dtype))


def _difference(outcome: Outcome, decimals: int, _t: Translator) -> Measure:
    nothing_left = bool(outcome.nan_rows) and math.isnan(outcome.difference)
    wrong = outcome.differs or nothing_left
    return Measure(measured_number(outcome.difference, decimals), wrong)


def _leak(outcome: Outcome, decimals: int, t: Translator) -> Measure:
    # Without a NaN in sight, "not a number" says that there was nothing to measure.
    if math.isnan(outcome.leak) and not outcome.nan_rows:
        return Measure("–", outcome.leaks)
    text = measured_number(outcome.leak, decimals)
    if is_rounding(outcome):
        return Measure(ROUNDING, False, t("{value}, which is rounding", value=text))
    return Measure(text, outcome.leaks)


def is_rounding(outcome: Outcome) -> bool:
    """Return whether outputs moved, and rounding accounts for it."""
    return outcome.leak > 0 and not outcome.leaks


def _nan_rows(outcome: Outcome, _decimals: int, t: Translator) -> Measure:
    if not outcome.nan_rows:
        return Measure("0", False)
    rows, T = outcome.nan_rows, outcome.weights.shape[0]
    # Two long numbers are wider than their column.
    return Measure(t("{rows} of {T}", rows=rows, T=T) if T < _LONG else str(rows), True)


def _full_row(outcome: Outcome, _decimals: int, t: Translator) -> Measure:
    return Measure(full_row_words(outcome, t), False)


_MEASURES: dict[str, Callable[[Outcome, int, Translator], Measure]] = {
    "sums": _sums,
    "difference": _difference,
    "leak": _leak,
    "nan": _nan_rows,
    "full": _full_row,
}
_NUMBERS = ("sums", "difference", "leak")


def measure(name: str, outcome: Outcome, decimals: int, t: Translator) -> Measure:
    """Return what stands in a measured column; a dash where there is nothing to judge."""
    if not outcome.judged and name != "full":
        return Measure("–", False, t(NOTHING_TO_JUDGE))
    return _MEASURES[name](outcome, decimals, t)


def fitting_decimals(result: MistakesResult, dtype: Dtype, style: Style) -> int:
    """Return with how many decimals, at most the style's, every number fits its column."""
    sizes, t = SIZES[style.size], translator(style.language)
    outcomes = [variant.outcomes[dtype] for variant in result.variants]
    columns = [(name, width) for name, width in sizes.measures if name in _NUMBERS]
    for decimals in range(style.decimals, 0, -1):
        fits = (
            text_width(measure(name, outcome, decimals, t).text, sizes.font, bold=True) <= width - 6
            for name, width in columns
            for outcome in outcomes
        )
        if all(fits):
            return decimals
    return 0

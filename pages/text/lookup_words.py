"""What similarities and ways to score are called, and the numbers of a lookup in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.experiments.lookup import cost, roles
from engine.experiments.lookup.similarities import UNITS
from engine.experiments.lookup.soft import Result
from engine.experiments.lookup.table import Params, Similarity
from pages.figures.numerals import MINUS, number
from pages.text.digits import digits
from pages.text.marking import mark
from pages.text.memory_measured_words import share_words
from pages.text.translator import Translator

Way = roles.Way | cost.Way
_SIMILARITIES: dict[Similarity, str] = {
    "dot": mark("dot product"),
    "scaled": mark("scaled dot product"),
    "cosine": mark("cosine"),
    "gaussian": mark("Gaussian kernel"),
    "additive": mark("additive"),
}
# As short as a formula; what is additive has none that is short.
_FORMULAS: dict[Similarity, str] = {
    "dot": "q·k",
    "scaled": "q·k ÷ √d",
    "cosine": "cos(q, k)",
    "gaussian": "−|q − k|² ÷ 2",
    "additive": "w·tanh(…)",
}
_WAYS: dict[Way, str] = {
    "free": mark("W_Q and W_K free"),
    "tied": mark("W_Q and W_K tied"),
    "dot": mark("dot product"),
    "additive": mark("additive"),
}
_GROUPED, _WHOLE = 1e3, 1e5  # from here on a score is grouped, and has no decimals
_SMALL = 1e-3  # weights below it are powers of ten
_TINY = 1e-6  # lengths and dot products below it are
_DIGITS, _MOST_DIGITS = 4, 9  # of a length or a dot product


def similarity_words(similarity: Similarity, t: Translator) -> str:
    """Return what a similarity is called."""
    return t(_SIMILARITIES[similarity])


def similarity_formula(similarity: Similarity) -> str:
    """Return a similarity as a formula, the same in every language."""
    return _FORMULAS[similarity]


def way_words(way: Way, t: Translator) -> str:
    """Return whether W_Q and W_K are tied, or how scores are made."""
    return t(_WAYS[way])


def score_text(value: float, decimals: int) -> str:
    """Return a number of a table: in groups of three digits where it has more before the point."""
    rounded = round(abs(value), decimals)  # 999.999 without decimals is 1,000
    if rounded < _GROUPED:
        return number(value, decimals)
    return f"{value:,.{0 if rounded >= _WHOLE else min(decimals, 1)}f}".replace("-", MINUS)


def weight_text(weight: float) -> str:
    """Return a weight in three digits, a small one as a power of ten: ``0.0417``, ``6 × 10⁻⁷``."""
    return digits(weight) if weight == 0 or weight >= _SMALL else share_words(weight)


def vector_text(vector: Sequence[float], decimals: int) -> str:
    """Return a vector in brackets, each number without decimals that say nothing."""
    return "(" + ", ".join(_short(score_text(value, decimals)) for value in vector) + ")"


def _short(text: str) -> str:
    shorter = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if shorter in ("", MINUS, f"{MINUS}0") else shorter


def length_text(value: float) -> str:
    """Return a length or a dot product in four digits, a small one as a power of ten with one."""
    return _in_digits(value, 1 if abs(value) < _TINY else _DIGITS)


def _in_digits(value: float, count: int) -> str:
    if 0 < abs(value) < _TINY:
        return f"{MINUS if value < 0 else ''}{share_words(abs(value), count)}"
    return digits(value + 0.0, count).replace("-", MINUS)


def dot_of(result: Result, row: int) -> float:
    """Return the dot product of the query and a key; 0 where it is that to rounding."""
    dot, plane = float(result.plane.dots[row]), result.plane
    reach = plane.query_length * float(plane.key_lengths[row])
    return dot if abs(dot) > UNITS * float(np.finfo(result.precision).eps) * reach else 0.0


class Product(NamedTuple):
    """The lengths of the query and a key, the cosine between them, and q·k, as they are written."""

    query: str
    key: str
    cosine: str
    dot: str


def product_of(result: Result, row: int) -> Product:
    """Return a dot product with its factors, neither vector being zero.

    The factors have four digits, or as many more as make their product the dot product that is
    written: in three decimals a small cosine would be 0.
    """
    dot = length_text(dot_of(result, row))
    lengths = result.plane.query_length, float(result.plane.key_lengths[row])
    # From the dot product that is written, which is 0 where there is nothing but rounding.
    cosine = max(-1.0, min(1.0, dot_of(result, row) / math.prod(lengths)))
    for count in range(_DIGITS, _MOST_DIGITS + 1):
        factors = [float(f"{each:.{count - 1}e}") for each in (*lengths, cosine)]
        if length_text(math.prod(factors)) == dot:
            break
    query, key, angle = (_in_digits(each, count) for each in factors)
    return Product(query, key, angle, dot)


def angle_text(degrees: float) -> str:
    """Return an angle with one decimal: ``22.1°``."""
    return f"{number(degrees, 1)}°"


def temperature_words(params: Params) -> str:
    """Return the temperature with all its digits, never as a power of ten."""
    return f"{params.temperature:,.12f}".rstrip("0").rstrip(".")

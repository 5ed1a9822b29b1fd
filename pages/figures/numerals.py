"""Numbers as they are drawn: rounded from the exact value, with a real minus sign."""

from __future__ import annotations

import math
import re

import numpy as np

MINUS = "−"
INFINITY = "∞"
_LARGE = 1e6
_PADDING = re.compile(r"e\+?(-?)0?(?=\d)")  # of an exponent as Python writes it: 1e-06, 1e+22


def number(value: float, decimals: int) -> str:
    """Return ``value`` rounded to ``decimals``; large values in powers of ten, never ``-0``.

    Parameters
    ----------
    value : float
        Any number, infinities included.
    decimals : int
        Digits after the point; of a value of a million or more, digits of its leading factor.
    """
    if math.isinf(value):
        return f"{MINUS}{INFINITY}" if value < 0 else INFINITY
    text = _power_of_ten(value, decimals) if abs(value) >= _LARGE else f"{value:.{decimals}f}"
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return text.replace("-", MINUS)


def measured_number(value: float, decimals: int) -> str:
    """Return a measured size: ``0`` where it is exactly that, ``6e−8`` where decimals show none.

    Not a number is written ``NaN``.
    """
    if math.isnan(value):
        return "NaN"
    if value == 0:
        return "0"
    text = number(value, decimals)
    if not text.strip("0."):  # rounded to nothing
        return _power_of_ten(value, 0).replace("-", MINUS)
    return text


def _power_of_ten(value: float, decimals: int) -> str:
    factor, exponent = f"{value:.{decimals}e}".split("e")
    return f"{factor}e{int(exponent)}"


def decimals_needed(values: np.ndarray, decimals: int, *, typed: bool = False) -> int:
    """Return the fewest decimals, at most ``decimals``, that write every one of ``values`` exactly.

    A matrix of whole numbers is drawn without a point; one number that needs more gives all of them
    ``decimals``, so that a shortened number never looks exact. ``typed`` says that the values were
    typed and not computed (see `rounding_noise`).
    """
    given = np.atleast_2d(values)
    finite = np.where(np.isfinite(given), given, 0.0).astype(float)
    if np.max(np.abs(finite), initial=0.0) >= _LARGE:
        return decimals
    noise = rounding_noise(given, typed=typed)
    for fewer in range(decimals):
        if np.all(np.abs(np.round(finite, fewer) - finite) <= noise):
            return fewer
    return decimals


def rounding_noise(values: np.ndarray, *, typed: bool = False) -> np.ndarray:
    """Return how far each cell may be from the number that it stands for.

    A computed cell carries some units in the last place of the largest cell of its row, in the
    precision of the matrix. A typed one carries nothing but the rounding of its own last digit, so
    that 1e-16 beside 5 is not taken for zero.
    """
    if typed:
        return np.asarray(4 * np.finfo(np.float64).eps * np.abs(values.astype(float)))
    precision = np.finfo(np.float32 if values.dtype == np.float32 else np.float64)
    finite = np.where(np.isfinite(values), np.abs(values), 0.0)
    largest = finite.max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(8 * float(precision.eps) * largest)


def numbers(values: np.ndarray, decimals: int) -> list[list[str]]:
    """Return a matrix as rows of drawn numbers."""
    return [[number(float(value), decimals) for value in row] for row in np.atleast_2d(values)]


def number_in_full(value: float) -> str:
    """Return a number with all its digits and a real minus sign: ``1e−6``, never ``1e−06``."""
    if math.isinf(value):
        return number(value, 0)
    whole = value.is_integer() and abs(value) < 1e15
    text = repr(int(value)) if whole else _PADDING.sub("e\\1", repr(value))
    return text.replace("-", MINUS)

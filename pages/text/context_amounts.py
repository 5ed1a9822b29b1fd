"""Numbers that are held against each other, with as many digits as tell them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from engine.shapes import Array
from pages.figures.numerals import number
from pages.text.amounts import DIGITS, SMALL, size
from pages.text.digits import digits
from pages.text.memory_measured_words import share_words

_MOST = 9  # digits: more than float32 has
_UNITS = 16  # in the last place of float32: what a softmax may err by


def told_apart(
    values: Sequence[float], write: Callable[[float, int], str], fewest: int
) -> list[str]:
    """Return numbers with the fewest digits in which different ones differ.

    Parameters
    ----------
    values : sequence of float
        Those that differ do so by more than rounding.
    write : callable
        Writes a number with so many digits.
    fewest : int
        Digits with which it begins; they stay where no more tell all of them apart.
    """
    for count in range(fewest, _MOST + 1):
        texts = [write(value, count) for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return [write(value, fewest) for value in values]


def weight_text(weight: float, decimals: int = DIGITS) -> str:
    """Return a weight with three decimals, or as a power of ten where these would be noughts."""
    if weight == 0:
        return "0"
    return number(weight, decimals) if weight >= 0.5 * 10**-decimals else _sized(weight, decimals)


def weights_apart(one: float, other: float) -> list[str]:
    """Return two weights with three decimals, or with those in which they differ."""
    return told_apart((one, other), weight_text, DIGITS)


def sizes_apart(one: float, other: float) -> list[str]:
    """Return two sizes as `size` writes them, or with the digits in which they differ."""
    return told_apart((one, other), _sized, DIGITS)


def ratio_apart(ratio: float, rounding: float) -> str:
    """Return a ratio above 0, with the digits in which it differs from 1 by more than rounding.

    ``rounding`` is that of its logarithm.
    """
    if abs(math.log(ratio)) <= rounding:
        return size(ratio)
    return told_apart((ratio, 1.0), _sized, DIGITS)[0]


def decimals_apart(one: float, other: float, fewest: int) -> list[str]:
    """Return two numbers with the decimals in which they differ."""
    return told_apart((one, other), number, fewest)


def percent_text(share: float) -> str:
    """Return a share of 1 in percent, in two digits: ``42``, ``0.0023``, ``2 × 10⁻⁶``."""
    percent = 100 * share
    return digits(percent, 2) if percent >= SMALL or percent == 0 else share_words(percent)


def tied_at_top(weights: Array) -> list[int]:
    """Return where some weights are largest: several places where these are alike to rounding."""
    largest = float(weights.max())
    least = largest * (1 - _UNITS * float(np.finfo(np.float32).eps))
    return np.flatnonzero(weights >= least).tolist()


def _sized(value: float, count: int) -> str:
    if count == DIGITS:
        return size(value)
    return digits(value, count) if value >= SMALL or value == 0 else share_words(value, count)

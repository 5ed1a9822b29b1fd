"""Measured sizes as the sentences on claims write them."""

from __future__ import annotations

from pages.figures.numerals import number
from pages.text.digits import digits
from pages.text.memory_measured_words import share_words

DIGITS = 3
SMALL = 1e-4  # below this a power of ten is easier to read
_ONE = 0.9995  # what is rounded to 1 is written as 1 is


def size(value: float) -> str:
    """Return a size of 0 or more: ``1.337``, ``0.0014``, and ``6 × 10⁻⁸`` of a very small one."""
    if value >= _ONE or value == 0:
        return number(value, DIGITS) if value else "0"
    return digits(value, DIGITS) if value >= SMALL else share_words(value)


def counted(values: tuple[int, ...]) -> tuple[str, ...]:
    """Return whole numbers in groups of three digits."""
    return tuple(f"{value:,}" for value in values)


def between(low: float, high: float, decimals: int = DIGITS) -> str:
    """Return the lowest and the highest of some values, both 0 or more; one where they are alike.

    ``0.24–0.43``; ``0.99`` where these decimals do not tell them apart.
    """
    return "–".join(dict.fromkeys(number(value, decimals) for value in (low, high)))

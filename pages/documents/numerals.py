"""Numbers as documents write them: rounded from the exact value, in plain ASCII."""

from __future__ import annotations

from collections.abc import Iterable

from pages.figures.numerals import MINUS, number

LARGE = 1e6  # from here on numbers are written in powers of ten


def plain_number(value: float, decimals: int) -> str:
    """Return a finite or infinite number, rounded; a whole number has no decimals."""
    whole = float(value).is_integer() and abs(value) < LARGE
    return number(value, 0 if whole else decimals).replace(MINUS, "-")


def is_exact(values: Iterable[float], decimals: int) -> bool:
    """Say whether every value is shown exactly, so that an equals sign is true."""
    return all(_reads_back(value, decimals) for value in values)


def _reads_back(value: float, decimals: int) -> bool:
    text = plain_number(value, decimals)
    return "∞" in text or float(text) == float(value)

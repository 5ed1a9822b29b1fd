"""Where the ticks of an axis stand, what they say, and how numbers become pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count as counting
from itertools import islice
from typing import Literal

from pages.figures.errors import FigureError
from pages.figures.numerals import MINUS

ScaleName = Literal["linear", "log10", "log2"]
_BASES = {"log10": 10, "log2": 2}
# From here on a number is written in powers of ten.
_LARGE, _SMALLEST_PLACE = 1_000_000, -5
_ROUNDING = Decimal("1e-9")  # of a step: how far a tick may lie outside, so that 0.1 + 0.2 has one


@dataclass(frozen=True)
class Ticks:
    """Rising values with their labels, in which a ``^`` raises the character after it."""

    values: tuple[float, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """Maps numbers from ``least`` to ``most`` to pixels from ``start`` to ``end``."""

    least: float
    most: float
    start: float
    end: float
    name: ScaleName = "linear"

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        if self.name == "linear":
            share = (value - self.least) / (self.most - self.least)
        else:
            share = math.log(value / self.least) / math.log(self.most / self.least)
        return self.start + share * (self.end - self.start)

    def ticks(self, most_ticks: int) -> Ticks:
        """Return at most so many ticks of this scale."""
        if self.name == "linear":
            return linear_ticks(self.least, self.most, most_ticks)
        return log_ticks(self.least, self.most, most_ticks, _BASES[self.name])


def require_range(least: float, most: float) -> None:
    """Refuse an axis without an extent.

    Raises
    ------
    FigureError
        When an end is not finite, or the ends are not in rising order.
    """
    if not (math.isfinite(least) and math.isfinite(most) and least < most):
        raise FigureError(
            "An axis must run from a finite number to a larger one, got {least} to {most}.",
            least=least,
            most=most,
        )


def linear_ticks(least: float, most: float, most_ticks: int) -> Ticks:
    """Return ticks at the multiples of the smallest step of 1, 2 or 5 that leaves few enough.

    Parameters
    ----------
    least, most : float
        The ends of the axis.
    most_ticks : int
        At least 2.

    Returns
    -------
    Ticks
        Labels are exact: as many decimals as the step has, never more.

    Raises
    ------
    FigureError
        As `require_range` does.
    """
    require_range(least, most)
    low, high = Decimal(repr(float(least))), Decimal(repr(float(most)))
    for step in _steps((high - low) / most_ticks):
        first = math.ceil(low / step - _ROUNDING)
        last = math.floor(high / step + _ROUNDING)
        if last - first + 1 <= most_ticks:
            break
    exact = [step * index for index in range(first, last + 1)]
    return Ticks(tuple(map(float, exact)), tuple(_labels(exact, step)))


def _steps(smallest: Decimal) -> Iterator[Decimal]:
    """Yield 1, 2 and 5 times the powers of ten, beginning at or below ``smallest``."""
    for exponent in counting(smallest.adjusted()):
        for factor in (1, 2, 5):
            yield Decimal(factor).scaleb(exponent)


def rounded_up(value: float) -> float:
    """Return the smallest of 1, 2 and 5 times the powers of ten that is not below ``value`` > 0."""
    exact = Decimal(repr(value))
    return float(next(step for step in _steps(exact) if step >= exact))


def rounded_down(value: float) -> float:
    """Return the largest of 1, 2 and 5 times the powers of ten that is not above ``value`` > 0."""
    exact = Decimal(repr(value))
    near = islice(_steps(exact.scaleb(-1)), 6)
    return float(max(step for step in near if step <= exact))


def _labels(exact: list[Decimal], step: Decimal) -> list[str]:
    place = step.adjusted()
    largest = max((abs(value) for value in exact), default=Decimal(0))
    if largest >= _LARGE or place < _SMALLEST_PLACE:
        return [_in_powers(value, largest.adjusted(), place) for value in exact]
    return [_with_minus(f"{value:,.{max(0, -place)}f}", value) for value in exact]


def _in_powers(value: Decimal, exponent: int, place: int) -> str:
    """Write a tick as a factor of the power of ten that the largest tick has."""
    if not value:
        return "0"
    factor = value.scaleb(-exponent)
    return _with_minus(f"{factor:.{max(0, exponent - place)}f}", value) + _power(exponent)


def _power(exponent: int) -> str:
    digits = str(exponent).replace("-", MINUS)
    return "×10" + "".join(f"^{digit}" for digit in digits)


def _with_minus(text: str, value: Decimal) -> str:
    return text.replace("-", MINUS) if value else text.replace("-", "")


def log_ticks(least: float, most: float, most_ticks: int, base: int = 10) -> Ticks:
    """Return ticks at powers of ``base``; between them, or in even steps, where there are few.

    Parameters
    ----------
    least, most : float
        The ends of the axis, both above 0.
    most_ticks : int
        At least 2.
    base : int
        10 or 2.

    Raises
    ------
    FigureError
        As `require_range` does, and when an end is not above 0.
    """
    require_range(least, most)
    require_positive((least,))
    first, last = _exponents(least, most, base)
    if last - first >= 2 or (base == 2 and last > first):
        stride = math.ceil((last - first + 1) / most_ticks)
        powers = range(-(-first // stride) * stride, last + 1, stride)
        values = tuple(float(base) ** exponent for exponent in powers)
        return Ticks(values, tuple(_log_label(value, base) for value in values))
    for factors in ((1, 2, 5), (1, 3)) if base == 10 else ():
        between = _between(least, most, factors)
        # Even steps are for less than a power of ten; else they would crowd at the far end.
        if 3 <= len(between) <= most_ticks:
            return Ticks(between, tuple(_log_label(value, base) for value in between))
        if most < 10 * least:
            break
    return linear_ticks(least, most, most_ticks)


def _between(least: float, most: float, factors: tuple[int, ...]) -> tuple[float, ...]:
    """Return the multiples of powers of ten by these factors between two ends."""
    first, last = _exponents(least, most, 10)
    return tuple(
        factor * 10.0**exponent
        for exponent in range(first - 1, last + 1)
        for factor in factors
        if least <= factor * 10.0**exponent <= most
    )


def full_ticks(values: tuple[float, ...]) -> Ticks | None:
    """Return ticks at given values from 0 up, each written in full; None where there are none."""
    labels = (_log_label(value, 10) if value else "0" for value in values)
    return Ticks(values, tuple(labels)) if values else None


def _exponents(least: float, most: float, base: int) -> tuple[int, int]:
    logarithm = math.log10 if base == 10 else math.log2
    return math.ceil(logarithm(least) - 1e-9), math.floor(logarithm(most) + 1e-9)


def _log_label(value: float, base: int) -> str:
    """Write a tick in full where that is short, else as a power of ten or a factor of one."""
    exact = Decimal(repr(value))
    if 1e-4 <= value <= _LARGE:
        return f"{exact:,f}".removesuffix(".0")
    if base == 2:
        exponent = round(math.log2(value))
        return "2" + "".join(f"^{digit}" for digit in str(exponent).replace("-", MINUS))
    exponent = exact.adjusted()
    factor = f"{exact.scaleb(-exponent).normalize():f}"
    return _power(exponent)[1:] if factor == "1" else factor + _power(exponent)


def require_positive(values: tuple[float, ...]) -> None:
    """Refuse a value that a logarithmic axis cannot show.

    Raises
    ------
    FigureError
        When a value is 0 or negative.
    """
    wrong = [value for value in values if value <= 0]
    if wrong:
        raise FigureError(
            "A logarithmic axis shows numbers above 0, got {value}; use a linear axis.",
            value=wrong[0],
        )

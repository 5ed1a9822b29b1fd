"""How fast a measured quantity grows with T: the exponent of a power law, with its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# The points whose T is at least this share of the largest take part: at shorter sequences the
# fixed cost of a call counts too much.
SHARE = 1 / 8
ROUNDED = 5e-4  # of an exponent, which is told in three decimals
CLEAR = 0.3  # standard error of an exponent; between 1 and 2 there must be three of them
FEWEST = 3  # points, of which one is left to tell how well a line fits
# Standard errors within which an exponent lies in 19 of 20 cases, by the points beyond the two
# that a line takes: the 97.5 % quantiles of Student's t, from 1 degree of freedom on.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


@dataclass(frozen=True)
class Growth:
    """A fitted exponent.

    Attributes
    ----------
    exponent : float
        p in value = c T^p.
    error : float
        Standard error of the exponent, from what the points lie off the line.
    points_used : int
    shortest : int
        The shortest sequence that took part.
    factor : float
        c.
    """

    exponent: float
    error: float
    points_used: int
    shortest: int
    factor: float

    @property
    def is_clear(self) -> bool:
        """Whether the points lie near enough to a line for the exponent to mean anything."""
        return self.error <= CLEAR

    def is_below(self, exponent: float) -> bool:
        """Whether it is surely below another exponent, by more than rounding."""
        return self.exponent + self._reach < exponent - ROUNDED

    def is_above(self, exponent: float) -> bool:
        """Whether it is surely above another exponent, by more than rounding."""
        return self.exponent - self._reach > exponent + ROUNDED

    @property
    def _reach(self) -> float:
        return STUDENT[min(self.points_used - 2, len(STUDENT)) - 1] * self.error

    def at(self, T: float) -> float:
        """Return the fitted value at a T."""
        return float(self.factor * T**self.exponent)


def fitted(Ts: Sequence[int], values: Sequence[float]) -> Growth | None:
    """Fit log(value) = log c + p log(T) by least squares.

    Only points with T >= ``SHARE`` of the largest take part. None where fewer than ``FEWEST`` do,
    or where one of them is not above 0.

    Parameters
    ----------
    Ts : sequence of int
        Different ones.
    values : sequence of float
        One for each.
    """
    used = [(T, value) for T, value in zip(Ts, values, strict=True) if SHARE * max(Ts) <= T]
    if len(used) < FEWEST or any(value <= 0 for _, value in used):
        return None
    x, y = np.log(np.array(used, np.float64)).T
    across = x - x.mean()
    exponent = float(across @ y / (across @ across))
    start = float(y.mean() - exponent * x.mean())
    residuals = y - (start + exponent * x)
    variance = float(residuals @ residuals) / (len(used) - 2)
    error = math.sqrt(variance / float(across @ across))
    return Growth(exponent, error, len(used), min(T for T, _ in used), math.exp(start))

"""What was timed so far, point by point, and the ratio of both ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.experiments.lookup.cost_counts import WAYS, Way
from engine.experiments.lookup.cost_params import CostParams, Variable, pairs_of
from engine.experiments.memory.growing import Growing
from engine.experiments.memory.growth import Growth, fitted


@dataclass(frozen=True)
class CostPoint:
    """One way at one T and d_k.

    Attributes
    ----------
    seconds : float
        Median over the repeats.
    all_seconds : tuple of float
        Every repeat, in order.
    operations : int
        Additions and multiplications.
    tanhs : int
        Hyperbolic tangents; 0 for the dot product.
    """

    T: int
    d_k: int
    way: Way
    seconds: float
    all_seconds: tuple[float, ...]
    operations: int
    tanhs: int


class Ratio(NamedTuple):
    """Time of additive attention over that of the dot product.

    Attributes
    ----------
    ratio : float
        Of the medians.
    low, high : float
        Quartiles of the ratios of every repeat of one to every repeat of the other.
    """

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class CostResult(Growing):
    """The points so far, both ways of one T and d_k after each other.

    Attributes
    ----------
    total : int
        Points in all.
    seconds : float
        Spent on measuring.
    device : str
        Short proper name of what computed.
    waiting : bool
        Whether another measurement of this process has its turn first.
    elsewhere : float
        Seconds of all cores together that other programs took while points were measured.
    one_core : bool
        Whether both ways were held to one core.
    """

    params: CostParams
    points: tuple[CostPoint, ...]
    total: int
    seconds: float
    backend_name: str
    device: str
    waiting: bool = False
    elsewhere: float = 0.0
    one_core: bool = False

    def by_T(self, way: Way) -> tuple[CostPoint, ...]:  # noqa: N802 - T is a size
        """Return the points of the sweep over T, at ``params.d_k``, T rising."""
        asked = [(T, self.params.d_k) for T in sorted(self.params.Ts)]
        return self._points_at(asked, way)

    def by_d_k(self, way: Way) -> tuple[CostPoint, ...]:
        """Return the points of the sweep over d_k, at ``params.T``, d_k rising."""
        asked = [(self.params.T, d_k) for d_k in sorted(self.params.d_ks)]
        return self._points_at(asked, way)

    def point(self, T: int, d_k: int, way: Way) -> CostPoint | None:
        """Return one point; None where it is not yet measured."""
        found = (each for each in self.points if (each.T, each.d_k, each.way) == (T, d_k, way))
        return next(found, None)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every (T, d_k) at which both ways are measured, the least work first."""
        return tuple(pair for pair in pairs_of(self.params) if self.ratio(*pair) is not None)

    def ratio(self, T: int, d_k: int) -> Ratio | None:
        """Return how many times as long additive attention takes; None where not yet measured."""
        dot, additive = (self.point(T, d_k, way) for way in WAYS)
        return ratio_of(dot, additive) if dot and additive else None

    def growth(self, way: Way, variable: Variable = "T") -> Growth | None:
        """Return the fitted exponent of the time; None where fewer than three points take part.

        Only points of at least an eighth of the largest T or d_k do; see `memory.growth`.
        """
        points = self.by_T(way) if variable == "T" else self.by_d_k(way)
        sizes = [getattr(point, variable) for point in points]
        return fitted(sizes, [point.seconds for point in points]) if points else None

    def _points_at(self, pairs: list[tuple[int, int]], way: Way) -> tuple[CostPoint, ...]:
        found = (self.point(T, d_k, way) for T, d_k in pairs)
        return tuple(point for point in found if point)


def ratio_of(dot: CostPoint, additive: CostPoint) -> Ratio:
    """Return how many times as long additive attention takes, with its spread."""
    each = np.divide.outer(additive.all_seconds, dot.all_seconds)
    low, high = np.quantile(each, (0.25, 0.75))
    return Ratio(additive.seconds / dot.seconds, float(low), float(high))

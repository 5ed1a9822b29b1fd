"""What the scores cost: additive attention against the dot product, timed on this machine.

Shape legend: T positions, D = d_k, which is also the hidden width of additive attention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from engine.backends import Backend
from engine.experiments.memory.growth import Growth

__all__ = [
    "WAYS",
    "CostParams",
    "CostPoint",
    "CostResult",
    "Growth",
    "Ratio",
    "Variable",
    "Way",
    "measure",
    "run",
    "validate",
]

Way = Literal["dot", "additive"]
WAYS: tuple[Way, ...] = get_args(Way)
Variable = Literal["T", "d_k"]


@dataclass(frozen=True)
class CostParams:
    """What is timed: every T at ``d_k``, and every width of ``d_ks`` at ``T``.

    Attributes
    ----------
    Ts, d_ks : tuple of int
        1 to 12 different ones each.
    T, d_k : int
        What is held while the other is varied.
    repeats : int
        Runs of each point whose median counts, after a warm-up.
    seed : int
        Of the inputs.
    """

    Ts: tuple[int, ...] = (64, 128, 256, 512)
    d_ks: tuple[int, ...] = (8, 16, 32, 64, 128)
    T: int = 256
    d_k: int = 64
    repeats: int = 5
    seed: int = 1


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
class CostResult:
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
    """

    params: CostParams
    points: tuple[CostPoint, ...]
    total: int
    seconds: float
    backend_name: str
    device: str
    waiting: bool = False

    @property
    def share(self) -> float:
        """Share of the points that are measured."""
        return len(self.points) / self.total

    @property
    def done(self) -> bool:
        """Whether every point is measured."""
        return len(self.points) == self.total

    def by_T(self, way: Way) -> tuple[CostPoint, ...]:  # noqa: N802 - T is a size
        """Return the points at ``params.d_k``, T rising."""
        raise NotImplementedError

    def by_d_k(self, way: Way) -> tuple[CostPoint, ...]:
        """Return the points at ``params.T``, d_k rising."""
        raise NotImplementedError

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return every (T, d_k) at which both ways are measured."""
        raise NotImplementedError

    def ratio(self, T: int, d_k: int) -> Ratio | None:
        """Return how many times as long additive attention takes; None where not yet measured."""
        raise NotImplementedError

    def growth(self, way: Way, variable: Variable = "T") -> Growth | None:
        """Return the fitted exponent of the time; None where fewer than three points take part."""
        raise NotImplementedError


def validate(params: CostParams) -> None:
    """Refuse parameters out of their range, before anything is allocated."""
    raise NotImplementedError


def measure(params: CostParams, *, backend: Backend | str | None = None) -> Iterator[CostResult]:
    """Measure, and yield what is there after every point."""
    raise NotImplementedError


def run(
    params: CostParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> CostResult:
    """Measure all points; raises as `measure` does."""
    raise NotImplementedError

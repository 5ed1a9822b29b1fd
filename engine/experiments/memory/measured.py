"""Time and peak memory of attention on this machine, against T: as the formula, and as `attend`.

What is timed is the computation on arrays that are in place: on NumPy `Backend.attend` without
the checks of `engine.attend`; on MLX the evaluation of its kernel on arrays of MLX, without the way
from NumPy and back. Both ways compute on the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.memory.device import Machine, machine_of
from engine.experiments.memory.growth import Growth, fitted
from engine.experiments.memory.measurable import (
    MOST_BATCH,
    MOST_D_K,
    MOST_HEADS,
    MOST_REPEATS,
    MOST_SEED,
    MOST_T,
    require_different,
    require_setting,
)
from engine.experiments.memory.needs import WAYS, Way
from engine.experiments.memory.point import DType, Job, Point
from engine.experiments.memory.series import Series, grown, last_of
from engine.experiments.scaling.inputs import require_count

__all__ = [
    "DTYPES",
    "MOST_BATCH",
    "MOST_D_K",
    "MOST_HEADS",
    "MOST_REPEATS",
    "MOST_SEED",
    "MOST_T",
    "WAYS",
    "Growth",
    "Machine",
    "MeasuredParams",
    "MeasuredResult",
    "Point",
    "Way",
    "measure",
    "require_measured",
    "run",
]

DTYPES: tuple[DType, ...] = ("float32", "float16")

Quantity = Literal["seconds", "peak_bytes"]


@dataclass(frozen=True)
class MeasuredParams:
    """What is measured.

    Attributes
    ----------
    Ts : tuple of int
        1 to 12 different ones.
    heads, d_k, batch : int
    dtype : {"float32", "float16"}
        Of q, k and v.
    causal : bool
    repeats : int
        Runs of each point whose median counts, after a warm-up.
    seed : int
        Of the inputs.
    """

    Ts: tuple[int, ...] = (64, 128, 256, 512, 1024)
    heads: int = 8
    d_k: int = 64
    batch: int = 1
    dtype: DType = "float32"
    causal: bool = False
    repeats: int = 5
    seed: int = 1

    def job(self, way: Way, T: int) -> Job:
        """Return one computation of it."""
        return Job(way, T, self.heads, self.d_k, self.batch, self.dtype, self.causal,
                   self.repeats, self.seed)  # fmt: skip


@dataclass(frozen=True)
class MeasuredResult(Series):
    """The points so far: smallest T first, both ways of one T after each other.

    Attributes
    ----------
    params : MeasuredParams
    beside : tuple of MeasuredResult
        Runs of other machines, to be shown beside it.
    """

    params: MeasuredParams
    beside: tuple[MeasuredResult, ...] = ()

    def of(self, way: Way) -> tuple[Point, ...]:
        """Return the measured points of one way, T rising."""
        return tuple(point for point in self.points if point.way == way and not point.refused)

    def growth(self, way: Way, quantity: Quantity) -> Growth | None:
        """Return the fitted exponent of a quantity; see `engine.experiments.memory.growth`.

        None where fewer than three points take part.
        """
        points = self.of(way)
        Ts = [point.T for point in points]
        return fitted(Ts, [getattr(point, quantity) for point in points]) if points else None


def measure(
    params: MeasuredParams, *, backend: Backend | str | None = None
) -> Iterator[MeasuredResult]:
    """Measure, and yield what is there after every point, as `series.grown` does.

    Points come smallest T first, both ways in turn; the last result is whole.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed. At once.
    """
    require_measured(params)
    chosen = choose_backend(backend)
    jobs = [params.job(way, T) for T in sorted(params.Ts) for way in WAYS]
    return grown(MeasuredResult(params, machine_of(chosen), (), len(jobs), 0.0), jobs, chosen)


def run(
    params: MeasuredParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> MeasuredResult:
    """Measure all points; raises as `measure` does."""
    return last_of(measure(params, backend=backend), progress)


def require_measured(params: MeasuredParams) -> None:
    """Refuse parameters out of their range.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_different("T", params.Ts, MOST_T)
    require_count("d_k", params.d_k, 1, MOST_D_K)
    require_setting(params)

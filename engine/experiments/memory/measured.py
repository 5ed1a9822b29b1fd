"""Time and peak memory of attention on this machine, against T: as the formula, and as `attend`.

What is timed is the computation on arrays that are in place: on NumPy `Backend.attend` without
the checks of `engine.attend`; on MLX the evaluation of its kernel on arrays of MLX, without the way
from NumPy and back. Both ways compute on the same inputs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine.attention import choose_backend
from engine.backends import Backend
from engine.backends.measuring import MEASURING
from engine.errors import OptionError
from engine.experiments.memory import guard, needs
from engine.experiments.memory.device import Machine, machine_of
from engine.experiments.memory.estimate import Estimates
from engine.experiments.memory.growth import Growth, fitted
from engine.experiments.memory.needs import WAYS, Way
from engine.experiments.memory.point import DType, Job, Point, measured_point, refused_point
from engine.experiments.scaling.inputs import shown
from engine.experiments.whole_number import require_whole

__all__ = [
    "DTYPES",
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
MOST_T = 131_072
MOST_TS = 12
MOST_HEADS, MOST_D_K, MOST_BATCH, MOST_REPEATS = 128, 512, 64, 25
MOST_SEED = 2**32 - 1
TURN = 0.25  # seconds of waiting for another measurement, between two chances to stop

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
class MeasuredResult:
    """The points so far.

    Attributes
    ----------
    params : MeasuredParams
    machine : Machine
        The machine that it was measured on, which need not be this one.
    points : tuple of Point
        Smallest T first, both ways of one T after each other.
    total : int
        Points in all.
    seconds : float
        Spent on measuring, without what others did between two results.
    waiting : bool
        Whether another measurement of this process has its turn first.
    beside : tuple of MeasuredResult
        Runs of other machines, to be shown beside it.
    """

    params: MeasuredParams
    machine: Machine
    points: tuple[Point, ...]
    total: int
    seconds: float
    waiting: bool = False
    beside: tuple[MeasuredResult, ...] = ()

    @property
    def share(self) -> float:
        """Share of the points that are done."""
        return len(self.points) / self.total

    @property
    def done(self) -> bool:
        """Whether every point is measured or refused."""
        return len(self.points) == self.total

    @property
    def backend_name(self) -> str:
        """``"mlx"`` or ``"numpy"``."""
        return self.machine.backend_name

    def of(self, way: Way) -> tuple[Point, ...]:
        """Return the measured points of one way, T rising."""
        return tuple(point for point in self.points if point.way == way and not point.refused)

    @property
    def refused(self) -> tuple[Point, ...]:
        """The points that were refused."""
        return tuple(point for point in self.points if point.refused)

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
    """Measure, and yield what is there after every point; the last result is whole.

    Points come smallest T first, both ways in turn. While another measurement of this process has
    its turn, the same points are yielded again, some times a second, so that it can be stopped.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed. At once.
    """
    require_measured(params)
    return _results(params, choose_backend(backend))


def run(
    params: MeasuredParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> MeasuredResult:
    """Measure all points; raises as `measure` does."""
    for result in measure(params, backend=backend):
        if progress:
            progress(result.share)
    return result


def require_measured(params: MeasuredParams) -> None:
    """Refuse parameters out of their range.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_different("T", params.Ts, MOST_T)
    require_whole("heads", params.heads, 1, MOST_HEADS)
    require_whole("d_k", params.d_k, 1, MOST_D_K)
    require_whole("batch", params.batch, 1, MOST_BATCH)
    require_whole("repeats", params.repeats, 1, MOST_REPEATS)
    require_whole("seed", params.seed, 0, MOST_SEED)
    require_dtype(params.dtype)
    require_switch("causal", params.causal)


def require_different(name: str, sizes: object, most: int) -> None:
    """Refuse what is not 1 to 12 different whole numbers from 1 to ``most``."""
    if not isinstance(sizes, tuple | list) or not 1 <= len(sizes) <= MOST_TS:
        raise OptionError("There must be 1 to {most} values of {name}.", most=MOST_TS, name=name)
    for size in sizes:
        require_whole(name, size, 1, most)
    if len(set(sizes)) < len(sizes):
        raise OptionError("The values of {name} must differ from each other.", name=name)


def require_dtype(dtype: object) -> None:
    """Refuse what is not one of the dtypes that every backend computes in."""
    if dtype not in needs.ITEMSIZES:
        raise OptionError(
            "{name} must be one of {allowed}, got {value}.",
            name="dtype",
            allowed=", ".join(needs.ITEMSIZES),
            value=shown(dtype),
        )


def require_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise OptionError(
            "{name} must be true or false, got {value}.", name=name, value=shown(value)
        )


def _results(params: MeasuredParams, backend: Backend) -> Iterator[MeasuredResult]:
    jobs = [params.job(way, T) for T in sorted(params.Ts) for way in WAYS]
    result = MeasuredResult(params, machine_of(backend), (), len(jobs), 0.0)
    for point, waiting, seconds in points_of(jobs, backend):
        points = result.points if point is None else (*result.points, point)
        result = replace(result, points=points, seconds=result.seconds + seconds, waiting=waiting)
        yield result


def points_of(jobs: list[Job], backend: Backend) -> Iterator[tuple[Point | None, bool, float]]:
    """Measure one job after the other.

    Yields
    ------
    point : Point or None
        None while another measurement has its turn.
    waiting : bool
    seconds : float
        Spent since the last point.
    """
    rest = _Points(backend)
    for job in jobs:
        # Only held within a point: whoever asks for the next one may be another thread.
        while not MEASURING.acquire(timeout=TURN):
            yield None, True, 0.0
        started = time.perf_counter()
        try:
            point = rest.point(job)
        finally:
            MEASURING.release()
        yield point, False, time.perf_counter() - started


class _Points:
    """Measures points, and remembers what they teach about larger ones."""

    def __init__(self, backend: Backend) -> None:
        self._backend, self._estimates = backend, Estimates(backend)
        self._ran_out: dict[Way, int] = {}  # the T at which a way ran out of memory

    def point(self, job: Job) -> Point:
        """Return a point, be it measured or refused."""
        kernel = job.kernel(self._backend)
        try:
            self._refuse(job, needs.working_bytes(kernel, job.sizes))
            point = measured_point(job, self._backend)
        except guard.RefusedError as refusal:
            if isinstance(refusal, guard.RanOutError):
                self._ran_out[job.way] = job.T
            return refused_point(job, kernel, refusal)
        self._estimates.learn(job, min(point.all_seconds))
        return point

    def _refuse(self, job: Job, working: int) -> None:
        if job.way in self._ran_out:
            raise guard.after_ran_out(job.T, self._ran_out[job.way])
        guard.refuse_large(job.T, working, self._backend.free_bytes())
        guard.refuse_long(job.T, self._estimates.seconds(job))

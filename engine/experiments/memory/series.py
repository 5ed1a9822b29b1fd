"""A measurement that grows point by point, whatever is varied from one to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from engine.backends import Backend
from engine.backends.measuring import MEASURING
from engine.experiments.memory import guard, needs
from engine.experiments.memory.device import Machine
from engine.experiments.memory.estimate import Estimates
from engine.experiments.memory.growing import Growing
from engine.experiments.memory.load import Watch
from engine.experiments.memory.needs import Way
from engine.experiments.memory.point import Job, Point, measured_point, refused_point

TURN = 0.25  # seconds of waiting for another measurement, between two chances to stop
DISTURBED = 0.25  # of the cores: with as many busy for others, times may be many times too long


@dataclass(frozen=True)
class Series(Growing):
    """The points so far.

    Attributes
    ----------
    params : object
        What was asked for.
    machine : Machine
        The machine that it was measured on, which need not be this one.
    points : tuple of Point
    total : int
        Points in all.
    seconds : float
        Spent on measuring, without what others did between two results.
    waiting : bool
        Whether another measurement of this process has its turn first.
    elsewhere : float
        Seconds of all cores together that other programs took while points were measured.
    """

    params: Any
    machine: Machine
    points: tuple[Point, ...]
    total: int
    seconds: float
    waiting: bool = False
    elsewhere: float = 0.0

    @property
    def disturbed(self) -> bool:
        """Whether other programs kept so many cores busy that times may be too long."""
        return self.busy > DISTURBED * self.machine.cores

    @property
    def backend_name(self) -> str:
        """``"mlx"`` or ``"numpy"``."""
        return self.machine.backend_name

    @property
    def measured(self) -> tuple[Point, ...]:
        """The points that were not refused."""
        return tuple(point for point in self.points if not point.refused)

    @property
    def refused(self) -> tuple[Point, ...]:
        """The points that were."""
        return tuple(point for point in self.points if point.refused)


_Series = TypeVar("_Series", bound=Series)


def grown(empty: _Series, jobs: list[Job], backend: Backend) -> Iterator[_Series]:
    """Measure one job after the other, and yield what is there after every point.

    While another measurement of this process has its turn, the same points are yielded again, some
    times a second, so that it can be stopped; and once more when that turn is over, so that nobody
    is told to wait while the next point is measured.
    """
    result = empty
    for each in _turns_of(jobs, backend):
        result = replace(
            result,
            points=result.points if each.point is None else (*result.points, each.point),
            seconds=result.seconds + each.seconds,
            waiting=each.waits,
            elsewhere=result.elsewhere + each.elsewhere,
        )
        yield result


def last_of(results: Iterator[_Series], progress: Callable[[float], None] | None) -> _Series:
    """Return the last of some results; ``progress`` hears the share that is done."""
    for result in results:
        if progress:
            progress(result.share)
    return result


class _Turn(NamedTuple):
    """A point, None where none is ready yet, and what it took.

    ``waits`` says whether another measurement has its turn.
    """

    point: Point | None = None
    waits: bool = False
    seconds: float = 0.0
    elsewhere: float = 0.0


def _turns_of(jobs: list[Job], backend: Backend) -> Iterator[_Turn]:
    """Measure one job after the other."""
    rest = _Points(backend)
    for job in jobs:
        yield from _until_free()
        # Only held within a point: whoever asks for the next one may be another thread. Who waits
        # here has waited, and been told so: the first free moment is taken, lest it never begin.
        while not MEASURING.acquire(timeout=TURN):
            yield _Turn()
        started, watch = time.perf_counter(), Watch()
        try:
            point = rest.point(job)
        finally:
            MEASURING.release()
        yield _Turn(point, False, time.perf_counter() - started, watch.others())


def _until_free() -> Iterator[_Turn]:
    """Yield while another measurement has its turn, and once more when it is over."""
    waited = False
    while not MEASURING.acquire(timeout=TURN):
        waited = True
        yield _Turn(waits=True)
    MEASURING.release()
    if waited:
        yield _Turn()


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

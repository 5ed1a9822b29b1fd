"""How long a point will take, told by smaller ones: the time grows with the operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.backends import Backend
from engine.backends.measuring import runs_of
from engine.experiments.memory.guard import LONGEST
from engine.experiments.memory.needs import Way
from engine.experiments.memory.point import PEAKS, Job, measured_point

# So few operations are quick on every device: MLX without a GPU does 10^9 of them in about 1 s.
QUICK = 2e8
# A run this long says how fast the device is; a shorter one is mostly fixed cost.
TELLING = 0.05  # seconds
GROWTH = 4  # times the operations, from one trial to the next


class Estimates:
    """Remembers how long each way took, and foretells how long a larger point will take."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._known: dict[Way, tuple[float, float]] = {}  # operations, seconds of one run

    def learn(self, job: Job, seconds: float) -> None:
        """Remember what a run took at least: what disturbed the others need not come again."""
        if job.work >= self._known.get(job.way, (0.0, 0.0))[0]:
            self._known[job.way] = (job.work, seconds)

    def seconds(self, job: Job) -> float:
        """Return what all runs of a point will take; trials tell where smaller points do not.

        What smaller points say is too much where their fixed cost is large, so that trials are
        made where it is over the limit, and where there is none.

        Raises
        ------
        RefusedError
            If memory runs out in a trial.
        """
        if job.work <= QUICK:
            return 0.0
        for trial in _trials(job):
            if self._enough(job):
                break
            if trial.work > self._known.get(job.way, (0.0, 0.0))[0]:
                self.learn(trial, min(measured_point(trial, self._backend).all_seconds))
        return self._told(job)

    def _enough(self, job: Job) -> bool:
        known = job.way in self._known
        return known and (self._told(job) <= LONGEST or self._known[job.way][1] >= TELLING)

    def _told(self, job: Job) -> float:
        if job.way not in self._known:
            return 0.0
        work, seconds = self._known[job.way]
        once = seconds * max(1.0, job.work / work)
        return once * runs_of(job.repeats, PEAKS, once)


def _trials(job: Job) -> Iterator[Job]:
    """Yield smaller points, each of about four times the operations of the one before."""
    trial = replace(job, T=min(job.T, 64), heads=1, batch=1, repeats=1)
    while trial.work * GROWTH <= job.work:
        yield trial
        trial = _larger(trial, job)


def _larger(trial: Job, job: Job) -> Job:
    if trial.T < job.T:
        return replace(trial, T=min(job.T, 2 * trial.T))
    if trial.heads < job.heads:
        return replace(trial, heads=min(job.heads, GROWTH * trial.heads))
    return replace(trial, batch=min(job.batch, GROWTH * trial.batch))

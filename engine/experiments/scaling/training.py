"""One attention head learns key-value recall, scaled and unscaled, from one start and one stream.

Task: S pairs (key vector, value symbol) and one query that is one of the keys; the head must give
the symbol of that pair (`engine.experiments.scaling.task`). All of it is computed in float32, on
every backend. Shape legend: B batch, S pairs, D = d_k.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.read_only import read_only
from engine.experiments.scaling.course import PRECISION, Course
from engine.experiments.scaling.inputs import require_count
from engine.experiments.scaling.optimisers import OPTIMISERS, Optimiser
from engine.experiments.scaling.task import batches_of, start_of
from engine.experiments.scaling.trainable import (
    MOST_SEEDS,
    MOST_STEPS,
    RATES,
    TrainingParams,
    rates_to_try,
    require_trainable,
)
from engine.shapes import Array

__all__ = [
    "MOST_SEEDS",
    "MOST_STEPS",
    "OPTIMISERS",
    "RATES",
    "Optimiser",
    "Run",
    "SweepResult",
    "TrainingParams",
    "TrainingResult",
    "sweep",
    "sweeping",
    "train",
    "training",
]

BLOCK = 25  # steps of one run between two chances to stop, and fewer where they are long
BLOCK_WORK = 2**27  # of `_work`: a second of MLX without a GPU, on two cores; NumPy is faster
OVERDUE = 0.5  # seconds without a result, where a round of all runs takes longer
LAST = 10  # the final loss is the mean over one step in so many


Measure = Literal["loss", "accuracy", "gradient"]


@dataclass(frozen=True)
class Run:
    """One seed, one way, as far as it went.

    Attributes
    ----------
    steps : np.ndarray
        (M,) every step that was recorded, from 0.
    loss, accuracy, gradient : np.ndarray
        (M,): cross-entropy in nats and share of right symbols on that step's batch before the
        update, and the norm of the whole gradient; finite up to ``diverged_at``.
    diverged_at : int or None
        First step at which a number was no longer finite, or beyond a million; nothing is
        recorded from it on.
    """

    seed: int
    scaled: bool
    steps: Array
    loss: Array
    accuracy: Array
    gradient: Array
    diverged_at: int | None

    def final(self, measure: Measure) -> float | None:
        """Return the mean of a measure over the last tenth of the steps so far.

        None where the run diverged or has not begun.
        """
        values: Array = getattr(self, measure)
        if self.diverged_at is not None or not len(values):
            return None
        return float(values[-max(1, len(values) // LAST) :].mean())


@dataclass(frozen=True)
class TrainingResult:
    """All runs so far.

    Attributes
    ----------
    finished : bool
        False where it was stopped before the end; what was done is here all the same.
    precision : str
        "float32": training computes in it on every backend.
    seconds : float
        Spent on training, without what others did between two results.
    """

    params: TrainingParams
    runs: tuple[Run, ...]
    finished: bool
    backend_name: str
    precision: str
    seconds: float

    def of(self, scaled: bool) -> tuple[Run, ...]:
        """Return the runs of one way."""
        return tuple(run for run in self.runs if run.scaled == scaled)

    @property
    def share(self) -> float:
        """Share of the steps that are taken; a run that diverged has no more to take."""
        steps = self.params.steps
        taken = (steps if run.diverged_at is not None else len(run.steps) for run in self.runs)
        return sum(taken) / (steps * len(self.runs))

    def finals(self, measure: Measure, *, scaled: bool) -> tuple[float, ...]:
        """Return the mean of a measure over the last tenth of the steps of each run of one way.

        A run that diverged or has not begun has none.
        """
        finals = (run.final(measure) for run in self.of(scaled))
        return tuple(value for value in finals if value is not None)

    def final(self, measure: Measure, *, scaled: bool) -> float | None:
        """Return the mean of `finals`; None where there is none."""
        finals = self.finals(measure, scaled=scaled)
        return float(np.mean(finals)) if finals else None


def train(
    params: TrainingParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> TrainingResult:
    """Train to the end, or until ``stop()`` is true; it is asked every 25 steps of a run at most.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    lessons = _Lessons(params, choose_backend(backend), BLOCK)
    for share, _ in lessons.blocks():
        if progress:
            progress(share)
        if share < 1 and stop and stop():
            break
    return lessons.result()


def training(
    params: TrainingParams, *, backend: Backend | str | None = None, every: int = BLOCK
) -> Iterator[TrainingResult]:
    """Train, and yield what is there after every ``every`` steps; the last result is whole.

    Where ``every`` steps of all runs take long, results come in between, in which some runs are
    ahead of others.

    Raises
    ------
    OptionError, NumberError
        As `train` does, at once.
    """
    require_count("every", every, 1, MOST_STEPS)
    return _results(_Lessons(params, choose_backend(backend), every))


def _results(lessons: _Lessons) -> Iterator[TrainingResult]:
    shown = time.perf_counter()
    for _, level in lessons.blocks():
        if level or time.perf_counter() - shown > OVERDUE:
            yield lessons.result()
            shown = time.perf_counter()


class _Lessons:
    """All runs of one training, which grow together."""

    def __init__(self, params: TrainingParams, backend: Backend, every: int) -> None:
        require_trainable(params)
        started = time.perf_counter()
        self._params, self._backend, self._every = params, backend, every
        self._done = 0  # steps of all runs together
        self._courses = {
            (seed, scaled): course
            for seed in params.seeds
            for scaled, course in _both_ways(params, seed).items()
        }
        self._batches = {
            seed: batches_of(seed, params.pairs, params.batch) for seed in params.seeds
        }
        self._seconds = time.perf_counter() - started

    def blocks(self) -> Iterator[tuple[float, bool]]:
        """Take all steps; after each block yield the share done, and whether all runs are level."""
        steps, runs = self._params.steps, len(self._courses)
        for first, end in pairwise([*range(0, steps, self._every), steps]):
            for seed in self._params.seeds:
                for size in self._advance(seed, end - first):
                    self._done += size
                    if self._nothing_left:
                        self._done = steps * runs
                        yield 1.0, True
                        return
                    yield self._done / (steps * runs), self._done == end * runs

    @property
    def _nothing_left(self) -> bool:
        """Whether every run diverged: more steps would record nothing."""
        return all(course.diverged_at is not None for course in self._courses.values())

    def result(self) -> TrainingResult:
        """Return copies of what is recorded so far."""
        return TrainingResult(
            params=self._params,
            runs=tuple(_run(*way, course) for way, course in self._courses.items()),
            finished=self._done == self._params.steps * len(self._courses),
            backend_name=self._backend.name,
            precision=PRECISION,
            seconds=self._seconds,
        )

    def _advance(self, seed: int, steps: int) -> Iterator[int]:
        """Take steps of one seed, both ways on the same batches; yield the size of each block."""
        block = _block(self._params)
        for first in range(0, steps, block):
            started = time.perf_counter()
            batches = self._batches[seed](min(block, steps - first))
            for scaled in (True, False):
                self._courses[seed, scaled].advance(batches, self._backend)
                self._seconds += time.perf_counter() - started
                yield len(batches.asked)
                started = time.perf_counter()


def _block(params: TrainingParams) -> int:
    return max(1, min(BLOCK, BLOCK_WORK // _work(params)))


def _work(params: TrainingParams) -> int:
    """Return how long a step takes, up to a factor that depends on the machine.

    Products of the S keys with matrices of D x D, the update of these, and the attention of B
    queries. On two cores MLX without a GPU takes 7 ns for each, at D from 256 to 1,024 and S from 2
    to 64, where such a step is long at all; NumPy takes a tenth of it.
    """
    B, S, D = params.batch, params.pairs, params.d_k
    return D * D * (S + 4) + B * S * (S + D)


def _both_ways(params: TrainingParams, seed: int) -> dict[bool, Course]:
    start = start_of(seed, params.d_k, params.pairs)
    return {
        scaled: Course(start, scaled=scaled, optimiser=params.optimiser, rate=params.rate)
        for scaled in (True, False)
    }


def _run(seed: int, scaled: bool, course: Course) -> Run:
    loss, accuracy, gradient = course.records.T.copy()
    steps = np.arange(len(loss))
    read_only(steps, loss, accuracy, gradient)
    return Run(seed, scaled, steps, loss, accuracy, gradient, course.diverged_at)


@dataclass(frozen=True)
class SweepResult:
    """Final loss for every learning rate.

    Attributes
    ----------
    chosen : tuple of float
        The rates to try, rising.
    rates : np.ndarray
        (R,), those that were tried so far, rising.
    scaled, unscaled : np.ndarray
        (R, seeds): mean loss of the last tenth of the steps; NaN where it diverged.
    share : float
        Share of the steps that are taken, with those of a rate that is not at its end.
    finished : bool
        False where it was stopped before the end.
    """

    params: TrainingParams
    chosen: tuple[float, ...]
    rates: Array
    scaled: Array
    unscaled: Array
    share: float
    finished: bool
    backend_name: str
    precision: str
    seconds: float

    def best(self, *, scaled: bool) -> tuple[float, float] | None:
        """Return the rate with the lowest loss, mean over the seeds, and that loss.

        None where some seed diverged at every rate.
        """
        means = (self.scaled if scaled else self.unscaled).mean(axis=1)
        if np.isnan(means).all():
            return None
        place = int(np.nanargmin(means))
        return float(self.rates[place]), float(means[place])


def sweep(
    params: TrainingParams,
    rates: Sequence[float] | None = None,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> SweepResult:
    """Train once for every rate, so that no one can say that unscaled merely wanted another one.

    A rate that was stopped before its end is left out, since its loss is not final.

    Parameters
    ----------
    rates : sequence of float, optional
        1 to 20 different ones in place of ``params.rate``; None takes those of ``RATES`` for the
        optimiser.

    Raises
    ------
    OptionError, NumberError
        When a parameter or a rate is out of its range; the sentence says what is allowed.
    """
    tries = _tries(params, rates)
    chosen = choose_backend(backend)
    done: list[TrainingResult] = []
    for each in tries:
        report = _part(progress, len(done), len(tries))
        done.append(train(each, backend=chosen, progress=report, stop=stop))
        if not done[-1].finished:
            break
    return _swept(params, tries, done)


def sweeping(
    params: TrainingParams,
    rates: Sequence[float] | None = None,
    *,
    backend: Backend | str | None = None,
) -> Iterator[SweepResult]:
    """Sweep, and yield what is there several times a rate; the last result is whole.

    Raises
    ------
    OptionError, NumberError
        As `sweep` does, at once.
    """
    return _sweep_so_far(params, _tries(params, rates), choose_backend(backend))


def _sweep_so_far(
    params: TrainingParams, tries: list[TrainingParams], backend: Backend
) -> Iterator[SweepResult]:
    done: list[TrainingResult] = []
    for each in tries:
        for result in training(each, backend=backend):
            so_far = [*done, result]
            yield _swept(params, tries, so_far)
        done = so_far


def _tries(params: TrainingParams, rates: Sequence[float] | None) -> list[TrainingParams]:
    """Return one training a rate."""
    return [replace(params, rate=rate) for rate in rates_to_try(params, rates)]


def _part(
    progress: Callable[[float], None] | None, number: int, count: int
) -> Callable[[float], None] | None:
    """Return the progress of one part, as a share of ``count`` equal ones."""
    return (lambda share: progress((number + share) / count)) if progress else None


def _swept(
    params: TrainingParams, tries: list[TrainingParams], done: list[TrainingResult]
) -> SweepResult:
    """Return what some trainings come to, of which the last may not be at its end."""
    whole = [result for result in done if result.finished]
    return SweepResult(
        params=params,
        chosen=tuple(each.rate for each in tries),
        rates=np.array([result.params.rate for result in whole], dtype=np.float64),
        scaled=_losses(whole, len(params.seeds), scaled=True),
        unscaled=_losses(whole, len(params.seeds), scaled=False),
        share=sum(result.share for result in done) / len(tries),
        finished=len(whole) == len(tries),
        backend_name=done[0].backend_name,
        precision=PRECISION,
        seconds=sum(result.seconds for result in done),
    )


def _losses(results: list[TrainingResult], seeds: int, *, scaled: bool) -> Array:
    """Return the final loss of each training and seed, (R, seeds); NaN where it diverged."""
    finals = [[run.final("loss") for run in result.of(scaled)] for result in results]
    return np.array(finals, dtype=np.float64).reshape(len(results), seeds)

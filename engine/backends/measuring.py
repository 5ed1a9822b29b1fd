"""How a computation is measured: a warm-up, then times, then peaks, one measurement at a time."""

from __future__ import annotations

import math
import statistics
import threading
from collections.abc import Callable

from engine.backends.base import Measurement
from engine.errors import EngineError

# One for the whole process, whatever the backend: two at once would share processor and counters.
# The thread that has it may take it again.
MEASURING = threading.RLock()
# Which of some peaks counts depends on what disturbs them. Where nobody else is counted, chance
# only decides how early memory is given back, and the most that is held is the largest. Where the
# counter is one for the whole process, what other threads take for a moment adds, and threads of
# our own that are late take away: the middle one bears one of either. (Before that a backend sees
# to it that all threads take part, by `gathering`, that nobody else allocates when a run begins,
# and that as much is held after it as before.) Where a run takes longer than this, several would
# cost more than they tell.
SHORT = 1.0  # seconds


class OverlongError(EngineError):
    """A measurement that would take longer than it may; `seconds` is what it would take."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, **values)
        self.seconds = float(str(values["seconds"]))


def measured(
    once: Callable[[], float],
    peak: Callable[[], int],
    *,
    repeats: int,
    peaks: int = 1,
    counts: Callable[[list[int]], int] = statistics.median_low,
    longest: float = math.inf,
) -> Measurement:
    """Measure.

    Parameters
    ----------
    once : callable
        Computes and returns the seconds it took.
    peak : callable
        Computes and returns the bytes held at once beyond the inputs, by all threads that may
        share the work.
    repeats : int
        Times of which the median is taken, after a warm-up of one run.
    peaks : int
        Peaks of which one is taken, where a run is short; else there is one.
    counts : callable
        Which one: the middle one where others may add to it, `max` where they cannot.
    longest : float
        Seconds that all runs may take together; the warm-up tells what they will.

    Raises
    ------
    OverlongError
        If the warm-up took so long that all runs would exceed ``longest``.
    """
    first = once()
    if first * runs_of(repeats, peaks, first) > longest:
        raise OverlongError(
            "All runs would take {seconds} s, and at most {longest} s are allowed; choose smaller "
            "sizes or fewer repeats.",
            seconds=first * runs_of(repeats, peaks, first),
            longest=longest,
        )
    seconds = tuple(once() for _ in range(repeats))
    median = statistics.median(seconds)
    found = counts([peak() for _ in range(_peaks(peaks, median))])
    return Measurement(median, found, seconds)


def runs_of(repeats: int, peaks: int, seconds: float) -> int:
    """Return how many runs a measurement makes of a computation that takes so many seconds."""
    return 1 + repeats + _peaks(peaks, seconds)


def _peaks(most: int, seconds: float) -> int:
    return most if seconds < SHORT else 1

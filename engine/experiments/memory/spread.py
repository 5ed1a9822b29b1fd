"""Whether two measured times differ by more than chance."""

from __future__ import annotations

from engine.experiments.memory.point import Point

FEWEST = 2  # repeats: a single one does not tell how far it may be off
NOISY = 0.5  # of the median: repeats that far apart are worth a word


def spread(point: Point) -> float:
    """Return how far the repeats of a point are apart, as a share of their median."""
    return (max(point.all_seconds) - min(point.all_seconds)) / point.seconds


def told_apart(fast: Point, slow: Point) -> bool:
    """Say whether every repeat of one is below all of the other, by more than repeats differ."""
    times = (fast.all_seconds, slow.all_seconds)
    if min(map(len, times)) < FEWEST:
        return False
    apart = min(slow.all_seconds) - max(fast.all_seconds)
    return apart > max(max(each) - min(each) for each in times)


def are_apart(one: Point, other: Point) -> bool:
    """Say whether one of two times is the shorter one by more than chance, whichever it is.

    All that compares two times, be it a number, a sentence or a figure, asks this.
    """
    return told_apart(one, other) or told_apart(other, one)

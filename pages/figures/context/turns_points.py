"""The heads as points: the ratio of two weights in both texts, on an axis that ends somewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.experiments.context.endings import EndingsResult

_LIMITS = (4.0, 10.0, 30.0, 100.0)  # ratios at which the axes may end
_INSIDE = 0.9  # of the heads, which lie inside the ends of the axes


@dataclass(frozen=True)
class HeadPoint:
    """One head.

    Parameters
    ----------
    layer, head : int
        From 0.
    first, second : float
        Weight on one word : weight on the other, in the first and in the second text.
    turned : bool
        Whether the preference turns.
    """

    layer: int
    head: int
    first: float
    second: float
    turned: bool


@dataclass(frozen=True)
class Points:
    """The heads of which both ratios exist, how many have none, and where the axes end.

    ``limit`` is the largest ratio that has a place; a head beyond it, or below its inverse, is
    drawn at the edge.
    """

    heads: tuple[HeadPoint, ...]
    without: int
    limit: float

    def inside(self, ratio: float) -> float:
        """Return a ratio, or the end of the axis that it lies beyond."""
        return min(max(ratio, 1 / self.limit), self.limit)

    def is_beyond(self, point: HeadPoint) -> bool:
        """Return whether a head is drawn at an edge."""
        return any(self.inside(ratio) != ratio for ratio in (point.first, point.second))

    @property
    def beyond(self) -> int:
        """How many heads are drawn at an edge."""
        return sum(map(self.is_beyond, self.heads))


def points_of(result: EndingsResult) -> Points:
    """Return the heads as points; one that gives a word no weight at all has no ratio."""
    heads = tuple(_heads(result))
    spread = [max(abs(math.log(h.first)), abs(math.log(h.second))) for h in heads]
    return Points(heads, result.turned.size - len(heads), _limit(spread))


def _heads(result: EndingsResult) -> Iterator[HeadPoint]:
    for layer, head in np.ndindex(result.turned.shape):
        first, second = result.log_ratio[:, layer, head].tolist()
        if math.isfinite(first) and math.isfinite(second):
            turned = bool(result.turned[layer, head])
            yield HeadPoint(layer, head, math.exp(first), math.exp(second), turned)


def _limit(spread: list[float]) -> float:
    """Return the ratio at which the axes end: few heads are so one-sided that they lie beyond."""
    for limit in _LIMITS:
        held = sum(each <= math.log(limit) for each in spread)
        if held >= _INSIDE * len(spread):
            return limit
    return _LIMITS[-1]

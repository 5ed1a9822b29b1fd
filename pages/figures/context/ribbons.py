"""Arrows from words to one word as ribbons: as wide as the weight, none across another.

Words stand along a line; a ribbon rises from its word and comes down on the word that looks, in a
place of its own, so that the widths on that word add up as the weights do. Lengths are pixels:
``along`` the line of words and ``out`` from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pages.figures.series import Point

_STEPS = 48  # stretches of an arc
_TIGHTEST = 1.5  # of half its width: the tightest turn of a ribbon, whose inner edge must not fold


@dataclass(frozen=True)
class RibbonSizes:
    """Pixels of one output.

    Parameters
    ----------
    gap : float
        Between two ribbons, where they come down and where they turn.
    head : float
        How wide the head of the thinnest ribbon is.
    tip : float
        How long heads are.
    foot : float
        How far the lowest ribbon reaches out.
    """

    gap: float
    head: float
    tip: float
    foot: float


@dataclass(frozen=True)
class Ribbon:
    """One ribbon.

    Parameters
    ----------
    word : int
        Where it comes from, from 0.
    width : float
        Of its shaft.
    start, end : float
        Along: where its middle leaves its word, and where its tip stands.
    reach : float
        Out: how far its middle goes.
    head : float
        How wide its head is.
    tip : float
        How long its head is.
    """

    word: int
    width: float
    start: float
    end: float
    reach: float
    head: float
    tip: float

    @property
    def outline(self) -> list[Point]:
        """The whole of it as a polygon of (along, out), its head at the end."""
        points = self.middle
        ways = [self._way(points, index) for index in range(len(points))]
        half = self.width / 2
        left = [
            (x - dy * half, y + dx * half) for (x, y), (dx, dy) in zip(points, ways, strict=True)
        ]
        right = [
            (x + dy * half, y - dx * half) for (x, y), (dx, dy) in zip(points, ways, strict=True)
        ]
        side, tip = self.head / 2, self.tip
        head = [(self.end + side, tip), (self.end, 0.0), (self.end - side, tip)]
        return [*left, *head, *reversed(right)]

    @property
    def middle(self) -> list[Point]:
        """The line along its middle: straight out, then half an ellipse to its head."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2
        turns = (math.pi * step / _STEPS for step in range(_STEPS + 1))
        rise = self.reach - self.tip
        arc = [(middle - half * math.cos(turn), self.tip + rise * math.sin(turn)) for turn in turns]
        return [(self.start, 0.0), *arc]

    @staticmethod
    def _way(points: Sequence[Point], index: int) -> Point:
        """Return the direction at a point of a line, at its ends straight out and back."""
        if index in (0, len(points) - 1):
            return 0.0, -1.0 if index else 1.0
        before, after = points[max(index - 1, 0)], points[min(index + 1, len(points) - 1)]
        length = math.dist(before, after) or 1.0
        return (after[0] - before[0]) / length, (after[1] - before[1]) / length


def landing(weights: Sequence[float], unit: float, sizes: RibbonSizes) -> float:
    """Return what ribbons of these weights take along the word on which they come down."""
    slots = [slot(weight * unit, sizes) for weight in weights]
    return sum(slots) + sizes.gap * max(len(slots) - 1, 0)


def slot(width: float, sizes: RibbonSizes) -> float:
    """Return what the head of a ribbon takes."""
    return max(width + sizes.gap, sizes.head)


def ribbons(
    middles: Sequence[float], weights: Sequence[float], query: int, unit: float,
    sizes: RibbonSizes, bow: float = 0.0,
) -> list[Ribbon]:  # fmt: skip
    """Return the ribbons of all words whose weight is not 0, but for the word that looks.

    Parameters
    ----------
    middles : sequence of float
        Along: the middle of each word.
    weights : sequence of float
        Of each word; one of 0 has no ribbon.
    query : int
        Which word looks, from 0.
    unit : float
        Width of a ribbon whose weight is 1.
    sizes : RibbonSizes
    bow : float
        How high an arc is at the least, as a share of half its span.
    """
    before = [word for word in range(query - 1, -1, -1) if weights[word]]
    after = [word for word in range(query + 1, len(weights)) if weights[word]]
    order = [*before, *reversed(after)]  # as they come down, from the first to the last
    total = landing([weights[word] for word in order], unit, sizes)
    place = middles[query] - total / 2
    ends: dict[int, float] = {}
    for word in order:
        taken = slot(weights[word] * unit, sizes)
        ends[word] = place + taken / 2
        place += taken + sizes.gap
    found = []
    for side in (before, after):
        found += _nested(side, middles, ends, [weights[word] * unit for word in side], sizes, bow)
    return found


def _nested(
    words: Sequence[int], middles: Sequence[float], ends: dict[int, float],
    widths: Sequence[float], sizes: RibbonSizes, bow: float,
) -> list[Ribbon]:  # fmt: skip
    """Return the ribbons of one side, the nearest word first, each around the one before it."""
    found: list[Ribbon] = []
    edge, steep = sizes.tip + sizes.foot, 0.0
    for word, width in zip(words, widths, strict=True):
        half = abs(ends[word] - middles[word]) / 2
        # The tightest turns of half an ellipse are at its ends and at its top. Of two that end in
        # one point the longer lies outside of the other where rise² / half is not smaller.
        rise = max(math.sqrt(half * max(_TIGHTEST * width / 2, steep)), bow * half)
        reach = max(edge + width / 2, sizes.tip + rise)
        head = slot(width, sizes)
        found.append(Ribbon(word, width, middles[word], ends[word], reach, head, sizes.tip))
        edge, steep = reach + width / 2 + sizes.gap, (reach - sizes.tip) ** 2 / half
    return found


def reach_of(found: Sequence[Ribbon]) -> float:
    """Return how far out the outermost ribbon goes."""
    return max((each.reach + each.width / 2 for each in found), default=0.0)

"""Arrows along curves: where they leave a node and reach another, their heads, their paths."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from pages.figures.series import Point

_SAMPLES = 40  # stretches of a curve that are looked at one after the other
_HALVINGS = 12  # of the stretch in which a curve leaves a node

Holds = Callable[[Point], bool]  # whether a point lies in a node


@dataclass(frozen=True)
class Curve:
    """A cubic Bézier curve by its four points, in pixels."""

    start: Point
    first: Point
    second: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point at a parameter from 0 to 1."""
        rest = 1 - share
        weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
        points = (self.start, self.first, self.second, self.end)
        pairs = list(zip(weights, points, strict=True))
        return sum(w * p[0] for w, p in pairs), sum(w * p[1] for w, p in pairs)

    @cached_property
    def samples(self) -> tuple[Point, ...]:
        """Points along the curve, its ends among them."""
        return tuple(self.at(step / _SAMPLES) for step in range(_SAMPLES + 1))

    def part(self, begin: float, end: float) -> Curve:
        """Return the stretch between two parameters, as a curve of its own."""
        return self._before(end)._after(begin / end if end else 0.0)

    def _before(self, share: float) -> Curve:
        """Return the stretch up to a parameter (de Casteljau)."""
        a, b, c = (
            _between(one, other, share)
            for one, other in (
                (self.start, self.first), (self.first, self.second), (self.second, self.end),
            )
        )  # fmt: skip
        d, e = _between(a, b, share), _between(b, c, share)
        return Curve(self.start, a, d, _between(d, e, share))

    def _after(self, share: float) -> Curve:
        return self.turned()._before(1 - share).turned()

    def turned(self) -> Curve:
        """Return the same curve from its end to its start."""
        return Curve(self.end, self.second, self.first, self.start)

    @property
    def path(self) -> str:
        """The curve as an SVG path."""
        points = (f"{x:.2f},{y:.2f}" for x, y in (self.first, self.second, self.end))
        return f"M{self.start[0]:.2f},{self.start[1]:.2f}C{' '.join(points)}"

    def leaves(self, holds: Holds) -> float:
        """Return the parameter at which the curve comes out of the node that it starts in."""
        steps = (step for step, point in enumerate(self.samples) if not holds(point))
        outside = next(steps, _SAMPLES)
        low, high = (outside - 1) / _SAMPLES, outside / _SAMPLES
        if low < 0:
            return 0.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if holds(self.at(middle)) else (low, middle)
        return high


def bent(start: Point, end: Point, aside: float) -> Curve:
    """Return a curve between two points whose middle lies ``aside`` to the left of its way."""
    length = math.dist(start, end)
    # To the left, where y grows downwards.
    across = ((end[1] - start[1]) / length, (start[0] - end[0]) / length)
    reach = aside * 4 / 3  # the middle of a cubic curve moves by three quarters of its controls
    first, second = (
        (place[0] + across[0] * reach, place[1] + across[1] * reach)
        for place in (_between(start, end, 0.25), _between(start, end, 0.75))
    )
    return Curve(start, first, second, end)


def loop(middle: Point, outward: Point, reach: float, wide: float) -> Curve:
    """Return a curve from a point to itself that reaches ``reach`` outwards, clockwise."""
    along = (-outward[1], outward[0])

    def place(out: float, aside: float) -> Point:
        return (
            middle[0] + outward[0] * out + along[0] * aside,
            middle[1] + outward[1] * out + along[1] * aside,
        )

    # The farthest point of a cubic curve is three quarters of the way to its controls.
    far = reach * 4 / 3
    return Curve(place(0, -wide / 4), place(far, -wide), place(far, wide), place(0, wide / 4))


@dataclass(frozen=True)
class Arrow:
    """A shaft along a curve, and a head at its end: three points, the tip in the middle."""

    shaft: Curve
    head: tuple[Point, Point, Point]

    @property
    def length(self) -> float:
        """About how long the shaft is, in pixels."""
        return sum(math.dist(one, other) for one, other in pairwise(self.shaft.samples))

    @property
    def outline(self) -> str:
        """The head as an SVG path."""
        return "M" + "L".join(f"{x:.2f},{y:.2f}" for x, y in self.head) + "Z"


def arrow(curve: Curve, source: Holds, target: Holds, head: tuple[float, float]) -> Arrow:
    """Return the arrow along a curve from the edge of one node to the edge of another.

    Parameters
    ----------
    curve : Curve
        From the middle of one to the middle of the other.
    source, target : callable
        Whether a point lies in the node, with what stays free around it.
    head : tuple of float
        Length and half the width of the head.
    """
    begin = curve.leaves(source)
    end = 1 - curve.turned().leaves(target)
    tip = curve.at(end)
    length = min(head[0], math.dist(curve.at(begin), tip) * 0.8)
    neck = _back(curve, begin, end, length)
    foot = curve.at(neck)
    way = math.dist(foot, tip) or 1.0
    across = ((tip[1] - foot[1]) / way * head[1], (foot[0] - tip[0]) / way * head[1])
    sides = (foot[0] + across[0], foot[1] + across[1]), (foot[0] - across[0], foot[1] - across[1])
    return Arrow(curve.part(begin, neck), (sides[0], tip, sides[1]))


def _back(curve: Curve, begin: float, end: float, length: float) -> float:
    """Return the parameter that lies ``length`` pixels before the end of a stretch."""
    tip, low, high = curve.at(end), begin, end
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if math.dist(curve.at(middle), tip) > length else (low, middle)
    return low


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

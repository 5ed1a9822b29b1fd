"""Places names beside the tips of arrows so that nothing lies over anything else.

Each name is tried around its tip, near ones first, and takes the best place that is free; where
there is none near enough, it stands further off with a thin line to its tip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pages.figures.slide import Room

Point = tuple[float, float]
Segment = tuple[Point, Point]
_DIRECTIONS = 24
_STEP = 0.6  # of the height of a name, from one ring of places to the next
_CROSSING = 1.5  # heights: how much further off a name may stand so as not to lie on an arrow
_TANGLED = 6.0  # the same, so that no thin line runs through a name
_TURN = 0.35  # heights that a radian away from the direction of its arrow is worth


@dataclass(frozen=True)
class Name:
    """A name to be placed: its tip, the direction of its arrow, and its size in pixels."""

    tip: Point
    direction: float
    width: float
    height: float


def place_names(
    names: Sequence[Name], room: Room, segments: Sequence[Segment], taken: Sequence[Room]
) -> list[Point] | None:
    """Return the middle of each name; None where they do not all fit.

    Parameters
    ----------
    names : sequence of Name
        The first ones choose first.
    room : tuple
        Left, top, width and height that no name leaves.
    segments : sequence
        Lines that names keep away from where they can.
    taken : sequence of tuple
        Places that no name may touch.
    """
    tips = [_around(name.tip, 4.0) for name in names]
    placing, found = _Placing(room, list(segments), [*taken, *tips]), []
    for name in names:
        middle = placing.best(name)
        if middle is None:
            return None
        found.append(middle)
        placing.put(name, middle)
    return found


class _Placing:
    """Finds the best free place for one name after the other."""

    def __init__(self, room: Room, segments: list[Segment], taken: list[Room]) -> None:
        self.room, self.segments, self.taken = room, segments, taken
        self.names: list[Room] = []
        self.leaders: list[Segment] = []

    def put(self, name: Name, middle: Point) -> None:
        """Give a place to a name."""
        self.names.append(box_of(middle, name))
        line = leader(name, middle)
        self.leaders += [line] if line else []

    def best(self, name: Name) -> Point | None:
        """Return the middle of the place that costs least; None where none is free."""
        best, least = None, math.inf
        farthest, distance = math.hypot(self.room[2], self.room[3]), name.height * 0.3
        while distance <= min(farthest, least):
            for step in range(_DIRECTIONS):
                turn = step * 2 * math.pi / _DIRECTIONS
                middle = _beside(name, name.direction + turn, distance)
                cost = distance + name.height * _TURN * min(turn, 2 * math.pi - turn)
                if cost < least and self._is_free(box_of(middle, name)):
                    cost += name.height * self._crossings(name, middle)
                    best, least = (middle, cost) if cost < least else (best, least)
            distance += name.height * _STEP
        return best

    def _is_free(self, box: Room) -> bool:
        others = (*self.taken, *self.names)
        return _inside(box, self.room) and not any(_meet(box, other) for other in others)

    def _crossings(self, name: Name, middle: Point) -> float:
        """Return how many heights further off a place may be than this one, for what it crosses."""
        box, line = box_of(middle, name), leader(name, middle)
        under = sum(crosses(box, other) for other in self.segments)
        tangled = sum(crosses(box, other) for other in self.leaders)
        if line:
            tangled += sum(crosses(other, line) for other in self.names)
        return _CROSSING * under + _TANGLED * tangled


def _beside(name: Name, angle: float, distance: float) -> Point:
    """Return the middle of a name that stands at a distance from its tip, in a direction."""
    across, down = math.cos(angle), math.sin(angle)
    reach = distance + _reach(name, across, down)
    return name.tip[0] + across * reach, name.tip[1] + down * reach


def _reach(name: Name, across: float, down: float) -> float:
    """Return how far the edge of a name is from its middle in a direction."""
    sides = [
        half / abs(part)
        for half, part in ((name.width / 2, across), (name.height / 2, down))
        if abs(part) > 1e-9
    ]
    return min(sides)


def box_of(middle: Point, name: Name) -> Room:
    """Return left, top, width and height of a name that is centred on a point."""
    left, top = middle[0] - name.width / 2, middle[1] - name.height / 2
    return left, top, name.width, name.height


def _around(point: Point, radius: float) -> Room:
    return point[0] - radius, point[1] - radius, 2 * radius, 2 * radius


def _inside(box: Room, room: Room) -> bool:
    return (
        box[0] >= room[0]
        and box[1] >= room[1]
        and box[0] + box[2] <= room[0] + room[2]
        and box[1] + box[3] <= room[1] + room[3]
    )


def _meet(one: Room, other: Room) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def crosses(box: Room, segment: Segment) -> bool:
    """Return whether a line passes through a box."""
    (x, y), (end_x, end_y) = segment
    first, last = 0.0, 1.0
    for start, way, low, size in (
        (x, end_x - x, box[0], box[2]),
        (y, end_y - y, box[1], box[3]),
    ):
        if way == 0:
            if not low < start < low + size:
                return False
            continue
        ends = sorted(((low - start) / way, (low + size - start) / way))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first < last


def leader(name: Name, middle: Point) -> Segment | None:
    """Return the line from a name to its tip; None where they are next to each other."""
    box = box_of(middle, name)
    near = (
        min(max(name.tip[0], box[0]), box[0] + box[2]),
        min(max(name.tip[1], box[1]), box[1] + box[3]),
    )
    return (near, name.tip) if math.dist(near, name.tip) > name.height * 0.9 else None

"""Names beside the points of a scatter: near their point, over no other point and no other name.

The first names choose first. A name that finds no free place near its point is moved off with a
thin line to it; one that finds none at all is left out, since names over each other tell nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pages.figures.series import Point
from pages.figures.slide import Room

Segment = tuple[Point, Point]
_Boxes = npt.NDArray[np.float64]  # (count, 4): left, top, right, bottom
_WAYS = 16  # directions in which a name may stand from its point
_RINGS = (0.0, 0.5, 1.2, 2.0, 3.0, 4.2)  # heights of a name between it and its point
_LED = 0.9  # heights from a point at which its name needs a line to it
_FREE = 2.0  # pixels that stay free around a point


@dataclass(frozen=True)
class PointName:
    """A name to be placed: its point, its width and its height in pixels."""

    point: Point
    width: float
    height: float


@dataclass(frozen=True)
class Placed:
    """Where a name stands: its middle, and the end of the line to its point (None without one)."""

    middle: Point
    line: Point | None


def place_names(
    names: Sequence[PointName],
    room: Room,
    points: Sequence[Point],
    radius: float,
    taken: Sequence[Room] = (),
    lines: Sequence[Segment] = (),
) -> list[Placed | None]:
    """Return where each name stands; None where it finds no place.

    Parameters
    ----------
    names : sequence of PointName
        The first ones choose first.
    room : tuple
        Left, top, width and height that no name leaves.
    points : sequence
        All points of the plot, also those without a name.
    radius : float
        Of a point, in pixels.
    taken : sequence of tuple
        Further places (left, top, width, height) that no name may touch.
    lines : sequence of (start, end)
        Lines of the plot, through which no name may stand.
    """
    placing = _Placing(room, points, radius, taken, lines)
    return [placing.place(name) for name in names]


class _Placing:
    """Finds the nearest free place for one name after the other."""

    def __init__(
        self, room: Room, points: Sequence[Point], radius: float, taken: Sequence[Room],
        lines: Sequence[Segment],
    ) -> None:  # fmt: skip
        left, top, width, height = room
        self.inside = (left, top, left + width, top + height)
        self.radius = radius
        middles = np.array(points, dtype=np.float64).reshape(-1, 2)
        reach = radius + _FREE
        self.points = np.hstack([middles - reach, middles + reach])
        self.boxes = np.array(
            [(x, y, x + wide, y + high) for x, y, wide, high in taken], dtype=np.float64
        ).reshape(-1, 4)
        self.lines = list(lines)
        self.leaders: list[Segment] = []

    def place(self, name: PointName) -> Placed | None:
        """Give a name the first place that is free, from the nearest ring outwards."""
        boxes = self._candidates(name)
        free = self._free(boxes, _near(boxes, np.vstack([self.points, self.boxes])))
        for index in np.flatnonzero(free).tolist():
            box = boxes[index]
            line = self._line(name, box)
            if line is None or not self._tangles(line, name.point):
                return self._put(box, line)
        return None

    def _candidates(self, name: PointName) -> _Boxes:
        """Return the boxes that a name may take, the best one first."""
        middles = _offsets(name.width, name.height, self.radius + _FREE) + np.array(name.point)
        half = np.array([name.width, name.height]) / 2
        return np.hstack([middles - half, middles + half])

    def _free(self, boxes: _Boxes, taken: _Boxes) -> npt.NDArray[np.bool_]:
        """Return which boxes lie inside the room and meet nothing that is taken."""
        left, top, right, bottom = self.inside
        inside = (
            (boxes[:, 0] >= left) & (boxes[:, 1] >= top)
            & (boxes[:, 2] <= right) & (boxes[:, 3] <= bottom)
        )  # fmt: skip
        meets = (
            (boxes[:, None, 0] < taken[None, :, 2]) & (taken[None, :, 0] < boxes[:, None, 2])
            & (boxes[:, None, 1] < taken[None, :, 3]) & (taken[None, :, 1] < boxes[:, None, 3])
        ).any(axis=1)  # fmt: skip
        crossed = np.zeros(len(boxes), dtype=np.bool_)
        for line in self.lines:
            crossed |= _crossing(boxes, line)
        return np.asarray(inside & ~meets & ~crossed)

    def _line(self, name: PointName, box: npt.NDArray[np.float64]) -> Segment | None:
        """Return the line from a box to its point; None where they are next to each other."""
        (x, y), (left, top, right, bottom) = name.point, box.tolist()
        near = (min(max(x, left), right), min(max(y, top), bottom))
        if math.dist(near, (x, y)) <= self.radius + _FREE + name.height * _LED:
            return None
        return near, (x, y)

    def _tangles(self, line: Segment, own: Point) -> bool:
        """Return whether a line runs through a name or a point that is not its own."""
        others = self.points[np.abs(self.points[:, :2] + self.radius + _FREE - own).sum(1) > 1e-6]
        return bool(_crossing(np.vstack([others, self.boxes]), line).any()) or any(
            _cross(line, other) for other in self.leaders
        )

    def _put(self, box: npt.NDArray[np.float64], line: Segment | None) -> Placed:
        self.boxes = np.vstack([self.boxes, box])
        if line is not None:
            self.lines.append(line)
            self.leaders.append(line)
        left, top, right, bottom = box.tolist()
        return Placed(((left + right) / 2, (top + bottom) / 2), line[0] if line else None)


@lru_cache(maxsize=512)
def _offsets(width: float, height: float, clear: float) -> npt.NDArray[np.float64]:
    """Return the middles of the places around a point at the origin, the best one first.

    To the right comes first, as on a map; then the other sides, then further off.
    """
    found = []
    for ring in _RINGS:
        for turn in sorted(range(_WAYS), key=_liking):
            angle = 2 * math.pi * turn / _WAYS
            across, down = math.cos(angle), -math.sin(angle)
            out = clear + ring * height
            # The nearest corner or edge of the box lies at `out` in the direction.
            middle = (across * (out + width / 2), down * (out + height / 2))
            found.append(middle)
    return np.array(found)


def _liking(turn: int) -> tuple[int, int]:
    """Return the place of a direction among all: right, left, above, below, then between."""
    order = (0, 8, 4, 12, 2, 14, 6, 10)
    return (order.index(turn), turn) if turn in order else (len(order), turn)


def _near(boxes: _Boxes, taken: _Boxes) -> _Boxes:
    """Return what any of the boxes could meet."""
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return np.asarray(taken[((taken[:, :2] < high) & (taken[:, 2:] > low)).all(axis=1)])


def _crossing(boxes: _Boxes, line: Segment) -> npt.NDArray[np.bool_]:
    """Return which boxes a line passes through (Liang and Barsky's clipping)."""
    (x, y), (end_x, end_y) = line
    first, last = np.zeros(len(boxes)), np.ones(len(boxes))
    outside = np.zeros(len(boxes), dtype=np.bool_)
    for start, way, low, high in (
        (x, end_x - x, boxes[:, 0], boxes[:, 2]),
        (y, end_y - y, boxes[:, 1], boxes[:, 3]),
    ):
        if way == 0:
            outside |= (start <= low) | (start >= high)
            continue
        ends = np.sort(np.stack([(low - start) / way, (high - start) / way]), axis=0)
        first, last = np.maximum(first, ends[0]), np.minimum(last, ends[1])
    return np.asarray(~outside & (first < last))


def _cross(one: Segment, other: Segment) -> bool:
    """Return whether two lines cross."""

    def side(line: Segment, point: Point) -> float:
        (x, y), (end_x, end_y) = line
        return (end_x - x) * (point[1] - y) - (end_y - y) * (point[0] - x)

    return (
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
    )

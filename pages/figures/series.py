"""How the lines and bars of one plot are told apart: by colour, and without it.

The six colours keep a CIELAB distance of at least 24 from each other for normal, deuteranopic,
protanopic and tritanopic eyes, and read as text on the background of their theme. Twelve series
have twelve different pairs of dash and marker, so that a plot in grey can be read as well.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, cycle, pairwise
from typing import Literal

MOST_SERIES = 12
COLOURS: dict[str, tuple[str, ...]] = {
    "light": ("#4636B7", "#008098", "#D04050", "#A06800", "#304810", "#603050"),
    "dark": ("#938AF8", "#60D0F8", "#F8B0B8", "#D0E068", "#009860", "#C07020"),
}
# Lengths of line and gap in units of the line's width.
_DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2.6), (0.6, 2.6), (6, 2.4, 0.6, 2.4))
Marker = Literal["circle", "square", "triangle"]
_MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle")

Point = tuple[float, float]


def series_colour(index: int, theme_name: str) -> str:
    """Return the colour of the series at ``index``; the seventh has that of the first again."""
    return COLOURS[theme_name][index % len(COLOURS[theme_name])]


def dash_of(index: int) -> tuple[float, ...]:
    """Return the dash pattern of a line, in units of its width; empty is a solid line."""
    return _DASHES[index % len(_DASHES)]


def marker_of(index: int) -> Marker:
    """Return the marker of a line."""
    return _MARKERS[index % len(_MARKERS)]


def marker_path(marker: Marker, x: float, y: float, radius: float) -> str:
    """Return a marker centred on a point, as an SVG path."""
    if marker == "circle":
        turn = f"a{radius:g},{radius:g},0,1,1"
        return f"M{x - radius:.2f},{y:.2f}{turn},{2 * radius:g},0{turn},{-2 * radius:g},0Z"
    if marker == "square":
        half = radius * 0.88
        return f"M{x - half:.2f},{y - half:.2f}h{2 * half:g}v{2 * half:g}h{-2 * half:g}Z"
    side, height = radius * 1.1, radius * 1.15
    return f"M{x:.2f},{y - height:.2f}l{side:g},{1.8 * height:g}h{-2 * side:g}Z"


def polyline(points: Sequence[Point], dash: tuple[float, ...] = (), width: float = 1) -> str:
    """Return a line through points as an SVG path, cut into dashes.

    The dashes are drawn as pieces, since every program that opens the file shows those alike.
    """
    if not dash:
        return _path(points)
    along = [0.0, *accumulate(math.dist(start, end) for start, end in pairwise(points))]
    lengths, place, pieces = cycle(length * width for length in dash), 0.0, []
    while place < along[-1]:
        end = min(place + next(lengths), along[-1])
        pieces.append(_path(_between(points, along, place, end)))
        place = end + next(lengths)
    return "".join(pieces)


def _between(points: Sequence[Point], along: list[float], start: float, end: float) -> list[Point]:
    """Return the part of a line between two lengths measured along it."""
    inside = points[bisect_right(along, start) : bisect_left(along, end)]
    return [_at(points, along, start), *inside, _at(points, along, end)]


def _at(points: Sequence[Point], along: list[float], length: float) -> Point:
    after = min(max(bisect_left(along, length), 1), len(points) - 1)
    start, end = points[after - 1], points[after]
    room = along[after] - along[after - 1]
    share = (length - along[after - 1]) / room if room else 0.0
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.2f},{y:.2f}" for x, y in points)

"""Draws the query and the keys as arrows from the origin, on axes of one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.experiments.lookup.soft import Result
from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import BACK, FRAME, HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.lookup.plane_labels import (
    Name,
    Point,
    Segment,
    box_of,
    crosses,
    leader,
    place_names,
)
from pages.figures.measure import fit_text, text_width
from pages.figures.palette import mix
from pages.figures.panel import sizes_of
from pages.figures.series import polyline
from pages.figures.slide import Room
from pages.figures.ticks import linear_ticks
from pages.text import Translator, translator

_MARGIN = 0.13  # of the plane, around the tips
_HEAD = 5.0  # widths of a line: the length of the head of its arrow
_SHARES = (1.0, 0.6, 0.35)  # of their lengths to which names are cut where they do not fit
_LONGEST = 0.5  # of the width of the plane, for a name
_ARC, _LEAST_ARC = 0.42, 16.0  # of the shorter arrow, and pixels
_PALE = 0.45  # of the background in the colour of keys that are not looked at


@dataclass(frozen=True)
class Arrow:
    """One vector: its name, its numbers, how it is drawn."""

    name: str
    x: float
    y: float
    colour: str
    width: float
    bold: bool


class PlaneDrawing:
    """Draws the plane into a room of the canvas.

    Parameters
    ----------
    canvas : Canvas
    result : Result
        Of a table whose keys have two numbers.
    style : Style
    row : int
        The key that is looked at, from 0.
    room : tuple
        Left, top, width, height.
    """

    def __init__(
        self, canvas: Canvas, result: Result, style: Style, row: int, room: Room
    ) -> None:  # fmt: skip
        self.canvas, self.result, self.style, self.row = canvas, result, style, row
        self.sizes = sizes_of(style)
        self.t: Translator = translator(style.language)
        self.arrows = self._arrows()
        xs = [0.0, *(arrow.x for arrow in self.arrows)]
        ys = [0.0, *(arrow.y for arrow in self.arrows)]
        left, top, width, height = room
        gutter = 0.0
        while True:  # the numbers of the axis take room, and less room may have longer numbers
            high = height - self.sizes.tick * 1.7
            self.room = (left + gutter, top, width - gutter, high)
            self._fit(xs, ys)
            needed = self._tick_room()
            if needed <= gutter:
                break
            gutter = needed

    def _arrows(self) -> list[Arrow]:
        """Return the keys, the one that is looked at after the others, and the query."""
        params, colours, line = self.result.params, self.style.colours, self.sizes.line
        key, pale = colours.roles["key"], mix(colours.roles["key"], colours.background, _PALE)
        found = [
            Arrow(name, vector[0], vector[1], pale, line * 0.75, bold=False)
            for name, vector in zip(params.names, params.keys, strict=True)
        ]
        looked_at = replace(found.pop(self.row), colour=key, width=line, bold=True)
        found.append(looked_at)
        colour, (x, y) = colours.roles["query"], params.query
        query = Arrow(self.t("query"), x, y, colour, line * 1.25, bold=True)
        return [*found, query]

    # ---- the scale

    def _tick_room(self) -> float:
        """Return what the numbers of the upright axis take."""
        _, top, _, height = self.room
        step = self._step()
        labels = _labels(step, self._lines(step, self.y0, top, top + height, up=True))
        widest = max(words_width(label, self.sizes.tick, False, self.canvas.smallest)
                     for label in labels)  # fmt: skip
        return widest + self.sizes.tick * 0.6

    def _fit(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Find how many pixels one unit is, the same across and up, and where the middle is."""
        left, top, width, height = self.room
        across, up = max(xs) - min(xs), max(ys) - min(ys)
        inside = 1 - 2 * _MARGIN
        scales = [room * inside / span for room, span in ((width, across), (height, up)) if span]
        self.unit = min(scales) if scales else min(width, height) * inside / 2
        middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        self.x0 = left + width / 2 - middle[0] * self.unit
        self.y0 = top + height / 2 + middle[1] * self.unit

    def _at(self, x: float, y: float) -> Point:
        return self.x0 + x * self.unit, self.y0 - y * self.unit

    # ---- drawing

    def draw(self) -> None:
        """Draw the grid, the arrows, the angle and the names."""
        self._grid()
        for arrow in self.arrows:
            self._arrow(arrow)
        taken = self._angle()
        self._names(taken)

    def _grid(self) -> None:
        left, top, width, height = self.room
        right, bottom, colours = left + width, top + height, self.style.colours
        self.canvas.rect(*self.room, stroke=colours.line, stroke_width=1, level=BACK)
        step = self._step()
        for place, x in self._lines(step, self.x0, left, right):
            self._line(f"M{x:.2f},{top:.2f}V{bottom:.2f}", zero=place == 0)
        for place, y in self._lines(step, self.y0, top, bottom, up=True):
            self._line(f"M{left:.2f},{y:.2f}H{right:.2f}", zero=place == 0)
        self._numbers(step)

    def _line(self, path: str, *, zero: bool) -> None:
        colours = self.style.colours
        colour = colours.muted if zero else colours.line
        self.canvas.path(path, stroke=colour, stroke_width=1.25 if zero else 0.75, level=BACK)

    def _step(self) -> float:
        """Return the distance of grid lines, the same across and up."""
        side = max(self.room[2], self.room[3]) / self.unit
        return self._distance(side)

    def _distance(self, side: float) -> float:
        most = max(3, min(9, int(max(self.room[2], self.room[3]) / (self.sizes.tick * 4.2))))
        first, second, *_ = linear_ticks(0.0, side, most).values
        return second - first

    def _lines(
        self, step: float, origin: float, start: float, end: float, *, up: bool = False
    ) -> list[tuple[int, float]]:
        """Return which multiples of a step lie between two pixels, and where."""
        pixels = step * self.unit * (-1 if up else 1)
        ends = sorted(((start - origin) / pixels, (end - origin) / pixels))
        places = range(math.ceil(ends[0]), math.floor(ends[1]) + 1)
        return [(place, origin + place * pixels) for place in places]

    def _numbers(self, step: float) -> None:
        """Write the numbers of both axes beside the plane."""
        left, top, width, height = self.room
        size, colour = self.sizes.tick, self.style.colours.muted
        across = self._lines(step, self.x0, left, left + width)
        upright = self._lines(step, self.y0, top, top + height, up=True)
        for (_, x), label in zip(across, _labels(step, across), strict=True):
            half = words_width(label, size, False, self.canvas.smallest) / 2
            if left <= x - half and x + half <= left + width:
                draw_words(self.canvas, x, top + height + size, label, size, colour,
                           align="center")  # fmt: skip
        for (_, y), label in zip(upright, _labels(step, upright), strict=True):
            if top + size * 0.4 <= y <= top + height - size * 0.2:
                draw_words(self.canvas, left - size * 0.5, y, label, size, colour, align="right")

    def _arrow(self, arrow: Arrow) -> None:
        """Draw an arrow to its tip; a vector that is too short for one is a dot."""
        start, tip = self._at(0.0, 0.0), self._at(arrow.x, arrow.y)
        length, width = math.dist(start, tip), arrow.width
        if length < 2 * width:
            radius = width * 1.4
            dot = f"M{tip[0] - radius:.2f},{tip[1]:.2f}a{radius:.2f},{radius:.2f},0,1,1,"
            dot += f"{2 * radius:.2f},0a{radius:.2f},{radius:.2f},0,1,1,{-2 * radius:.2f},0Z"
            self.canvas.path(dot, fill=arrow.colour, stroke_width=0, level=FRAME)
            return
        head = min(_HEAD * width, length * 0.6)
        across, down = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
        neck = tip[0] - across * head, tip[1] - down * head
        line = polyline([start, (neck[0] + across, neck[1] + down)])
        self.canvas.path(line, stroke=arrow.colour, stroke_width=width, level=FRAME)
        half = head * 0.42
        corners = [tip, (neck[0] - down * half, neck[1] + across * half),
                   (neck[0] + down * half, neck[1] - across * half)]  # fmt: skip
        self.canvas.path(polyline(corners) + "Z", fill=arrow.colour, stroke_width=0, level=FRAME)

    def _angle(self) -> list[Room]:
        """Draw the angle from the query to the key looked at; return what its sign takes."""
        *_, key, query = self.arrows
        angle = float(self.result.plane.angles[self.row])
        shorter = min(math.hypot(each.x, each.y) for each in (key, query)) * self.unit
        if math.isnan(angle):
            return []
        start, turn, radius = math.atan2(query.y, query.x), math.radians(angle), shorter * _ARC
        while not self._holds_arc(start, turn, radius):
            radius *= 0.9  # the origin may lie near an edge of the plane
        if radius < _LEAST_ARC:
            return []
        colour, size = self.style.colours.text, self.sizes.label
        path = polyline(self._arc(start, turn, radius))
        self.canvas.path(path, stroke=colour, stroke_width=1.5, level=HATCH)
        x, y = self._turned(start + turn / 2, radius + size * 0.8)
        if abs(turn) * (radius + size * 0.8) < size * 1.1:
            return []  # between two arrows that are too near for a letter
        self.canvas.text(x, y, "θ", size, colour, bold=True)
        return [(x - size * 0.5, y - size * 0.5, size, size)]

    def _arc(self, start: float, turn: float, radius: float) -> list[Point]:
        return [self._turned(start + turn * step / 32, radius) for step in range(33)]

    def _holds_arc(self, start: float, turn: float, radius: float) -> bool:
        """Return whether an angle and its sign lie inside the plane."""
        if radius < _LEAST_ARC:
            return True  # it is not drawn
        left, top, width, height = self.room
        edge = self.sizes.label * 1.4
        return all(
            left <= x <= left + width and top <= y <= top + height
            for x, y in self._arc(start, turn, radius + edge)
        )

    def _turned(self, angle: float, radius: float) -> Point:
        return self.x0 + radius * math.cos(angle), self.y0 - radius * math.sin(angle)

    def _names(self, taken: list[Room]) -> None:
        """Write each name beside its tip; the query and the key looked at choose first."""
        size, first = self.sizes.label, list(reversed(self.arrows))
        lines = [*self._shafts(), *self._axes()]
        for share in _SHARES:
            room = self.room[2] * _LONGEST * share
            texts = [fit_text(arrow.name, size, room, arrow.bold) for arrow in first]
            names = [self._name(arrow, text) for arrow, text in zip(first, texts, strict=True)]
            middles = place_names(names, self._inner(), lines, taken)
            if middles is not None:
                break
        else:
            return  # so small a plane is never asked for
        for arrow, text, name, middle in zip(first, texts, names, middles, strict=True):
            line = leader(name, middle)
            if line is not None:
                self.canvas.path(polyline(line), stroke=arrow.colour, stroke_width=1, level=HATCH)
            self._clear(name, middle)
            ink = self.style.colours.roles["query" if arrow is self.arrows[-1] else "key"]
            self.canvas.text(*middle, text, size, ink, bold=arrow.bold)

    def _shafts(self) -> list[Segment]:
        return [(self._at(0.0, 0.0), self._at(arrow.x, arrow.y)) for arrow in self.arrows]

    def _axes(self) -> list[Segment]:
        left, top, width, height = self.room
        return [
            ((left, self.y0), (left + width, self.y0)), ((self.x0, top), (self.x0, top + height)),
        ]  # fmt: skip

    def _clear(self, name: Name, middle: Point) -> None:
        """Leave out what lies under a name, where no other place is free."""
        box = box_of(middle, name)
        lines = [*self._shafts(), *self._axes()]
        if self.style.transparent or not any(crosses(box, line) for line in lines):
            return
        self.canvas.rect(*box, fill=self.style.colours.background, level=FRAME)

    def _inner(self) -> Room:
        left, top, width, height = self.room
        return left + 3, top + 3, width - 6, height - 6

    def _name(self, arrow: Arrow, text: str) -> Name:
        size = self.sizes.label
        direction = math.atan2(-arrow.y, arrow.x) if arrow.x or arrow.y else -math.pi / 4
        width = text_width(text, size, arrow.bold) + size * 0.3
        return Name(self._at(arrow.x, arrow.y), direction, width, size * 1.15)


def _labels(step: float, lines: Sequence[tuple[int, float]]) -> tuple[str, ...]:
    """Return the numbers of grid lines as an axis writes them."""
    if not lines:
        return ()
    places = [place for place, _ in lines]
    low, high = min(places), max(max(places), min(places) + 1)
    ticks = linear_ticks(low * step, high * step, high - low + 1)
    return ticks.labels[: len(places)]

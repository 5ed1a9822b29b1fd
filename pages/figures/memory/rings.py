"""Where lines meet a budget: a ring on each, and a thread down to the largest T that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.experiments.memory.predicted import Fit
from pages.figures.annotate import Span
from pages.figures.canvas import FRAME, HATCH
from pages.figures.measure import text_width
from pages.figures.memory.common import method_colour
from pages.figures.panel import Panel
from pages.figures.plot_model import Lines
from pages.figures.series import Point, marker_path, polyline
from pages.figures.ticks import Scale

_RADIUS = 1.5  # marker sizes
_THREAD = (1.0, 2.5)  # line and gap, in widths
_ROW = 1.25  # of the font, between two rows of numbers
_ABOVE = 2  # rows of numbers above a ring
# Where rings or numbers have no room beside each other, those of the first method are kept.
_FIRST = ("materialised", "fused", "window", "blocked")
_CLEAR = 0.25  # of the font, between a label and what it must not touch


@dataclass(frozen=True)
class _Box:
    """A rectangle in pixels."""

    across: Span
    down: Span

    def meets(self, other: _Box) -> bool:
        return self.across.meets(other.across) and self.down.meets(other.down)


@dataclass(frozen=True)
class _Ring:
    """One ring: its middle, its number, its colour."""

    x: float
    y: float
    text: str
    colour: str


class Rings:
    """Draws the rings of one budget, their threads, and the numbers that touch nothing."""

    def __init__(self, panel: Panel, across: Scale, lines: Lines) -> None:
        self.panel, self.across = panel, across
        self.font = panel.sizes.tick
        self.paths = [
            [(across.at(x), panel.y.at(y)) for x, y in zip(lines.x, each.values, strict=True)]
            for each in lines.series
        ]
        self.upright = [across.at(line.at) for line in lines.across("x")]
        self.threads: list[float] = []
        self.taken: list[_Box] = []

    def draw(self, fits: Sequence[Fit]) -> None:
        """Draw a ring for every fit that is on the plot, that of the first method on top."""
        rings = [
            _Ring(self.across.at(fit.T), self.panel.y.at(fit.budget.bytes), f"{fit.T:,}",
                  method_colour(fit.method, self.panel.style))
            for fit in sorted(fits, key=lambda fit: _FIRST.index(fit.method))
            if self.across.least <= fit.T < self.across.most
        ]  # fmt: skip
        self.taken = [self._box(ring.x, ring.y, 2 * self._radius) for ring in rings]
        for ring in reversed(rings):
            self._ring(ring)
        apart = self._apart(rings)
        self.threads = [ring.x for ring in apart]
        for ring in apart:
            self._thread(ring)
            self._label(ring)

    @property
    def _radius(self) -> float:
        return self.panel.sizes.marker * _RADIUS

    def _apart(self, rings: list[_Ring]) -> list[_Ring]:
        """Return the rings that are not on one that comes before them."""
        kept: list[_Ring] = []
        for ring in rings:
            if all(abs(ring.x - other.x) > self._radius for other in kept):
                kept.append(ring)
        return kept

    def _ring(self, ring: _Ring) -> None:
        path = marker_path("circle", ring.x, ring.y, self._radius)
        fill = self.panel.style.colours.background
        self.panel.canvas.path(path, fill=fill, stroke=ring.colour,
                               stroke_width=self.panel.sizes.line, level=FRAME)  # fmt: skip

    def _thread(self, ring: _Ring) -> None:
        """Draw a thread from a ring down to the axis."""
        ends = [(ring.x, ring.y + self._radius), (ring.x, self.panel.bottom)]
        path = polyline(ends, _THREAD, 1.25)
        self.panel.canvas.path(path, stroke=ring.colour, stroke_width=1.25, level=HATCH)

    def _label(self, ring: _Ring) -> None:
        """Write the number beside its thread, in the lowest row that is free.

        Where none is, the number may hide a little of the upright lines, then of other threads.
        """
        places = self._places(ring)
        for crossed in ([*self.upright, *self.threads], self.threads, []):
            box = next((each for each in places if self._is_free(each, crossed)), None)
            if box is not None:
                self._write(ring, box)
                return

    def _places(self, ring: _Ring) -> list[_Box]:
        """Return where a number may stand: beside its thread from the axis up, then above it."""
        width, step = text_width(ring.text, self.font, bold=True), self.font * 0.4
        foot, head = self.panel.bottom - self.font * 0.8, ring.y - self._radius - self.font * 0.7
        below = max(1, int((self.panel.bottom - ring.y) / (self.font * _ROW)))
        heights = [foot - row * self.font * _ROW for row in range(below)]
        heights += [head - row * self.font * _ROW for row in range(_ABOVE)]
        return [
            self._box(ring.x + side * (width / 2 + step), y, width)
            for y in heights
            for side in (1, -1)
        ]

    def _write(self, ring: _Ring, box: _Box) -> None:
        """Write a number on a ground of its own, which hides the lines it may stand on."""
        self.taken.append(box)
        width, height = box.across.right - box.across.left, box.down.right - box.down.left
        canvas, fill = self.panel.canvas, self.panel.style.colours.background
        canvas.rect(box.across.left, box.down.left, width, height, fill=fill, level=FRAME)
        x, y = box.across.left + width / 2, box.down.left + height / 2
        canvas.text(x, y, ring.text, self.font, ring.colour, bold=True)

    def _box(self, x: float, y: float, width: float) -> _Box:
        half = self.font / 2
        return _Box(Span(x - width / 2, x + width / 2), Span(y - half, y + half))

    def _is_free(self, box: _Box, upright: Sequence[float]) -> bool:
        """Whether a label lies on the plot and on no line, upright line, ring or label."""
        gap, panel = self.font * _CLEAR, self.panel
        wide = Span(box.across.left - gap, box.across.right + gap)
        inside = panel.left <= wide.left and wide.right <= panel.right
        inside = inside and panel.top <= box.down.left and box.down.right <= panel.bottom
        crossed = any(wide.left < x < wide.right for x in upright)
        return (
            inside
            and not crossed
            and not any(box.meets(other) for other in self.taken)
            and not any(_passes(path, wide, box.down, gap) for path in self.paths)
        )


def _passes(path: list[Point], across: Span, down: Span, gap: float) -> bool:
    """Return whether a rising line comes near a rectangle."""
    if across.right < path[0][0] or path[-1][0] < across.left:
        return False
    low, high = _height(path, across.left), _height(path, across.right)
    return high <= down.right + gap and down.left - gap <= low


def _height(path: list[Point], x: float) -> float:
    """Return the pixel of a line at ``x``, that of its end beyond it."""
    for (left, start), (right, end) in pairwise(path):
        if x <= right:
            share = max(0.0, (x - left) / (right - left))
            return start + share * (end - start)
    return path[-1][1]

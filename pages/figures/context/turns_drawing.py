"""Draws the heads as points: axes, the corners in which a head turns, the diagonal, the names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pages.figures.canvas import FRAME, HATCH, UNDER, Canvas
from pages.figures.context.layer_marks import draw_point, legend_of, look_of
from pages.figures.context.point_names import PointName, Segment, place_names
from pages.figures.context.turns_points import HeadPoint, Points
from pages.figures.figure import Style
from pages.figures.legend import Legend
from pages.figures.measure import fit_text, text_width
from pages.figures.palette import mix
from pages.figures.panel import REFERENCE_DASH, REFERENCE_WIDTH, Builder, Margins
from pages.figures.series import Point, polyline
from pages.figures.slide import Room
from pages.figures.ticks import Scale
from pages.text import Translator, translator
from pages.text.context_names import head_mark

_CORNER = 0.10  # of the colour of weights in the corners where a head turns
_RING = 1.9  # radii of a point: the ring around the head looked at
_QUIET = 0.8  # of the radius, for a head that does not turn


@dataclass(frozen=True)
class TurnsText:
    """What is written on the plot.

    Parameters
    ----------
    x_title, y_title : str
    upper, lower : str
        What a head in the upper left and in the lower right corner does.
    tip : callable
        Returns what the pointer says over a head.
    """

    x_title: str
    y_title: str
    upper: str
    lower: str
    tip: Callable[[HeadPoint], str]


class TurnsDrawing:
    """Draws the points into a room of the canvas.

    Parameters
    ----------
    canvas, style
    points : Points
    layers : int
        Of the model.
    chosen : (int, int)
        Layer and head looked at, from 0.
    text : TurnsText
    """

    def __init__(
        self, canvas: Canvas, style: Style, points: Points, layers: int, chosen: tuple[int, int],
        text: TurnsText,
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.points = canvas, style, points
        self.layers, self.chosen, self.text = layers, chosen, text
        self.t: Translator = translator(style.language)

    def draw(self, room: Room) -> int:
        """Draw everything; return how many of the heads that turn have no name."""
        left, top, width, _ = room
        entries = legend_of(self.layers, self.style, self.t)
        legend = Legend(self.canvas, self.style, entries, left, top, width)
        legend.draw()
        limit = self.points.limit
        axis = (1 / limit, limit)
        self.panel = Builder(self.canvas, self.style, room, Margins(above=legend.height)).build(
            self.text.x_title, (*axis, "log10"), (self.text.y_title, *axis, "log10")
        )
        self.across = self.panel.x(*axis, "log10")
        taken = self._corners()
        self._lines()
        for point in self.points.heads:
            self._point(point)
        return self._names(taken)

    @property
    def _up(self) -> Scale:
        return self.panel.y

    def _at(self, point: HeadPoint) -> Point:
        first, second = (self.points.inside(ratio) for ratio in (point.first, point.second))
        return self.across.at(first), self._up.at(second)

    # ---- what lies behind the points

    def _corners(self) -> list[Room]:
        """Tint the corners in which a head turns, and say what it does there."""
        panel, colours = self.panel, self.style.colours
        middle, level = self.across.at(1.0), self._up.at(1.0)
        fill = mix(colours.background, colours.roles["weights"], _CORNER)
        upper = (panel.left, panel.top, middle - panel.left, level - panel.top)
        lower = (middle, level, panel.right - middle, panel.bottom - level)
        taken = []
        for box, words, first in ((upper, self.text.upper, True), (lower, self.text.lower, False)):
            self.canvas.rect(*box, fill=fill, level=UNDER)
            taken.append(self._say(box, words, top=first))
        return taken

    def _say(self, box: Room, words: str, *, top: bool) -> Room:
        """Write what a corner means into its outer corner; return what that takes."""
        size, (left, up, width, height) = self.panel.sizes.tick, box
        shown = fit_text(words, size, width - size)
        room, y = text_width(shown, size), up + size if top else up + height - size
        x = left + size * 0.5 if top else left + width - size * 0.5
        self.canvas.text(x, y, shown, size, self.style.colours.text,
                         align="left" if top else "right")  # fmt: skip
        return x if top else x - room, y - size * 0.6, room, size * 1.2

    def _lines(self) -> None:
        """Draw where both weights are alike, and the diagonal of heads that do not change."""
        colour, (*cross, diagonal) = self.style.colours.muted, self._segments()
        for line in cross:
            self.canvas.path(polyline(line), stroke=colour, stroke_width=1.25, level=HATCH)
        dashed = polyline(diagonal, REFERENCE_DASH, REFERENCE_WIDTH)
        self.canvas.path(dashed, stroke=colour, stroke_width=REFERENCE_WIDTH, level=HATCH)

    def _segments(self) -> list[Segment]:
        """Return the lines of the plot, the diagonal last."""
        panel = self.panel
        x, y = self.across.at(1.0), self._up.at(1.0)
        return [
            ((x, panel.top), (x, panel.bottom)),
            ((panel.left, y), (panel.right, y)),
            ((panel.left, panel.bottom), (panel.right, panel.top)),
        ]

    # ---- points and names

    def _radius(self, point: HeadPoint) -> float:
        radius = self.panel.sizes.marker * 1.1
        return radius if point.turned else radius * _QUIET

    def _point(self, point: HeadPoint) -> None:
        at, radius = self._at(point), self._radius(point)
        draw_point(self.canvas, self.style, at, look_of(point.layer, self.layers), radius)
        if (point.layer, point.head) == self.chosen:
            ring = radius * _RING
            self.canvas.path(_circle(at, ring), stroke=self.style.colours.text,
                             stroke_width=self.panel.sizes.line * 0.7, level=FRAME)  # fmt: skip
        reach = self.panel.sizes.marker * 1.4
        box = (at[0] - reach, at[1] - reach, 2 * reach, 2 * reach)
        self.canvas.cell(box, "transparent", self.text.tip(point), (point.layer, point.head))

    def _names(self, taken: list[Room]) -> int:
        """Name the head looked at and those that turn; return how many of them found no place."""
        named = self._named()
        size, radius = self.panel.sizes.tick, self.panel.sizes.marker * 1.1
        texts = [head_mark(point.layer + 1, point.head + 1) for point in named]
        bold = [(point.layer, point.head) == self.chosen for point in named]
        names = [
            PointName(self._at(point), text_width(text, size, strong), size * 1.1)
            for point, text, strong in zip(named, texts, bold, strict=True)
        ]
        panel = self.panel
        room = (panel.left, panel.top, panel.right - panel.left, panel.bottom - panel.top)
        points = [self._at(point) for point in self.points.heads]
        reach = radius * (_RING + 0.2)
        taken = taken + [
            (x - reach, y - reach, 2 * reach, 2 * reach)
            for name, strong in zip(names, bold, strict=True)
            for x, y in [name.point]
            if strong
        ]
        places = place_names(names, room, points, radius, taken, self._segments())
        for name, text, strong, place in zip(names, texts, bold, places, strict=True):
            if place is None:
                continue
            if place.line is not None:
                line = polyline([place.line, name.point])
                self.canvas.path(line, stroke=self.style.colours.muted, stroke_width=1,
                                 level=HATCH)  # fmt: skip
            self.canvas.text(*place.middle, text, size, self.style.colours.text, bold=strong)
        return sum(place is None for place in places)

    def _named(self) -> list[HeadPoint]:
        """Return the head looked at, then those that turn, the farthest from no change first."""
        turned = [point for point in self.points.heads if point.turned]
        turned.sort(key=lambda point: -abs(_apart(point)))
        chosen = [p for p in self.points.heads if (p.layer, p.head) == self.chosen]
        return list(dict.fromkeys([*chosen, *turned]))


def _apart(point: HeadPoint) -> float:
    """Return by which factor the ratio changes, 1 and more."""
    return max(point.first / point.second, point.second / point.first)


def _circle(at: Point, radius: float) -> str:
    x, y = at
    turn = f"a{radius:.2f},{radius:.2f},0,1,1"
    return f"M{x - radius:.2f},{y:.2f}{turn},{2 * radius:.2f},0{turn},{-2 * radius:.2f},0Z"

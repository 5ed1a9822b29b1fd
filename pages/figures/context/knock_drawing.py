"""Draws the cut keys as points with their names, below the rank correlation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pages.figures.annotate import draw_words
from pages.figures.canvas import FRAME, HATCH, Canvas
from pages.figures.context.knock_points import KeyPoint, KeyPoints, Kind
from pages.figures.context.point_names import Placed, PointName, place_names
from pages.figures.figure import Style
from pages.figures.legend import Entry, Legend
from pages.figures.measure import fit_text, text_width
from pages.figures.panel import Builder, Margins, sizes_of
from pages.figures.series import Point, marker_path, polyline
from pages.figures.slide import Room

_LONGEST = 9.0  # of the font: what a name may take


class KnockDrawing:
    """Draws the points into a room of the canvas.

    Parameters
    ----------
    canvas, style
    points : KeyPoints
    titles : (str, str)
        Of the axes.
    headline : str
        Above the plot.
    kinds : dict
        What each kind of key is called.
    tip : callable
        Returns what the pointer says over a key.
    """

    def __init__(
        self, canvas: Canvas, style: Style, points: KeyPoints, titles: tuple[str, str],
        headline: str, kinds: dict[Kind, str], tip: Callable[[KeyPoint], str],
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.points, self.titles = canvas, style, points, titles
        self.headline, self.kinds, self.tip = headline, kinds, tip
        self.sizes = sizes_of(style)

    def draw(self, room: Room) -> int:
        """Draw everything; return how many keys have a name."""
        left, top, width, height = room
        line = self.sizes.label * 1.6
        draw_words(self.canvas, left, top + line * 0.45, self.headline, self.sizes.label,
                   self.style.colours.text, bold=True)  # fmt: skip
        legend = Legend(self.canvas, self.style, self._entries(), left, top + line, width)
        legend.draw()
        below = (left, top + line, width, height - line)
        self.panel = Builder(self.canvas, self.style, below, Margins(above=legend.height)).build(
            self.titles[0], (*self.points.across, "log10"),
            (self.titles[1], *self.points.up, "log10"),
        )  # fmt: skip
        self.across = self.panel.x(*self.points.across, "log10")
        for key in self.points.keys:
            self._point(key)
        return self._names()

    def _entries(self) -> tuple[Entry, ...]:
        """Return what the markers mean, where there is more than one."""
        kinds = self.points.kinds
        if len(kinds) < 2:
            return ()
        return tuple(
            Entry(self.kinds[kind], "", "line", 0, partial(self._sample, kind)) for kind in kinds
        )

    def _sample(self, kind: Kind, canvas: Canvas, place: Room) -> None:
        x, y, width, height = place
        self._marker(canvas, (x + width * 0.7, y + height / 2), kind)

    def _at(self, key: KeyPoint) -> Point:
        return self.across.at(key.weight), self.panel.y.at(key.effect)

    def _marker(self, canvas: Canvas, at: Point, kind: Kind) -> None:
        """Draw a point: a filled circle, for special tokens a hollow square, or a triangle."""
        colours, radius = self.style.colours, self.sizes.marker * 1.1
        if kind == "special":
            path = marker_path("square", *at, radius * 0.85)
            canvas.path(path, fill=colours.background, stroke=colours.muted,
                        stroke_width=radius * 0.38, level=FRAME)  # fmt: skip
            return
        marker, role = ("circle", "key") if kind == "token" else ("triangle", "query")
        path = marker_path("circle" if marker == "circle" else "triangle", *at, radius)
        canvas.path(path, fill=colours.roles[role], stroke=colours.background, stroke_width=1,
                    level=FRAME)  # fmt: skip

    def _point(self, key: KeyPoint) -> None:
        at, reach = self._at(key), self.sizes.marker * 1.4
        self._marker(self.canvas, at, key.kind)
        box = (at[0] - reach, at[1] - reach, 2 * reach, 2 * reach)
        self.canvas.cell(box, "transparent", self.tip(key), None)

    # ---- names

    def _names(self) -> int:
        """Write the names that find a place; return how many do."""
        size, panel, keys = self.sizes.label, self.panel, self.points.by_name()
        texts = [fit_text(key.name, size, size * _LONGEST, key.top) for key in keys]
        names = [
            PointName(self._at(key), text_width(text, size, key.top), size * 1.1)
            for key, text in zip(keys, texts, strict=True)
        ]
        room = (panel.left, panel.top, panel.right - panel.left, panel.bottom - panel.top)
        points = [self._at(key) for key in self.points.keys]
        places = place_names(names, room, points, self.sizes.marker * 1.1)
        for key, text, place in zip(keys, texts, places, strict=True):
            if place is not None:
                self._name(key, text, place)
        return sum(place is not None for place in places)

    def _name(self, key: KeyPoint, text: str, place: Placed) -> None:
        colours = self.style.colours
        if place.line is not None:
            line = polyline([place.line, self._at(key)])
            self.canvas.path(line, stroke=colours.muted, stroke_width=1, level=HATCH)
        colour = {"token": colours.text, "special": colours.muted,
                  "self": colours.roles["query"]}[key.kind]  # fmt: skip
        self.canvas.text(*place.middle, text, self.sizes.label, colour, bold=key.top)

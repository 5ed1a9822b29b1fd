"""Measures of heads, layer by layer: a dot a head, a line for their mean, a dash for equal weights.

Shape legend: L layers, H heads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine.shapes import Array
from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import BACK, FRAME, HATCH, Canvas
from pages.figures.context.look import Look
from pages.figures.figure import Style
from pages.figures.legend import Entry, Legend
from pages.figures.numerals import number
from pages.figures.palette import mix
from pages.figures.panel import (
    Builder,
    Margins,
    Panel,
    Screen,
    Words,
    draw_reference,
    open_plot,
    sizes_of,
    smallest_of,
)
from pages.figures.series import marker_of, marker_path, polyline
from pages.figures.slide import Room
from pages.figures.ticks import Scale, linear_ticks
from pages.text import translator

_APART = 0.16  # layers between the dots of two measures
_PALE = 0.4  # of its colour in the dot of a head
_RING = 1.9  # times the radius of a dot: the ring around that of the chosen head


@dataclass(frozen=True)
class Measure:
    """One measure of every head.

    Parameters
    ----------
    name : str
        Of the line of means.
    values : np.ndarray, (L, H)
    even : float
        What equal weights would give.
    even_name : str
        Written beside that line.
    colour : str
        As ``#rrggbb``.
    kind : int
        Which marker and dash.
    """

    name: str
    values: Array
    even: float
    even_name: str
    colour: str
    kind: int = 0


def layer_plot(
    measures: tuple[Measure, ...], look: Look, style: Style, words: Words, y_title: str,
    screen: Screen,
) -> dict[str, Any]:  # fmt: skip
    """Return the specification of a plot of measures; a click on a dot gives layer and head."""
    return _LayerPlot(measures, look, style).draw(words, y_title, screen)


class _LayerPlot:
    def __init__(self, measures: tuple[Measure, ...], look: Look, style: Style) -> None:
        self.measures, self.look, self.style = measures, look, style
        self.t, self.sizes = translator(style.language), sizes_of(style)

    def draw(self, words: Words, y_title: str, screen: Screen) -> dict[str, Any]:
        canvas, room = open_plot(style := self.style, words, screen)
        legend = Legend(canvas, style, self._entries(), room[0], room[1], room[2])
        layers = self.look.study.layers
        ends = (0.5, layers + 0.5)
        margins = Margins(above=legend.height, right=self._level_room())
        panel = Builder(canvas, style, room, margins).build(
            self.t("layer"), (*ends, "linear"), (y_title, 0.0, self._most(), "linear"),
            marked=tuple(map(float, range(1, layers + 1))),
        )  # fmt: skip
        legend.draw()
        across = panel.x(*ends)
        self._levels(panel)
        for measure in self.measures:
            self._dots(panel, across, measure)
        for measure in self.measures:
            self._means(panel, across, measure)
        self._ring(panel, across)
        return canvas.spec(words.alt)

    def _entries(self) -> tuple[Entry, ...]:
        means = [
            Entry(each.name, each.colour, "line", each.kind,
                  partial(_sample_mean, each, self.style))
            for each in self.measures
        ]  # fmt: skip
        first = self.measures[0]
        dots = Entry(self.t("one head"), first.colour, "line", 0,
                     partial(_sample_dots, self.measures, self.style))  # fmt: skip
        return (*means, dots)

    def _most(self) -> float:
        """Return the upper end of the axis: the first round number above everything."""
        most = max(max(float(each.values.max()), each.even) for each in self.measures)
        if most <= 0:
            return 1.0
        first, second, *_ = linear_ticks(0.0, most, 6).values
        step = second - first
        return math.ceil(most / step - 1e-9) * step

    def _level_room(self) -> float:
        size, smallest = self.sizes.label, smallest_of(self.style)
        names = {each.even_name for each in self.measures}
        return max(words_width(name, size, False, smallest) for name in names) + size * 0.8

    def _levels(self, panel: Panel) -> None:
        """Draw what equal weights would give of each measure, and name every line."""
        size, several = self.sizes.label, len(self.measures) > 1
        heights = [panel.y.at(each.even) for each in self.measures]
        middles = _apart(heights, size * 1.3)
        for each, y, middle in zip(self.measures, heights, middles, strict=True):
            ends = [(panel.left, y), (panel.right, y)]
            draw_reference(panel, ends, BACK, each.colour if several else "")
            draw_words(panel.canvas, panel.right + size * 0.5, middle, each.even_name, size,
                       each.colour if several else self.style.colours.text)  # fmt: skip

    def _at(self, measure: Measure, layer: int) -> float:
        """Return where the dots of a layer, from 0, stand along the axis."""
        middle = (len(self.measures) - 1) / 2
        return layer + 1 + (self.measures.index(measure) - middle) * _APART

    def _dots(self, panel: Panel, across: Scale, measure: Measure) -> None:
        ground, radius = self.style.colours.background, self.sizes.marker * 0.8
        fill, screen = mix(ground, measure.colour, _PALE), self.style.size == "screen"
        for layer, head in np.ndindex(measure.values.shape):
            value = float(measure.values[layer, head])
            x, y = across.at(self._at(measure, layer)), panel.y.at(value)
            marker = marker_path(marker_of(measure.kind), x, y, radius)
            panel.canvas.path(marker, fill=fill, stroke=ground, stroke_width=0.5, level=HATCH)
            if screen:
                self._pointed(panel.canvas, (x, y), measure, (layer, head))

    def _pointed(
        self, canvas: Canvas, point: tuple[float, float], measure: Measure, at: tuple[int, int]
    ) -> None:
        """Lay an unseen cell over a dot, which can be pointed at and clicked."""
        half = self.sizes.marker * 1.1
        place = (point[0] - half, point[1] - half, 2 * half, 2 * half)
        tip = self.t(
            "layer {layer}, head {head}: {value}",
            layer=at[0] + 1,
            head=at[1] + 1,
            value=number(float(measure.values[at]), self.style.decimals),
        )
        canvas.cell(place, "transparent", tip, at)

    def _means(self, panel: Panel, across: Scale, measure: Measure) -> None:
        means = measure.values.mean(axis=1).tolist()
        points = [
            (across.at(self._at(measure, layer)), panel.y.at(mean))
            for layer, mean in enumerate(means)
        ]
        width, colour = self.sizes.line, measure.colour
        if len(points) > 1:
            panel.canvas.path(polyline(points), stroke=colour, stroke_width=width, level=FRAME)
        for point in points:
            marker = marker_path(marker_of(measure.kind), *point, self.sizes.marker * 1.15)
            ground = self.style.colours.background
            panel.canvas.path(marker, fill=colour, stroke=ground, stroke_width=1, level=FRAME)

    def _ring(self, panel: Panel, across: Scale) -> None:
        """Draw a ring around the dots of the chosen head."""
        layer, head = self.look.layer, self.look.head
        for each in self.measures:
            x, y = across.at(self._at(each, layer)), panel.y.at(float(each.values[layer, head]))
            ring = marker_path("circle", x, y, self.sizes.marker * _RING)
            width = 1.5 if self.style.size == "screen" else 2.5
            colour = self.style.colours.text
            panel.canvas.path(ring, stroke=colour, stroke_width=width, level=FRAME)


def _apart(heights: list[float], least: float) -> list[float]:
    """Return the heights of the names of two lines at most, moved as little as keeps them apart."""
    if len(heights) < 2 or abs(heights[0] - heights[1]) >= least:
        return heights
    middle, lower = sum(heights) / 2, heights[0] > heights[1]
    return [middle + least / 2, middle - least / 2][:: 1 if lower else -1]


def _sample_mean(measure: Measure, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    middle, line = y + height / 2, sizes_of(style).line
    path = polyline([(x, middle), (x + width, middle)])
    canvas.path(path, stroke=measure.colour, stroke_width=line, level=FRAME)
    marker = marker_path(marker_of(measure.kind), x + width / 2, middle, sizes_of(style).marker)
    canvas.path(marker, fill=measure.colour, stroke_width=0, level=FRAME)


def _sample_dots(measures: tuple[Measure, ...], style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    for index, each in enumerate(measures):
        middle = x + width * (index + 1) / (len(measures) + 1)
        radius = sizes_of(style).marker * 0.8
        marker = marker_path(marker_of(each.kind), middle, y + height / 2, radius)
        fill = mix(style.colours.background, each.colour, _PALE)
        canvas.path(marker, fill=fill, stroke_width=0, level=FRAME)

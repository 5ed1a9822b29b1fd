"""How the heads of different layers look as points: by colour, and without it by shape.

There are six looks; a model of more layers shares each among neighbouring ones.
"""

from __future__ import annotations

import math
from functools import partial

from pages.figures.canvas import FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.legend import Entry
from pages.figures.panel import sizes_of
from pages.figures.series import COLOURS, Point, marker_of, marker_path, series_colour
from pages.figures.slide import Room
from pages.text import Translator

LOOKS = 6
_HOLLOW = 0.38  # of the radius: the width of the outline of a hollow point


def look_of(layer: int, layers: int) -> int:
    """Return which look the points of a layer have; layers count from 0."""
    return layer // math.ceil(layers / LOOKS)


def legend_of(layers: int, style: Style, t: Translator) -> tuple[Entry, ...]:
    """Return the entries of a legend: one for each look that is used."""
    each = math.ceil(layers / LOOKS)
    return tuple(
        Entry(_name(first + 1, min(first + each, layers), t), "", "line", 0,
              partial(_sample, first // each, style))
        for first in range(0, layers, each)
    )  # fmt: skip


def _name(first: int, last: int, t: Translator) -> str:
    if first == last:
        return t("layer {layer}", layer=first)
    return t("layers {first}–{last}", first=first, last=last)


def _sample(look: int, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    draw_point(canvas, style, (x + width * 0.7, y + height / 2), look, sizes_of(style).marker)


def draw_point(canvas: Canvas, style: Style, at: Point, look: int, radius: float) -> None:
    """Draw a point: the first three looks are filled, the others hollow."""
    colour = series_colour(look % len(COLOURS[style.theme]), style.theme)
    background, path = style.colours.background, marker_path(marker_of(look), *at, radius)
    if look < LOOKS // 2:
        canvas.path(path, fill=colour, stroke=background, stroke_width=1, level=FRAME)
        return
    inner = marker_path(marker_of(look), *at, radius * (1 - _HOLLOW / 2))
    canvas.path(inner, fill=background, stroke=colour, stroke_width=radius * _HOLLOW, level=FRAME)

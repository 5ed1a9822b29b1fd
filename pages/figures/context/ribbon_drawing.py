"""Draws ribbons and the words that they join."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pages.figures.canvas import BACK, HATCH, Canvas
from pages.figures.context.ribbons import Ribbon
from pages.figures.figure import Style
from pages.figures.palette import mix, readable_on, weight_fill
from pages.figures.series import Point, polyline
from pages.figures.slide import Room

_PALEST = 0.42  # of the colour of weights, in a ribbon whose weight is 0
_DEEPEST = 0.5  # the weight from which a ribbon has the whole colour
_EDGE = 0.5  # pixels: so much is even the thinnest ribbon wide
_CASING = 1.0  # pixels of background around a ribbon

Placed = Callable[[Point], Point]  # from (along, out) to (x, y)


def ribbon_colour(weight: float, style: Style) -> str:
    """Return the colour of a ribbon: it never gets too pale to be seen."""
    colours = style.colours
    share = _PALEST + (1 - _PALEST) * min(weight / _DEEPEST, 1.0)
    return mix(colours.background, colours.roles["weights"], round(share, 2))


def draw_ribbons(
    canvas: Canvas, found: Sequence[Ribbon], weights: Sequence[float], placed: Placed, style: Style
) -> None:
    """Draw ribbons, the widest first."""
    for each in sorted(found, key=lambda ribbon: -ribbon.width):
        path = polyline([placed(point) for point in each.outline]) + "Z"
        ground, colour = style.colours.background, ribbon_colour(weights[each.word], style)
        canvas.path(path, fill=ground, stroke=ground, stroke_width=2 * _CASING, level=BACK)
        canvas.path(path, fill=colour, stroke=colour, stroke_width=_EDGE, level=BACK)


def draw_word(
    canvas: Canvas, place: Room, word: str, weight: float | None, tip: str, style: Style,
    *, font: float, bold: bool = False,
) -> None:  # fmt: skip
    """Draw a word on the colour of its weight."""
    colours, radius = style.colours, min(place[3] / 2, font * 0.6)
    fill = colours.surface if weight is None else weight_fill(weight, style.theme)
    canvas.cell(place, fill, tip, None, radius=radius)
    outline = mix(colours.background, colours.roles["weights"], 0.4)
    canvas.rect(*place, stroke=outline, stroke_width=1, radius=radius, level=HATCH)
    left, top, width, height = place
    ink = readable_on(fill, style.theme)
    canvas.text(left + width / 2, top + height / 2, word, font, ink, bold=bold)


def draw_query(canvas: Canvas, place: Room, tip: str, style: Style, *, font: float) -> None:
    """Draw the ground of the word that looks: what stands on it is written by the caller."""
    canvas.cell(place, style.colours.roles["query"], tip, None, radius=font * 0.6)


def draw_badge(canvas: Canvas, right: float, middle: float, text: str, style: Style,
               *, size: float, width: float) -> None:  # fmt: skip
    """Draw a remark in a dashed frame that ends at ``right`` and is ``width`` wide."""
    height, colour = size * 1.6, style.colours.muted
    left, top = right - width, middle - height / 2
    corners = [(left, top), (right, top), (right, top + height), (left, top + height), (left, top)]
    frame = polyline(corners, (4.0, 3.0), 1.25)
    canvas.path(frame, stroke=colour, stroke_width=1.25, level=HATCH)
    canvas.text((left + right) / 2, middle, text, size, colour)

"""The marks of a line plot: lines and markers, bands, crosses, and their samples in a legend."""

from __future__ import annotations

from functools import partial

from pages.figures.canvas import FRAME, UNDER, Canvas
from pages.figures.figure import Band, Crosses, Series, Style
from pages.figures.legend import Entry, Sample
from pages.figures.palette import mix
from pages.figures.panel import Panel, draw_reference, sizes_of
from pages.figures.plot_model import Lines
from pages.figures.series import marker_of, marker_path, polyline
from pages.figures.slide import Room
from pages.figures.ticks import Scale

_TINT = 0.16  # of its colour in the fill of a band and of an area


def legend_entries(lines: Lines, style: Style) -> tuple[Entry, ...]:
    """Return the names of bands that have one, of lines and of crosses, each with its sample."""
    found = [
        Entry(each.name, each.colour, "bar", 0, partial(_sample_band, each, style))
        for each in lines.bands
        if each.named
    ]
    found += [
        Entry(each.name, each.colour, "line", lines.kind(i), _sample_of(lines, i, style))
        for i, each in enumerate(lines.series)
    ]
    found += [
        Entry(each.name, each.colour, "line", 0, partial(_sample_cross, each, style))
        for each in lines.crosses
    ]
    return tuple(found)


def _sample_of(lines: Lines, index: int, style: Style) -> Sample | None:
    """Return what draws the sample of a series where it is not a line with a marker."""
    each, kind = lines.series[index], lines.kind(index)
    if each.look == "dots":
        return partial(_sample_dot, each, kind, style)
    if not lines.dots:
        return partial(_sample_line, each, each.dash(kind), style)
    # A line of a weight of its own is solid, whatever its kind.
    return None if each.weight is None else partial(_sample_marked, each, kind, style)


def _sample_marked(each: Series, kind: int, style: Style, canvas: Canvas, place: Room) -> None:
    _sample_line(each, each.dash(kind), style, canvas, place)
    _sample_dot(each, kind, style, canvas, place)


def _sample_line(
    each: Series, dash: tuple[float, ...], style: Style, canvas: Canvas, place: Room
) -> None:
    x, y, width, height = place
    thick, middle = sizes_of(style).line * each.thickness, y + height / 2
    path = polyline([(x, middle), (x + width, middle)], dash, thick)
    canvas.path(path, stroke=each.colour, stroke_width=thick, level=FRAME)


def _sample_dot(each: Series, kind: int, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    middle = (x + width / 2, y + height / 2)
    marker = marker_path(marker_of(kind), *middle, sizes_of(style).marker)
    canvas.path(marker, fill=each.colour, stroke_width=0, level=FRAME)


def _sample_band(each: Band, style: Style, canvas: Canvas, place: Room) -> None:
    canvas.rect(*place, fill=_tint(each.colour, style), level=FRAME)


def _sample_cross(each: Crosses, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    _draw_cross(canvas, style, x + width / 2, y + height / 2, each.colour)


def _draw_cross(canvas: Canvas, style: Style, x: float, y: float, colour: str) -> None:
    sizes = sizes_of(style)
    half = sizes.marker
    path = f"M{x - half:.2f},{y - half:.2f}L{x + half:.2f},{y + half:.2f}"
    path += f"M{x - half:.2f},{y + half:.2f}L{x + half:.2f},{y - half:.2f}"
    canvas.path(path, stroke=colour, stroke_width=sizes.line, level=FRAME)


def _tint(colour: str, style: Style) -> str:
    return mix(style.colours.background, colour, _TINT)


def draw_bands(panel: Panel, across: Scale, lines: Lines) -> None:
    """Fill each band with a light tint of its line's colour, behind the grid."""
    edges = lines.edges()
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        there, back = (
            [(across.at(x), panel.y.at(y)) for x, y in each.pieces(lines.x)[0]]
            for each in (low, high)
        )
        fill = _tint(low.colour, panel.style)
        panel.canvas.path(polyline([*there, *reversed(back)]), fill=fill, stroke_width=0,
                          level=UNDER)  # fmt: skip


def draw_crosses(panel: Panel, across: Scale, lines: Lines) -> None:
    """Mark the places without a value in rows above the plot, the first row on top."""
    for row, each in enumerate(reversed(lines.crosses)):
        y = panel.top - (row + 0.5) * panel.sizes.row
        for place in each.at:
            _draw_cross(panel.canvas, panel.style, across.at(place), y, each.colour)


def draw_line(panel: Panel, across: Scale, lines: Lines, index: int) -> None:
    """Draw one series: its pieces, their markers, and its area."""
    each, kind = lines.series[index], lines.kind(index)
    dash, width = each.dash(kind), panel.sizes.line * each.thickness
    for piece in each.pieces(lines.x):
        points = [(across.at(x), panel.y.at(y)) for x, y in piece]
        alone = len(points) == 1 or each.look == "dots"
        if each.look == "area":
            _fill_area(panel, points, each.colour)
        if not alone:
            path = polyline(points, dash, width)
            panel.canvas.path(path, stroke=each.colour, stroke_width=width, level=FRAME)
        for (x, _), point in zip(piece, points, strict=True):
            if alone or x in lines.dots:
                _draw_marker(panel, kind, point, each.colour)


def _draw_marker(panel: Panel, kind: int, point: tuple[float, float], colour: str) -> None:
    marker = marker_path(marker_of(kind), *point, panel.sizes.marker)
    background = panel.style.colours.background
    panel.canvas.path(marker, fill=colour, stroke=background, stroke_width=1, level=FRAME)


def _fill_area(panel: Panel, points: list[tuple[float, float]], colour: str) -> None:
    """Fill what lies between a line and the foot of the plot."""
    foot = [(points[-1][0], panel.bottom), (points[0][0], panel.bottom)]
    fill = _tint(colour, panel.style)
    panel.canvas.path(polyline([*points, *foot]), fill=fill, stroke_width=0, level=UNDER)


def draw_levels(panel: Panel, lines: Lines) -> None:
    """Draw the references of the y axis; their labels stand with the names of the lines."""
    for reference in lines.across("y"):
        y = panel.y.at(reference.at)
        draw_reference(panel, [(panel.left, y), (panel.right, y)])

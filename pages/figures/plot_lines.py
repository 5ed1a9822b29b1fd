"""The lines of a line plot: their paths, their names, and what the pointer says."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from pages.figures.annotate import Span, draw_words, spread, words_width
from pages.figures.canvas import FRAME, HATCH, UNDER, Canvas
from pages.figures.figure import Band, Crosses, Reference, Series, Style
from pages.figures.legend import Entry, Legend, Sample
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import number
from pages.figures.palette import mix
from pages.figures.panel import (
    Axis,
    Builder,
    Margins,
    Panel,
    Screen,
    Words,
    draw_reference,
    open_plot,
    sizes_of,
)
from pages.figures.series import dash_of, marker_of, marker_path, polyline
from pages.figures.slide import Room
from pages.figures.ticks import Scale
from pages.text import translator

_LABEL_SHARE = 0.3  # of the width, at most, for the names beside the lines
_LEADER = 2.0  # line heights between the end of a line and its name
_BAND = 0.16  # of its colour in the fill of a band
_TIP_WIDTH = 5.0  # pixels: the narrowest stretch of x that has a tip of its own


@dataclass(frozen=True)
class Lines:
    """What a line plot shows; checked."""

    x: tuple[float, ...]
    series: tuple[Series, ...]
    x_axis: Axis
    y_axis: Axis
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    references: tuple[Reference, ...]
    dots: tuple[float, ...]
    bands: tuple[Band, ...] = ()
    crosses: tuple[Crosses, ...] = ()
    symbols: bool = False

    def kind(self, index: int) -> int:
        """Return which dash and marker the series at ``index`` takes."""
        kind = self.series[index].kind
        return index if kind is None else kind

    def edges(self) -> tuple[Series, ...]:
        """Return the edges of the bands as thin lines, inside the axis."""
        low, high = self.y_range
        return tuple(
            Series(
                band.name, tuple(min(max(value, low), high) for value in edge), band.colour,
                band.x, "edge",
            )
            for band in self.bands
            for edge in (band.low, band.high)
        )  # fmt: skip

    def across(self, axis: str) -> tuple[Reference, ...]:
        """Return the references of one axis."""
        return tuple(reference for reference in self.references if reference.axis == axis)


def draw_lines(
    lines: Lines,
    style: Style,
    words: Words,
    screen: Screen,
) -> dict[str, Any]:
    """Return the specification of a line plot."""
    canvas, room = open_plot(style, words, screen)
    names = _EndNames(canvas, style, lines, room)
    entries = _legend_entries(lines, style) if names.are_many else ()
    legend = Legend(canvas, style, entries, room[0], room[1], room[2])
    margins = Margins(
        above=legend.height,
        right=names.room,
        lift=len(lines.crosses) * sizes_of(style).row,
        edges=screen.edges if style.size == "screen" else None,
    )
    panel = Builder(canvas, style, room, margins).build(
        lines.x_axis.title,
        (*lines.x_range, lines.x_axis.scale),
        (lines.y_axis.title, *lines.y_range, lines.y_axis.scale),
        lines.across("x"),
    )
    legend.draw()
    across = panel.x(*lines.x_range, lines.x_axis.scale)
    _draw_bands(panel, across, lines)
    _draw_levels(panel, lines)
    _draw_crosses(panel, across, lines)
    for index, each in enumerate(lines.series):
        _draw_line(panel, across, lines, index, each)
    names.draw(panel, across)
    if style.size == "screen":
        _draw_tips(panel, across, lines)
    return canvas.spec(words.alt or words.title)


def _legend_entries(lines: Lines, style: Style) -> tuple[Entry, ...]:
    found = [
        Entry(each.name, each.colour, "line", lines.kind(i), _sample_of(each, lines.kind(i), style))
        for i, each in enumerate(lines.series)
    ]
    found += [
        Entry(each.name, each.colour, "line", 0, partial(_sample_cross, each, style))
        for each in lines.crosses
    ]
    return tuple(found)


def _sample_of(each: Series, kind: int, style: Style) -> Sample | None:
    """Return what draws the sample of a series where it is not a line with a marker."""
    return partial(_sample_dot, each, kind, style) if each.look == "dots" else None


def _sample_dot(each: Series, kind: int, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    middle = (x + width / 2, y + height / 2)
    marker = marker_path(marker_of(kind), *middle, sizes_of(style).marker)
    canvas.path(marker, fill=each.colour, stroke_width=0, level=FRAME)


def _sample_cross(each: Crosses, style: Style, canvas: Canvas, place: Room) -> None:
    x, y, width, height = place
    _draw_cross(canvas, style, x + width / 2, y + height / 2, each.colour)


def _draw_cross(canvas: Canvas, style: Style, x: float, y: float, colour: str) -> None:
    sizes = sizes_of(style)
    half = sizes.marker
    path = f"M{x - half:.2f},{y - half:.2f}L{x + half:.2f},{y + half:.2f}"
    path += f"M{x - half:.2f},{y + half:.2f}L{x + half:.2f},{y - half:.2f}"
    canvas.path(path, stroke=colour, stroke_width=sizes.line, level=FRAME)


def _draw_bands(panel: Panel, across: Scale, lines: Lines) -> None:
    """Fill each band with a light tint of its line's colour, behind the grid."""
    edges = lines.edges()
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        there, back = (
            [(across.at(x), panel.y.at(y)) for x, y in each.pieces(lines.x)[0]]
            for each in (low, high)
        )
        fill = mix(panel.style.colours.background, low.colour, _BAND)
        panel.canvas.path(polyline([*there, *reversed(back)]), fill=fill, stroke_width=0,
                          level=UNDER)  # fmt: skip


def _draw_crosses(panel: Panel, across: Scale, lines: Lines) -> None:
    """Mark the places without a value in rows above the plot, the first row on top."""
    for row, each in enumerate(reversed(lines.crosses)):
        y = panel.top - (row + 0.5) * panel.sizes.row
        for place in each.at:
            _draw_cross(panel.canvas, panel.style, across.at(place), y, each.colour)


def _draw_line(panel: Panel, across: Scale, lines: Lines, index: int, each: Series) -> None:
    kind = lines.kind(index)
    for piece in each.pieces(lines.x):
        points = [(across.at(x), panel.y.at(y)) for x, y in piece]
        if len(points) > 1 and each.look == "line":
            path = polyline(points, dash_of(kind), panel.sizes.line)
            panel.canvas.path(path, stroke=each.colour, stroke_width=panel.sizes.line, level=FRAME)
        alone = len(points) == 1 or each.look == "dots"
        dotted = zip(piece, points, strict=True)
        marked = [point for (x, _), point in dotted if alone or x in lines.dots]
        for x, y in marked:
            marker = marker_path(marker_of(kind), x, y, panel.sizes.marker)
            panel.canvas.path(
                marker, fill=each.colour, stroke=panel.style.colours.background, stroke_width=1,
                level=FRAME,
            )  # fmt: skip


def _draw_levels(panel: Panel, lines: Lines) -> None:
    """Draw the references of the y axis; their labels stand with the names of the lines."""
    for reference in lines.across("y"):
        y = panel.y.at(reference.at)
        draw_reference(panel, [(panel.left, y), (panel.right, y)])


class _EndNames:
    """The names at the ends of the lines, kept apart, with a leader to each line's end."""

    def __init__(self, canvas: Canvas, style: Style, lines: Lines, room: Room) -> None:
        self.style, self.lines, self.sizes = style, lines, sizes_of(style)
        size, most = self.sizes.label, room[2] * _LABEL_SHARE
        levels = [reference.label for reference in lines.across("y")]
        # Half of the height is a safe guess of the plot's; its frame is not drawn yet.
        fitting = int(room[3] * 0.62 / (size * 1.25))
        self.are_many = (
            len(lines.series) + len(levels) > fitting
            or bool(lines.crosses)
            or any(each.x and each.x[-1] < lines.x[-1] for each in lines.series)
        )
        named = [] if self.are_many else lines.series
        if lines.symbols:
            self.names = [each.name for each in named]
            widths = [words_width(name, size, False, canvas.smallest) for name in self.names]
        else:
            self.names = [fit_text(each.name, size, most) for each in named]
            widths = [text_width(name, size) for name in self.names]
        widths += [words_width(level, size, False, canvas.smallest) for level in levels]
        self.room = max(widths) + size * (_LEADER + 0.3) if widths else 0.0

    def draw(self, panel: Panel, across: Scale) -> None:
        """Write the names beside the plot, each as near to its line's end as there is room."""
        size, series = self.sizes.label, self.lines.series[: len(self.names)]
        levels = self.lines.across("y")
        ends = [panel.y.at(each.values[-1]) for each in series]
        ends += [panel.y.at(level.at) for level in levels]
        places = spread(ends, size * 1.25, panel.top, panel.bottom)
        muted, text = self.style.colours.muted, self.style.colours.text
        colours = [each.colour for each in series] + [muted] * len(levels)
        inks = [each.colour for each in series] + [text] * len(levels)
        right = across.at(self.lines.x[-1])
        labels = [*self.names, *(level.label for level in levels)]
        drawn = zip(labels, ends, places, colours, inks, strict=True)
        for index, (label, end, y, colour, ink) in enumerate(drawn):
            start = panel.right + size * _LEADER
            leader = f"M{right + 3:.2f},{end:.2f}L{start - size * 0.3:.2f},{y:.2f}"
            pale = mix(colour, self.style.colours.background, 0.35)
            panel.canvas.path(leader, stroke=pale, stroke_width=1.25, level=HATCH)
            own = index < len(self.names) and not self.lines.symbols
            if own:  # a reader's own name, in which d_k is no symbol
                panel.canvas.text(start, y, label, size, ink, align="left")
            else:
                draw_words(panel.canvas, start, y, label, size, ink)


def _draw_tips(panel: Panel, across: Scale, lines: Lines) -> None:
    """Lay unseen stretches over the plot: the pointer says every value at the x nearest to it."""
    for index, span in _stretches([across.at(x) for x in lines.x], panel.left, panel.right):
        place = (span.left, panel.top, span.right - span.left, panel.bottom - panel.top)
        panel.canvas.cell(place, "transparent", _tip(lines, index, panel.style), None)


def _stretches(places: Sequence[float], left: float, right: float) -> list[tuple[int, Span]]:
    """Return the stretch around each place, leaving out places that stand too close together."""
    kept = [0]
    for index in range(1, len(places)):
        if places[index] - places[kept[-1]] >= _TIP_WIDTH:
            kept.append(index)
    middles = [(places[a] + places[b]) / 2 for a, b in pairwise(kept)]
    edges = [left, *middles, right]
    return [(index, Span(edges[i], edges[i + 1])) for i, index in enumerate(kept)]


def _tip(lines: Lines, index: int, style: Style) -> str:
    t = translator(style.language)
    shown = ((each.name, _value_at(lines, each, index)) for each in lines.series)
    values = t.clauses(
        t("{name}: {value}", name=name, value=number(value, style.decimals))
        for name, value in shown
        if value is not None
    )
    x = f"{lines.x[index]:.{style.decimals}g}" if lines.x[index] else "0"
    return t("{title} {value} · {values}", title=lines.x_axis.title, value=x, values=values)


def _value_at(lines: Lines, each: Series, index: int) -> float | None:
    """Return the height of a line at a place of its plot; None where it does not run."""
    if each.x is None:
        return each.values[index]
    x = lines.x[index]
    for piece in each.pieces(lines.x):
        places = [place for place, _ in piece]
        if places[0] <= x <= places[-1] and (each.look == "line" or x in places):
            return _between(piece, max(1, bisect_left(places, x)), x)
    return None


def _between(piece: list[tuple[float, float]], after: int, x: float) -> float:
    """Return the height at ``x`` on the stretch that ends at the point ``after``."""
    if len(piece) == 1:
        return piece[0][1]
    (left, low), (right, high) = piece[after - 1], piece[after]
    return high if x == right else low + (high - low) * (x - left) / (right - left)

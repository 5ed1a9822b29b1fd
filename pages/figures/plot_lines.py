"""The lines of a line plot: their paths, their names, and what the pointer says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pages.figures.annotate import Span, draw_words, spread, words_width
from pages.figures.canvas import FRAME, HATCH, Canvas
from pages.figures.figure import Reference, Series, Style
from pages.figures.legend import Entry, Legend
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
    legend = Legend(
        canvas, style, _legend_entries(lines) if names.are_many else (), room[0], room[1], room[2]
    )
    edges = screen.edges if style.size == "screen" else None
    margins = Margins(above=legend.height, right=names.room, edges=edges)
    panel = Builder(canvas, style, room, margins).build(
        lines.x_axis.title,
        (*lines.x_range, lines.x_axis.scale),
        (lines.y_axis.title, *lines.y_range, lines.y_axis.scale),
        lines.across("x"),
    )
    legend.draw()
    across = panel.x(*lines.x_range, lines.x_axis.scale)
    _draw_levels(panel, lines)
    for index, each in enumerate(lines.series):
        _draw_line(panel, across, lines, index, each)
    names.draw(panel, across)
    if style.size == "screen":
        _draw_tips(panel, across, lines)
    return canvas.spec(words.alt or words.title)


def _legend_entries(lines: Lines) -> tuple[Entry, ...]:
    return tuple(Entry(each.name, each.colour, "line", i) for i, each in enumerate(lines.series))


def _draw_line(panel: Panel, across: Scale, lines: Lines, index: int, each: Series) -> None:
    points = [(across.at(x), panel.y.at(y)) for x, y in zip(lines.x, each.values, strict=True)]
    width, background = panel.sizes.line, panel.style.colours.background
    if len(points) > 1:
        path = polyline(points, dash_of(index), width)
        panel.canvas.path(path, stroke=each.colour, stroke_width=width, level=FRAME)
    dotted = [point for x, point in zip(lines.x, points, strict=True) if x in lines.dots]
    for x, y in dotted if len(points) > 1 else points:
        marker = marker_path(marker_of(index), x, y, panel.sizes.marker)
        panel.canvas.path(marker, fill=each.colour, stroke=background, stroke_width=1, level=FRAME)


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
        self.are_many = len(lines.series) + len(levels) > fitting
        named = [] if self.are_many else lines.series
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
            if index < len(self.names):  # a reader's own name, in which d_k is no symbol
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
    values = t.clauses(
        t("{name}: {value}", name=each.name, value=number(each.values[index], style.decimals))
        for each in lines.series
    )
    x = f"{lines.x[index]:.{style.decimals}g}" if lines.x[index] else "0"
    return t("{title} {value} · {values}", title=lines.x_axis.title, value=x, values=values)

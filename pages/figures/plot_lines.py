"""A line plot: its frame, its lines, and their names at their ends or in a legend."""

from __future__ import annotations

from typing import Any

from pages.figures.annotate import draw_words, spread, words_width
from pages.figures.canvas import HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.legend import Legend
from pages.figures.measure import fit_text, text_width
from pages.figures.palette import mix
from pages.figures.panel import Builder, Margins, Panel, Screen, Words, open_plot, sizes_of
from pages.figures.plot_marks import (
    draw_bands,
    draw_crosses,
    draw_levels,
    draw_line,
    legend_entries,
)
from pages.figures.plot_model import Lines
from pages.figures.plot_tips import draw_tips
from pages.figures.slide import Room
from pages.figures.ticks import Scale

_LABEL_SHARE = 0.3  # of the width, at most, for the names beside the lines
_LEADER = 2.0  # line heights between the end of a line and its name


def draw_lines(
    lines: Lines,
    style: Style,
    words: Words,
    screen: Screen,
) -> dict[str, Any]:
    """Return the specification of a line plot."""
    canvas, room = open_plot(style, words, screen)
    names = _EndNames(canvas, style, lines, room)
    entries = legend_entries(lines, style) if names.are_many else ()
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
        lines.x_axis.ticks,
        lines.y_axis.written,
    )
    legend.draw()
    across = panel.x(*lines.x_range, lines.x_axis.scale)
    draw_bands(panel, across, lines)
    draw_levels(panel, lines)
    draw_crosses(panel, across, lines)
    for index in range(len(lines.series)):
        draw_line(panel, across, lines, index)
    names.draw(panel, across)
    if style.size == "screen":
        draw_tips(panel, across, lines)
    return canvas.spec(words.alt or words.title)


class _EndNames:
    """The names at the ends of the lines, kept apart, with a leader to each line's end."""

    def __init__(self, canvas: Canvas, style: Style, lines: Lines, room: Room) -> None:
        self.style, self.lines, self.sizes = style, lines, sizes_of(style)
        size, most = self.sizes.label, room[2] * _LABEL_SHARE
        levels = [reference.label for reference in lines.across("y")]
        # Half of the height is a safe guess of the plot's; its frame is not drawn yet.
        fitting = int(room[3] * 0.62 / (size * 1.25))
        names = [each.name for each in lines.series]
        found = [words_width(name, size, False, canvas.smallest) for name in names]
        self.are_many = (
            len(names) + len(levels) > fitting
            or bool(lines.crosses)
            or any(band.named for band in lines.bands)
            or lines.any_ends_early
            or lines.legend
            or (lines.symbols and max(found) > most)  # a formula is not cut
        )
        if self.are_many:
            names, found = [], []
        elif not lines.symbols:
            names = [fit_text(name, size, most) for name in names]
            found = [text_width(name, size) for name in names]
        self.names, widths = names, found
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

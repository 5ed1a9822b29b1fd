"""The bars of a bar plot: groups side by side, their names, their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages.figures.annotate import draw_words, words_width
from pages.figures.bar_style import bar_look, draw_bar
from pages.figures.board import hatching
from pages.figures.canvas import BACK, HATCH, Canvas
from pages.figures.figure import Series, Style
from pages.figures.legend import Entry, Legend
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import number
from pages.figures.panel import Builder, Margins, Panel, Reference, open_plot, sizes_of
from pages.figures.series import polyline
from pages.text import translator

_GROUP_SHARE = 0.76  # of a group's place, for its bars
_WIDEST = {"screen": 46.0, "slide": 84.0, "half": 60.0, "square": 66.0}
_FEWEST_DECIMALS = 2
_REFERENCE_DASH = (4.0, 3.0)


@dataclass(frozen=True)
class Bars:
    """What a bar plot shows; checked."""

    groups: tuple[str, ...]
    series: tuple[Series, ...]
    x_title: str
    y_title: str
    y_range: tuple[float, float]
    hidden: frozenset[int]
    hidden_word: str
    references: tuple[Reference, ...]


def draw_bars(
    bars: Bars,
    style: Style,
    title: str,
    note: str,
    role: str,
    alt: str,
    screen: tuple[float, float],
) -> dict[str, Any]:
    """Return the specification of a bar plot."""
    canvas, room = open_plot(style, title, note, role, screen)
    entries = tuple(Entry(each.name, each.colour, "bar", i) for i, each in enumerate(bars.series))
    legend = Legend(canvas, style, entries if len(entries) > 1 else (), room[0], room[1], room[2])
    sizes = sizes_of(style)
    right = _level_room(bars, style, canvas)
    # What the y axis takes is not known before it is drawn: a share of the width is on the safe
    # side for the choice of one or two rows of names, and of the decimals.
    slot = (room[2] - right - sizes.tick * 4) / len(bars.groups)
    rows = 1 if _fits(bars.groups, sizes.tick, slot) else 2
    texts = _value_texts(bars, style, slot)
    margins = Margins(
        above=legend.height + (_headroom(bars, room[3], sizes.tick) if texts else 0.0),
        right=right,
        below=(rows - 1) * sizes.tick * 1.25,
    )
    panel = Builder(canvas, style, room, margins).build(
        bars.x_title, None, (bars.y_title, *bars.y_range, "linear")
    )
    legend.draw()
    _Groups(panel, bars, texts, rows).draw()
    _draw_levels(panel, bars)
    return canvas.spec(alt or title)


def _fits(names: tuple[str, ...], size: float, slot: float) -> bool:
    return all(text_width(name, size) <= slot - size * 0.4 for name in names)


def _bar_width(bars: Bars, style: Style, slot: float) -> float:
    return min(slot * _GROUP_SHARE / len(bars.series), _WIDEST[style.size])


def _value_texts(bars: Bars, style: Style, slot: float) -> list[list[str]]:
    """Return the values as they stand on the bars, series by series; empty where none fit."""
    room = _bar_width(bars, style, slot) - 2
    for decimals in range(max(style.decimals, _FEWEST_DECIMALS), _FEWEST_DECIMALS - 1, -1):
        texts = [[number(value, decimals) for value in each.values] for each in bars.series]
        size = sizes_of(style).tick
        if all(text_width(text, size) <= room for row in texts for text in row):
            return texts
    return []


def _level_room(bars: Bars, style: Style, canvas: Canvas) -> float:
    """Return what the labels of the references take to the right of the plot."""
    size = sizes_of(style).label
    widths = [words_width(each.label, size, False, canvas.smallest) for each in bars.references]
    return max(widths) + size * 0.8 if widths else 0.0


def _headroom(bars: Bars, height: float, size: float) -> float:
    """Return what a value on the highest bar takes above the plot, at most one line."""
    least, most = bars.y_range
    highest = max(value for each in bars.series for value in each.values)
    # No plot is lower than half of its room, so the space above the bar is at least this.
    free = (most - max(highest, 0.0)) / (most - least) * height / 2
    return max(0.0, size * 1.2 - free)


class _Groups:
    """Draws the groups, from the left to the right."""

    def __init__(self, panel: Panel, bars: Bars, texts: list[list[str]], rows: int) -> None:
        self.panel, self.bars, self.texts, self.rows = panel, bars, texts, rows
        self.slot = (panel.right - panel.left) / len(bars.groups)
        self.width = _bar_width(bars, panel.style, self.slot)

    def draw(self) -> None:
        for group, name in enumerate(self.bars.groups):
            left = self.panel.left + group * self.slot
            if group in self.bars.hidden:
                self.hide(group, left)
            else:
                self.bars_of(group, left)
            self.name(group, name, left + self.slot / 2)

    def name(self, group: int, name: str, middle: float) -> None:
        sizes, colour = self.panel.sizes, self.panel.style.colours.text
        room = self.slot * self.rows - sizes.tick * 0.4
        y = self.panel.bottom + sizes.tick * (1.0 + 1.25 * (group % self.rows))
        half = text_width(name, sizes.tick) / 2
        if self.rows > 1:
            # At the edges a name of the two rows must not leave the plot.
            edge = min(middle - self.panel.left, self.panel.right - middle) + sizes.tick * 0.3
            room = min(room, 2 * edge) if half > edge else room
        shown = fit_text(name, sizes.tick, room)
        self.panel.canvas.text(middle, y, shown, sizes.tick, colour)

    def hide(self, group: int, left: float) -> None:
        """Hatch the place of a group that a mask hides."""
        panel, colours = self.panel, self.panel.style.colours
        inset = self.slot * (1 - _GROUP_SHARE) / 2
        height = panel.bottom - panel.top
        place = (left + inset, panel.top, self.slot - 2 * inset, height)
        panel.canvas.cell(place, colours.masked, self.tip(group, self.bars.hidden_word), None)
        hatch = hatching(place, 9.0 if panel.style.size == "screen" else 14.0)
        panel.canvas.path(hatch, stroke=colours.hatch, stroke_width=1, level=HATCH)

    def bars_of(self, group: int, left: float) -> None:
        panel, sizes = self.panel, self.panel.sizes
        foot = panel.y.at(0)
        start = left + (self.slot - self.width * len(self.bars.series)) / 2
        for index, each in enumerate(self.bars.series):
            value = each.values[group]
            end = panel.y.at(value)
            x = start + index * self.width
            gap = min(1.0, self.width * 0.06)
            place = (x + gap, min(end, foot), self.width - 2 * gap, abs(end - foot))
            look = bar_look(index, each.colour, panel.style.colours)
            draw_bar(panel.canvas, place, look, tip=self.tip(group, self.said(each, value)))
            if self.texts:
                y = end - sizes.tick * 0.7 if value >= 0 else end + sizes.tick * 0.7
                text = self.texts[index][group]
                middle = x + self.width / 2
                panel.canvas.text(middle, y, text, sizes.tick, panel.style.colours.text)

    def said(self, each: Series, value: float) -> str:
        t = translator(self.panel.style.language)
        decimals = self.panel.style.decimals
        return t("{name}: {value}", name=each.name, value=number(value, decimals))

    def tip(self, group: int, words: str) -> str:
        t = translator(self.panel.style.language)
        return t("{group} · {words}", group=self.bars.groups[group], words=words)


def _draw_levels(panel: Panel, bars: Bars) -> None:
    """Draw the references of the y axis with their labels to the right of the plot."""
    size, colours = panel.sizes.label, panel.style.colours
    for reference in bars.references:
        y = panel.y.at(reference.at)
        path = polyline([(panel.left, y), (panel.right, y)], _REFERENCE_DASH, 1.5)
        panel.canvas.path(path, stroke=colours.muted, stroke_width=1.5, level=BACK)
        draw_words(panel.canvas, panel.right + size * 0.5, y, reference.label, size, colours.text)

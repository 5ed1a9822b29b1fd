"""The bars of a bar plot: groups side by side, their names, their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages.figures.annotate import draw_words, words_width
from pages.figures.bar_style import bar_look, draw_bar
from pages.figures.board import hatching
from pages.figures.canvas import BACK, HATCH
from pages.figures.figure import Reference, Series, SizeName, Style
from pages.figures.legend import Entry, Legend
from pages.figures.measure import fit_text, text_width
from pages.figures.numerals import measured_number, number
from pages.figures.panel import (
    Builder,
    Margins,
    Panel,
    Screen,
    Words,
    draw_reference,
    inside_width,
    open_plot,
    sizes_of,
    smallest_of,
)
from pages.text import translator

_GROUP_SHARE = 0.82  # of a group's place, for its bars
BAR_GAP = 1.0  # pixels that a bar leaves free on each side
_WIDEST: dict[SizeName, float] = {"screen": 46.0, "slide": 84.0, "half": 60.0, "square": 66.0}
FEWEST_DECIMALS = 2


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
    measured: bool = False

    def written(self, value: float, decimals: int) -> str:
        """Return the text of a value."""
        return measured_number(value, decimals) if self.measured else number(value, decimals)


def draw_bars(
    bars: Bars,
    style: Style,
    words: Words,
    screen: Screen,
) -> dict[str, Any]:
    """Return the specification of a bar plot."""
    canvas, room = open_plot(style, words, screen)
    entries = tuple(Entry(each.name, each.colour, "bar", i) for i, each in enumerate(bars.series))
    legend = Legend(canvas, style, entries if len(entries) > 1 else (), room[0], room[1], room[2])
    sizes = sizes_of(style)
    slot, right = _slot(bars, style, screen), _level_room(bars, style)
    rows = 1 if _fits(bars.groups, sizes.tick, slot) else 2
    decimals = bar_decimals(bars, style, screen)
    margins = Margins(
        above=legend.height,
        right=right,
        below=(rows - 1) * sizes.tick * 1.25,
        lift=0.0 if decimals is None else sizes.tick * 0.45,
        edges=screen.edges if style.size == "screen" else None,
    )
    panel = Builder(canvas, style, room, margins).build(
        bars.x_title, None, (bars.y_title, *bars.y_range, "linear")
    )
    legend.draw()
    _Groups(panel, bars, decimals, rows).draw()
    _draw_levels(panel, bars)
    return canvas.spec(words.alt or words.title)


def _fits(names: tuple[str, ...], size: float, slot: float) -> bool:
    return all(text_width(name, size) <= slot - size * 0.4 for name in names)


def _slot(bars: Bars, style: Style, screen: Screen) -> float:
    """Return a safe guess of the width of one group: what the y axis takes is not known yet."""
    room = inside_width(style, screen) - _level_room(bars, style) - sizes_of(style).tick * 2.6
    return room / len(bars.groups)


def bar_width(slot: float, count: int, size: SizeName) -> float:
    """Return the width of each of ``count`` bars in a group that has ``slot`` pixels."""
    return min(slot * _GROUP_SHARE / count, _WIDEST[size])


def _bar_width(bars: Bars, style: Style, slot: float) -> float:
    return bar_width(slot, len(bars.series), style.size)


def bar_decimals(bars: Bars, style: Style, screen: Screen) -> int | None:
    """Return the decimals of the values that stand on the bars; None where no values fit."""
    room, size = _bar_width(bars, style, _slot(bars, style, screen)) - 2, sizes_of(style).tick
    values = [
        value
        for each in bars.series
        for group, value in enumerate(each.values)
        if group not in bars.hidden
    ]
    for decimals in range(max(style.decimals, FEWEST_DECIMALS), FEWEST_DECIMALS - 1, -1):
        if all(text_width(bars.written(value, decimals), size) <= room for value in values):
            return decimals
    return None


def _level_room(bars: Bars, style: Style) -> float:
    """Return what the labels of the references take to the right of the plot."""
    size, smallest = sizes_of(style).label, smallest_of(style)
    widths = [words_width(each.label, size, False, smallest) for each in bars.references]
    return max(widths) + size * 0.8 if widths else 0.0


class _Groups:
    """Draws the groups, from the left to the right."""

    def __init__(self, panel: Panel, bars: Bars, decimals: int | None, rows: int) -> None:
        self.panel, self.bars, self.decimals, self.rows = panel, bars, decimals, rows
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
        size, colour = self.panel.sizes.tick, self.panel.style.colours.text
        y = self.panel.bottom + size * (1.0 + 1.25 * (group % self.rows))
        room, half = self._name_room, text_width(name, size) / 2
        edge = min(middle - self.panel.left, self.panel.right - middle) + size * 0.3
        outer = group in (0, len(self.bars.groups) - 1)
        if self.rows > 1 and outer and half > edge:
            # At the edges a name of the two rows must not leave the plot: it moves inwards as far
            # as the next name of its row lets it.
            inwards = 1 if middle < (self.panel.left + self.panel.right) / 2 else -1
            room = max(2 * edge, edge + self._free(group, inwards))
            half = text_width(fit_text(name, size, room), size) / 2
            middle += inwards * max(0.0, half - edge)
        self.panel.canvas.text(middle, y, fit_text(name, size, room), size, colour)

    @property
    def _name_room(self) -> float:
        return self.slot * self.rows - self.panel.sizes.tick * 0.4

    def _free(self, group: int, inwards: int) -> float:
        """Return what is free from the middle of a group to the next name of the same row."""
        neighbour, size = group + inwards * self.rows, self.panel.sizes.tick
        if neighbour in (0, len(self.bars.groups) - 1):
            return 0.0  # it may move inwards as well
        if not 0 < neighbour < len(self.bars.groups):
            return self._name_room
        taken = min(text_width(self.bars.groups[neighbour], size), self._name_room) / 2
        return self.slot * self.rows - taken - size * 0.4

    def hide(self, group: int, left: float) -> None:
        """Hatch the place of a group that a mask hides."""
        panel, colours = self.panel, self.panel.style.colours
        inset = self.slot * (1 - _GROUP_SHARE) / 2
        # The line on which the bars stand stays whole.
        height = panel.bottom - panel.top - 1
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
            gap = min(BAR_GAP, self.width * 0.06)
            place = (x + gap, min(end, foot), self.width - 2 * gap, abs(end - foot))
            look = bar_look(index, each.colour, panel.style.colours)
            draw_bar(panel.canvas, place, look, tip=self.tip(group, self.said(each, value)))
            # However narrow the bars are, there is room for a nought.
            if self.decimals is not None or (self.bars.measured and value == 0):
                y = end - sizes.tick * 0.7 if value >= 0 else end + sizes.tick * 0.7
                text = self.bars.written(value, self.decimals or 0)
                middle = x + self.width / 2
                panel.canvas.text(middle, y, text, sizes.tick, panel.style.colours.text)

    def said(self, each: Series, value: float) -> str:
        t = translator(self.panel.style.language)
        decimals = self.panel.style.decimals
        return t("{name}: {value}", name=each.name, value=self.bars.written(value, decimals))

    def tip(self, group: int, words: str) -> str:
        t = translator(self.panel.style.language)
        return t("{group} · {words}", group=self.bars.groups[group], words=words)


def _draw_levels(panel: Panel, bars: Bars) -> None:
    """Draw the references of the y axis with their labels to the right of the plot."""
    size, colours = panel.sizes.label, panel.style.colours
    for reference in bars.references:
        y = panel.y.at(reference.at)
        draw_reference(panel, [(panel.left, y), (panel.right, y)], BACK)
        draw_words(panel.canvas, panel.right + size * 0.5, y, reference.label, size, colours.text)

"""Draws a sentence as a row or a column of words, with a ribbon from each to the one that looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.experiments.context.pictured import Ending
from pages.figures.canvas import Canvas
from pages.figures.context.flow_layout import FLOW_SIZES, FlowSizes, Line, column_of, line_of
from pages.figures.context.mechanism import ending_of
from pages.figures.context.ribbon_drawing import draw_badge, draw_query, draw_ribbons, draw_word
from pages.figures.context.ribbons import ribbons
from pages.figures.figure import Style
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.slide import Room
from pages.text import Translator, translator

DECIMALS = 2  # those of the drawn weights
_HIGH = 1.9  # of the font: a word
_HEADING, _NUMBER = 2.2, 1.5  # of the small font: the line above, the numbers below
_APART = 0.9  # of the font: between two sentences in rows
_BESIDE = 1.6  # of the font: between two sentences in columns
_NAMED = 3  # words that the heading of a row names with their weights

Way = Literal["rows", "columns"]


@dataclass(frozen=True)
class Plan:
    """How the sentences stand, and the line that all of them share."""

    way: Way
    line: Line
    rooms: tuple[Room, ...]


def weights_of(ending: Ending) -> tuple[float, ...]:
    """Return the weights, 0 where no arrow is drawn."""
    return tuple(weight or 0.0 for weight in ending.weights)


def plan_of(endings: tuple[Ending, ...], style: Style, room: Room) -> Plan:
    """Return rows where the sentences fit into them, else columns."""
    sizes = FLOW_SIZES[style.size]
    return _rows(endings, sizes, room) or _columns(endings, sizes, room)


def _widths(endings: tuple[Ending, ...], sizes: FlowSizes) -> list[float]:
    """Return what the pill of each word takes, the same in every sentence."""
    return [
        max(text_width(word, sizes.font, bold=True) for word in words) + 2 * sizes.pad
        for words in zip(*(each.tokens for each in endings), strict=True)
    ]


def _rows(endings: tuple[Ending, ...], sizes: FlowSizes, room: Room) -> Plan | None:
    left, top, width, height = room
    apart = sizes.font * _APART
    each = (height - apart * (len(endings) - 1)) / len(endings)
    out = each - sizes.small * (_HEADING + _NUMBER) - sizes.font * _HIGH
    flows = [weights_of(ending) for ending in endings]
    line = line_of(_widths(endings, sizes), flows, endings[0].query, sizes, along=width, out=out)
    if line is None:
        return None
    used = line.reach + each - out
    spare = (each - used) * len(endings) / (len(endings) + 1)
    tops = (top + spare + place * (used + spare + apart) for place in range(len(endings)))
    start = left + (width - line.total) / 2
    return Plan("rows", line, tuple((start, y, line.total, used) for y in tops))


def _columns(endings: tuple[Ending, ...], sizes: FlowSizes, room: Room) -> Plan:
    left, top, width, height = room
    beside = sizes.font * _BESIDE
    each = (width - beside * (len(endings) - 1)) / len(endings)
    taken = number_room(sizes) + max(_widths(endings, sizes))
    flows = [weights_of(ending) for ending in endings]
    along = height - sizes.small * _HEADING
    line = column_of(len(endings[0].tokens), flows, endings[0].query, sizes, along, each - taken)
    used = taken + line.reach
    start = left + (width - used * len(endings) - beside * (len(endings) - 1)) / 2
    down = top + (height - line.total - sizes.small * _HEADING) / 2
    rooms = (
        (start + place * (used + beside), down, used, line.total + sizes.small * _HEADING)
        for place in range(len(endings))
    )
    return Plan("columns", line, tuple(rooms))


def number_room(sizes: FlowSizes) -> float:
    """Return what the number beside a word takes in a column."""
    return text_width(number(0.0, DECIMALS), sizes.small, bold=True) + sizes.small * 0.4


class PictureDrawing:
    """Draws one sentence where a plan has put it."""

    def __init__(self, canvas: Canvas, ending: Ending, plan: Plan, room: Room,
                 style: Style) -> None:  # fmt: skip
        self.canvas, self.ending, self.plan, self.room = canvas, ending, plan, room
        self.style, self.sizes, self.t = style, FLOW_SIZES[style.size], translator(style.language)
        self.weights = weights_of(ending)
        self.largest = max(self.weights)

    def draw(self) -> None:
        """Draw heading, ribbons, words and numbers."""
        self._heading()
        line, query = self.plan.line, self.ending.query
        found = ribbons(line.middles, self.weights, query, line.unit, self.sizes.ribbons, line.bow)
        draw_ribbons(self.canvas, found, self.weights, self._placed, self.style)
        for place in range(len(self.weights)):
            self._word(place)
            self._number(place)

    # ---- where things stand

    @property
    def _base(self) -> float:
        """The edge of the words from which the ribbons rise: its y in a row, its x in a column."""
        left, top, width, height = self.room
        if self.plan.way == "rows":
            return top + height - self.sizes.small * _NUMBER - self.sizes.font * _HIGH
        return left + width - self.plan.line.reach

    def _placed(self, point: tuple[float, float]) -> tuple[float, float]:
        along, out = point
        if self.plan.way == "rows":
            return self.room[0] + along, self._base - out
        return self._base + out, self._first + along

    @property
    def _first(self) -> float:
        """Where a column of words begins."""
        return self.room[1] + self.sizes.small * _HEADING

    def _box(self, place: int) -> Room:
        line = self.plan.line
        start, length = line.starts[place], line.lengths[place]
        if self.plan.way == "rows":
            return self.room[0] + start, self._base, length, self.sizes.font * _HIGH
        left = self.room[0] + number_room(self.sizes)
        return left, self._first + start, self._base - left, length

    # ---- what is drawn

    def _word(self, place: int) -> None:
        word, weight, box = self.ending.tokens[place], self.ending.weights[place], self._box(place)
        font = self.sizes.font
        if place == self.ending.query:
            draw_query(self.canvas, box, self._total, self.style, font=font)
            self._query(box, word)
            return
        tip = self.t("from “{word}”: {value}", word=word, value=number(weight or 0.0, DECIMALS))
        draw_word(self.canvas, box, word, weight, tip, self.style, font=font,
                  bold=weight == self.largest)  # fmt: skip

    def _query(self, box: Room, word: str) -> None:
        """Write the word that looks, in a column with the sum below it."""
        font, paper = self.sizes.font, self.style.colours.background
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        if self.plan.way == "columns":
            self.canvas.text(x, y + font * 0.7, self._total, self.sizes.small, paper)
            y -= font * 0.7
        self.canvas.text(x, y, word, font, paper, bold=True)

    @property
    def _total(self) -> str:
        return self.t("sum {total}", total=number(self.ending.total, DECIMALS))

    def _number(self, place: int) -> None:
        weight, colours = self.ending.weights[place], self.style.colours
        query = place == self.ending.query
        text = "" if weight is None else number(weight, DECIMALS)
        if query and self.plan.way == "rows":
            text = self._total
        x, y, align = self._number_place(place)
        ink = colours.muted if query or weight != self.largest else colours.text
        self.canvas.text(x, y, text, self.sizes.small, ink, bold=weight == self.largest,
                         align=align)  # fmt: skip

    def _number_place(self, place: int) -> tuple[float, float, str]:
        left, top, width, height = self._box(place)
        if self.plan.way == "rows":
            return left + width / 2, top + height + self.sizes.small * 0.8, "center"
        return left - self.sizes.small * 0.4, top + height / 2, "right"

    def _heading(self) -> None:
        """Write what comes out, or how the sentence ends; beside it that it is drawn by hand."""
        left, top, width, _ = self.room
        size, y = self.sizes.small, top + self.sizes.small * 0.85
        text = self._sum() if self.plan.way == "rows" else ending_of(self.ending.tokens)
        self.canvas.text(left, y, text, size, self.style.colours.text, bold=True, align="left")
        badge = self.t("drawn by hand, not computed")
        if self.plan.way == "columns":
            badge = self.t("hand-drawn")
        wide = text_width(badge, size) + size
        if text_width(text, size, bold=True) + size + wide <= width:
            draw_badge(self.canvas, left + width, y, badge, self.style, size=size, width=wide)

    def _sum(self) -> str:
        """Return the new vector of the word that looks, the largest parts of it first."""
        order = sorted(range(len(self.weights)), key=lambda place: -self.weights[place])
        parts = [
            f"{number(self.weights[place], DECIMALS)} · {self.ending.tokens[place]}"
            for place in order[:_NAMED]
        ]
        return self.t("new “{word}” = {parts} + …", word=self.ending.tokens[self.ending.query],
                      parts=" + ".join(parts))  # fmt: skip


def said(ending: Ending, t: Translator) -> str:
    """Return the weights of one sentence in words, for those who cannot see it."""
    parts = (
        t("{name}: {value}", name=word, value=number(weight, DECIMALS))
        for word, weight in zip(ending.tokens, ending.weights, strict=True)
        if weight is not None
    )
    return t("“{ending}”: {parts}.", ending=ending_of(ending.tokens), parts=t.listing(parts))

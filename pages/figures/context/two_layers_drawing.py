"""Draws one ending on its way through two layers: layer 1 to the left, layer 2 to the right.

Each word has a cell on either side with what "it" gives it in that layer, and from the cell a
ribbon to "it". On "it" stands what either layer brings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.experiments.context.two_layers import TwoLayersResult, Walk
from pages.figures.canvas import Canvas
from pages.figures.context.flow_layout import FLOW_SIZES, FlowSizes, Line, column_of
from pages.figures.context.ribbon_drawing import draw_ribbons
from pages.figures.context.ribbons import RibbonSizes, ribbons
from pages.figures.figure import Style
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.palette import readable_on, weight_fill
from pages.figures.series import Point
from pages.figures.slide import Room
from pages.text import Translator, translator
from pages.text.context_by_hand import brought_words, feature_words, found_words

_HEADING, _LAYER = 1.9, 1.7  # of the small font: how the sentence ends, and the names of layers
_LINE = 1.35  # of the font, from one line on "it" to the next
_BESIDE = 1.4  # of the font: between both endings
_FEWEST_DECIMALS = 2
_MOST_DECIMALS = {"screen": 3, "slide": 3, "half": 2, "square": 2}


@dataclass(frozen=True)
class Plan:
    """How both endings stand.

    Parameters
    ----------
    line : Line
        The words of both, from top to bottom.
    rooms : tuple of tuple
        Of either ending.
    word, number : float
        What the cell of a word takes across, and that of a number.
    decimals : int
    features : bool
        Whether the words have their features beside them.
    """

    line: Line
    rooms: tuple[Room, ...]
    word: float
    number: float
    decimals: int
    features: bool

    @property
    def across(self) -> float:
        """What the three cells of a word take."""
        return self.word + 2 * self.number


def plan_of(result: TwoLayersResult, style: Style, room: Room) -> Plan:
    """Return the plan with the features of the words where there is room for them."""
    sizes = _sizes(style)
    decimals = min(max(style.decimals, _FEWEST_DECIMALS), _MOST_DECIMALS[style.size])
    features = style.size in ("screen", "slide")
    return _planned(result, style, sizes, room, decimals, features=features)


def _sizes(style: Style) -> FlowSizes:
    """Return sizes for more than one sentence beside each other."""
    sizes = FLOW_SIZES[style.size]
    if style.size != "slide":
        return sizes
    return replace(sizes, font=20, gap=4, ribbons=RibbonSizes(1.5, 6, 14, 6))


def _planned(
    result: TwoLayersResult, style: Style, sizes: FlowSizes, room: Room, decimals: int,
    *, features: bool,
) -> Plan:  # fmt: skip
    left, top, width, height = room
    t, beside = translator(style.language), sizes.font * _BESIDE
    each = (width - beside) / 2
    wide = text_width(number(0.0, decimals), sizes.small) + sizes.pad * 1.2
    word = max(_word_width(result, walk, sizes, t, features) for walk in result.endings)
    word = max(word, _brought_width(result, sizes, decimals, t, 2 if features else 1) - 2 * wide)
    above = sizes.small * (_HEADING + _LAYER)
    flows = [shown_weights(walk, layer, decimals) for walk in result.endings for layer in (0, 1)]
    out = (each - word - 2 * wide) / 2
    least = sizes.font * _LINE * 3 + sizes.pad
    line = column_of(len(result.endings[0].tokens), flows, result.query, sizes, height - above, out,
                     least)  # fmt: skip
    used = word + 2 * wide + 2 * line.reach
    start = left + (width - 2 * used - beside) / 2
    down = top + max(0.0, (height - above - line.total) / 2)
    rooms = tuple(
        (start + place * (used + beside), down, used, line.total + above) for place in range(2)
    )
    return Plan(line, rooms, word, wide, decimals, features)


def shown_weights(walk: Walk, layer: int, decimals: int) -> tuple[float, ...]:
    """Return the weights of "it" in a layer, from 0; 0 where it is written so."""
    return tuple(0.0 if round(each, decimals) == 0 else each for each in walk.row(layer).tolist())


def _word_width(
    result: TwoLayersResult, walk: Walk, sizes: FlowSizes, t: Translator, features: bool
) -> float:
    """Return what the widest word takes, with its features where they are shown."""
    found = []
    for place, word in enumerate(walk.tokens):
        own = feature_words(result, walk, place, t) if features and place != result.query else ""
        beside = text_width(own, sizes.small) + sizes.pad if own else 0.0
        found.append(text_width(word, sizes.font, bold=True) + beside)
    return max(found) + 2 * sizes.pad


def _brought_width(
    result: TwoLayersResult, sizes: FlowSizes, decimals: int, t: Translator, most: int
) -> float:
    lines = (
        brought_words(result, walk, layer, decimals, t, most=most)
        for walk in result.endings
        for layer in (0, 1)
    )
    return max(text_width(line, sizes.small) for line in lines) + 2 * sizes.pad


class WalkDrawing:
    """Draws one ending where a plan has put it."""

    def __init__(
        self, canvas: Canvas, result: TwoLayersResult, walk: Walk, plan: Plan, room: Room,
        style: Style,
    ) -> None:  # fmt: skip
        self.canvas, self.result, self.walk, self.plan = canvas, result, walk, plan
        self.room, self.style, self.sizes = room, style, _sizes(style)
        self.t = translator(style.language)
        self.left = room[0] + plan.line.reach
        self.top = room[1] + self.sizes.small * (_HEADING + _LAYER)

    def draw(self) -> None:
        """Draw headings, ribbons, words with their cells, and what "it" carries."""
        self._headings()
        for layer in (0, 1):
            self._ribbons(layer)
        for place in range(len(self.walk.tokens)):
            if place == self.result.query:
                self._query(place)
            else:
                self._word(place)
            for layer in (0, 1):
                self._weight(place, layer)

    def _headings(self) -> None:
        left, top, width, _ = self.room
        size, colours = self.sizes.small, self.style.colours
        text, font = found_words(self.walk, self.t), self.sizes.font
        if text_width(text, font, bold=True) > width:
            text = found_words(self.walk, self.t, brief=True)
        middle, y = left + width / 2, top + size * 0.8
        self.canvas.text(middle, y, text, font, colours.text, bold=True)
        y = top + size * (_HEADING + 0.75)
        edges = (self.left - self.plan.line.reach, self.left + self.plan.across)
        for layer, edge in enumerate(edges):
            x = edge + self.plan.line.reach / 2
            half = text_width(self.t("layer {layer}", layer=1), size) / 2
            x = max(x, left + half) if layer == 0 else min(x, left + width - half)
            text = self.t("layer {layer}", layer=layer + 1)
            self.canvas.text(x, y, text, size, colours.muted)

    def _ribbons(self, layer: int) -> None:
        line, sizes = self.plan.line, self.sizes.ribbons
        weights = shown_weights(self.walk, layer, self.plan.decimals)
        found = ribbons(line.middles, weights, self.result.query, line.unit, sizes, line.bow)

        def placed(point: Point) -> Point:
            along, out = point
            x = self.left + self.plan.across + out if layer else self.left - out
            return x, self.top + along

        draw_ribbons(self.canvas, found, weights, placed, self.style)

    def _row(self, place: int) -> tuple[float, float]:
        line = self.plan.line
        return self.top + line.starts[place], line.lengths[place]

    def _word(self, place: int) -> None:
        (y, height), colours, sizes = self._row(place), self.style.colours, self.sizes
        x, word = self.left + self.plan.number, self.walk.tokens[place]
        self.canvas.rect(x, y, self.plan.word, height, fill=colours.surface)
        own = feature_words(self.result, self.walk, place, self.t) if self.plan.features else ""
        middle, bold = y + height / 2, place == self.walk.found
        if not self.plan.features:
            self.canvas.text(x + self.plan.word / 2, middle, word, sizes.font, colours.text,
                             bold=bold)  # fmt: skip
            return
        self.canvas.text(x + sizes.pad, middle, word, sizes.font, colours.text, bold=bold,
                         align="left")  # fmt: skip
        self.canvas.text(x + self.plan.word - sizes.pad, middle, own, sizes.small,
                         colours.roles["input"], align="right")  # fmt: skip

    def _weight(self, place: int, layer: int) -> None:
        (x, y, height), weight = (
            self._cell(place, layer),
            float(self.walk.row(layer)[place]),
        )
        fill = weight_fill(weight, self.style.theme)
        tip = self.t("layer {layer}, from “{word}”: {value}", layer=layer + 1,
                     word=self.walk.tokens[place], value=number(weight, 6))  # fmt: skip
        self.canvas.cell((x, y, self.plan.number, height), fill, tip, None)
        ink = readable_on(fill, self.style.theme)
        text = number(weight, self.plan.decimals)
        middle = x + self.plan.number / 2, y + height / 2
        self.canvas.text(*middle, text, self.sizes.small, ink, bold=place == self._largest(layer))

    def _cell(self, place: int, layer: int) -> tuple[float, float, float]:
        """Return left, top and height of the cell of a weight; "it" has its own inside."""
        (y, height), (wide, word) = self._row(place), (self.plan.number, self.plan.word)
        x = self.left + (wide + word) * layer
        if place != self.result.query:
            return x, y, height
        high = self.sizes.small * _LINE
        return x, self._line(place, 0) - high / 2, high

    def _line(self, place: int, line: int) -> float:
        """Return the middle of one of the three lines on "it"."""
        y, height = self._row(place)
        return y + height / 2 + (line - 1) * self.sizes.font * _LINE

    def _largest(self, layer: int) -> int | None:
        """Return the word with the largest weight of a layer; None where others have as much."""
        row = self.walk.row(layer).tolist()
        most = max(row)
        near = [place for place, weight in enumerate(row) if weight >= most * (1 - 1e-6)]
        return near[0] if len(near) == 1 else None

    def _query(self, place: int) -> None:
        y, height = self._row(place)
        box = (self.left, y, self.plan.across, height)
        lines = [brought_words(self.result, self.walk, layer, self.plan.decimals, self.t,
                               most=2 if self.plan.features else 1)
                 for layer in (0, 1)]  # fmt: skip
        font, small = self.sizes.font, self.sizes.small
        fill = self.style.colours.roles["query"]
        self.canvas.rect(*box, fill=fill, radius=font * 0.6)
        inside = (box[0] + self.plan.number, y, self.plan.word, height)
        self.canvas.cell(inside, "transparent", self.t.clauses(lines), None)
        paper, x = self.style.colours.background, self.left + self.plan.across / 2
        self.canvas.text(x, self._line(place, 0), self.walk.tokens[place], font, paper, bold=True)
        for line, text in enumerate(lines, 1):
            self.canvas.text(x, self._line(place, line), text, small, paper)

"""The text's table of four widths, drawn with the measured numbers beside its words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.experiments.scaling.saturation import TABLE, Rule, SaturationResult, Sharpness
from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import BACK, Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.measure import balance_text, text_width
from pages.figures.numerals import number
from pages.figures.palette import mix, readable_on
from pages.figures.scaling.common import rule_colour
from pages.text import mark, translator
from pages.text.scaling_readings import percent, with_error
from pages.text.scaling_words import rule_sign, rule_words, text_words

MEASURES = ("largest", "effective", "saturated")
_HEADINGS = {
    "largest": mark("largest weight"),
    "effective": mark("effective keys"),
    "saturated": mark("rows over 0.99"),
}
_RULES: tuple[Rule, Rule] = ("unscaled", "sqrt")
_FAINT, _STRONG = 0.06, 0.40  # of a rule's colour behind equal weights, and behind one key alone
_LINE = 1.15
_MOST = 3  # decimals


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output.

    ``width``, ``deviation``, ``word`` and ``cell`` are widths of columns, ``smooth`` that of the
    words for scaled scores, ``gap`` pixels further; 0 puts what is scaled below what is not, in the
    same columns.
    """

    width: float
    deviation: float
    word: float
    cell: float
    smooth: float
    gap: float
    head: float
    row: float
    font: int

    @property
    def total(self) -> float:
        """Width of the whole table."""
        numbers = len(MEASURES) * self.cell
        beside = self.gap + self.smooth + numbers if self.smooth else 0.0
        return self.width + self.deviation + self.word + numbers + beside


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(52, 80, 142, 82, 66, 10, 58, 40, 13),
    "slide": Sizes(78, 126, 196, 106, 92, 22, 88, 90, 20),
    "half": Sizes(58, 96, 146, 92, 0, 0, 78, 100, 18),
    "square": Sizes(70, 106, 166, 102, 0, 0, 78, 100, 18),
}


class SaturationTable:
    """Draws the table of one result."""

    def __init__(self, canvas: Canvas, result: SaturationResult, style: Style) -> None:
        self.canvas, self.result, self.style = canvas, result, style
        self.sizes, self.t = SIZES[style.size], translator(style.language)
        self.row = self.sizes.row
        self.decimals = {name: self._decimals(name) for name in MEASURES}

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        self.row = min(self.row, (height - self.sizes.head) / len(TABLE))

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + self.row * len(TABLE)

    @property
    def _stacked(self) -> bool:
        return not self.sizes.smooth

    @property
    def _half(self) -> float:
        """Height of one line of a row."""
        return self.row / 2 if self._stacked else self.row

    def draw(self, left: float, top: float) -> None:
        """Draw headings and rows from the upper left corner."""
        self._headings(left, top)
        for index, d_k in enumerate(TABLE):
            self._row(d_k, left, top + self.sizes.head + index * self.row)

    # ---- headings

    def _headings(self, left: float, top: float) -> None:
        sizes, numbers = self.sizes, len(MEASURES) * self.sizes.cell
        self._heading("d_k", left, top, sizes.width)
        x = left + sizes.width
        self._heading(self.t("expected deviation"), x, top, sizes.deviation)
        self._columns(x + sizes.deviation, top, sizes.word)
        if self._stacked:
            self._keys(left, top)
            return
        beside = sizes.deviation + sizes.word + numbers
        self._group("unscaled", x, top, beside)
        self._columns(x + beside + sizes.gap, top, sizes.smooth)
        self._group("sqrt", x + beside + sizes.gap, top, sizes.smooth + numbers)

    def _columns(self, left: float, top: float, word: float) -> None:
        """Write what the words and the numbers of one rule are."""
        self._heading(self.t("the text says"), left, top, word)
        for place, name in enumerate(MEASURES):
            x = left + word + place * self.sizes.cell
            self._heading(self.t(_HEADINGS[name]), x, top, self.sizes.cell)

    def _heading(self, text: str, left: float, top: float, width: float) -> None:
        font, colour = self._small, self.style.colours.muted
        last = top + self.sizes.head - font * 0.75
        for place, line in enumerate(reversed(balance_text(text, font, width - 6))):
            y = last - place * font * _LINE
            draw_words(self.canvas, left + width / 2, y, line, font, colour, align="center")

    def _group(self, rule: Rule, left: float, top: float, width: float) -> None:
        """Write what a group of columns has in common, above a line in the colour of its rule."""
        font, colour = self.sizes.font, rule_colour(rule, self.style)
        words = rule_words(rule, 0.0, self.t)
        draw_words(self.canvas, left + width / 2, top + font * 0.65, words, font, colour,
                   bold=True, align="center")  # fmt: skip
        line = f"M{left + 4:g},{top + font * 1.45:.2f}h{width - 8:g}"
        self.canvas.path(line, stroke=colour, stroke_width=1.5, level=BACK)

    def _keys(self, left: float, top: float) -> None:
        """Say which line of a row is which rule, with a sample of its colour."""
        font, x = self.sizes.font, left
        for rule in _RULES:
            colour, words = rule_colour(rule, self.style), rule_sign(rule, 0.0, self.t)
            self.canvas.rect(x, top, 5, font * 1.1, fill=colour, radius=2)
            y = top + font * 0.55
            draw_words(self.canvas, x + font * 0.7, y, words, font, colour, bold=True)
            x += words_width(words, font, True, self.canvas.smallest) + font * 2.2

    # ---- rows

    def _row(self, d_k: int, left: float, top: float) -> None:
        sizes, colours = self.sizes, self.style.colours
        middle = top + self.row / 2
        self._ground(left, top, sizes.width, self.row, colours.surface)
        self.canvas.text(left + sizes.width / 2, middle, f"{d_k:,}", sizes.font, colours.text,
                         bold=True)  # fmt: skip
        x = left + sizes.width
        self._deviation(d_k, x, top)
        x += sizes.deviation
        for place, rule in enumerate(_RULES):
            y = top + place * self._half if self._stacked else top
            word = sizes.word if self._stacked or rule == "unscaled" else sizes.smooth
            self._word(d_k, rule, x, y, word)
            self._numbers(d_k, rule, x + word, y)
            x += 0.0 if self._stacked else word + len(MEASURES) * sizes.cell + sizes.gap

    def _deviation(self, d_k: int, left: float, top: float) -> None:
        """Write the deviation expected of the scores, as the text has it; scaled it is 1."""
        sizes, ink = self.sizes, self.style.colours.text
        root = math.isqrt(d_k)
        lines = [str(root), "1"] if self._stacked else [f"√{d_k:,} = {root}"]
        for place, text in enumerate(lines):
            y = top + place * self._half
            self._ground(left, y, sizes.deviation, self._half, self.style.colours.surface)
            self.canvas.text(left + sizes.deviation / 2, y + self._half / 2, text,
                             self._small, ink)  # fmt: skip
            if self._stacked:
                colour = rule_colour(_RULES[place], self.style)
                self.canvas.rect(left + 2, y + 3, 4, self._half - 6, fill=colour, radius=2)

    @property
    def _small(self) -> int:
        return 18 if self.style.size != "screen" else 12

    def _word(self, d_k: int, rule: Rule, left: float, top: float, width: float) -> None:
        font, colours = self._small, self.style.colours
        self._ground(left, top, width, self._half, colours.surface)
        lines = balance_text(text_words(d_k, rule == "sqrt", self.t), font, width - 10)
        first = top + self._half / 2 - (len(lines) - 1) * font * _LINE / 2
        for place, line in enumerate(lines):
            y = first + place * font * _LINE
            self.canvas.text(left + width / 2, y, line, font, colours.text)

    def _numbers(self, d_k: int, rule: Rule, left: float, top: float) -> None:
        sizes, found = self.sizes, self.result.found[d_k, rule]
        for place, name in enumerate(MEASURES):
            x = left + place * sizes.cell
            share = _strength(found, name, self.result.params.keys)
            colour = rule_colour(rule, self.style)
            background = self.style.colours.background
            fill = mix(background, colour, round(_FAINT + (_STRONG - _FAINT) * share, 2))
            tip = self._tip(d_k, rule, name, found)
            self._ground(x, top, sizes.cell, self._half, fill, tip)
            ink = readable_on(fill, self.style.theme)
            text = self._text(found, name, self.decimals[name])
            self.canvas.text(x + sizes.cell / 2, top + self._half / 2, text, sizes.font, ink)

    def _ground(
        self, left: float, top: float, width: float, height: float, fill: str, tip: str = ""
    ) -> None:
        gap = 1.0 if self.style.size == "screen" else 1.5
        place = (left + gap, top + gap, width - 2 * gap, height - 2 * gap)
        if tip:
            self.canvas.cell(place, fill, tip, None, radius=3)
        else:
            self.canvas.rect(*place, fill=fill, radius=3)

    def _tip(self, d_k: int, rule: Rule, name: str, found: Sharpness) -> str:
        return self.t(
            "d_k = {d_k}, {rule} · {name}: {value}",
            d_k=f"{d_k:,}",
            rule=rule_words(rule, 0.0, self.t),
            name=self.t(_HEADINGS[name]),
            value=self._in_full(found, name),
        )

    def _text(self, found: Sharpness, name: str, decimals: int) -> str:
        value = float(getattr(found, name))
        if name == "saturated":
            return percent(value, decimals)
        return number(value, decimals)

    def _in_full(self, found: Sharpness, name: str) -> str:
        """Return a number with its standard error."""
        if name == "saturated":
            return self._text(found, name, 1)
        return with_error(getattr(found, name), getattr(found, f"{name}_error"))

    def _decimals(self, name: str) -> int:
        """Return with how many decimals every number of a column is written and fits.

        They are those that the largest standard error of the column allows.
        """
        column = [self.result.found[d_k, rule] for d_k in TABLE for rule in _RULES]
        error = max(_error(found, name, self.result.params.samples) for found in column)
        allowed = -math.floor(math.log10(error)) if error else _MOST
        room, font = self.sizes.cell - 8, self.sizes.font
        for decimals in range(min(max(allowed, 0), _MOST), 0, -1):
            if all(text_width(self._text(found, name, decimals), font) <= room for found in column):
                return decimals
        return 0


def _error(found: Sharpness, name: str, samples: int) -> float:
    """Return the standard error of a measure as it is written: of a share in percent."""
    if name != "saturated":
        return float(getattr(found, f"{name}_error"))
    # That of independent rows; those that share keys have a larger one.
    return 100 * math.sqrt(found.saturated * (1 - found.saturated) / samples)


def _strength(found: Sharpness, name: str, keys: int) -> float:
    """Return how near a measure is to one key that takes all, from 0 (equal weights) to 1."""
    if name == "largest":
        return (found.largest - 1 / keys) / (1 - 1 / keys)
    if name == "effective":
        return (keys - found.effective) / (keys - 1)
    return found.saturated

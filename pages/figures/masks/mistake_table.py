"""The table of mask mistakes, drawn row by row."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.masks.mistakes import DTYPES, Dtype, MistakesResult, Outcome, Variant
from pages.figures.canvas import BACK, FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.masks.mistake_columns import (
    HEADINGS,
    SHORT,
    SIZES,
    fitting_decimals,
    measure,
)
from pages.figures.measure import balance_text, text_width
from pages.figures.palette import mix
from pages.text import translator
from pages.text.mask_words import (
    EMPTY,
    NOT_RUN,
    VERDICTS,
    variant_code,
    variant_title,
    verdict_word,
)

_TINT = 0.14  # of the alert colour behind what is wrong
_TIGHT = 0.87  # of the generous estimate of a word's width, to centre by


@dataclass(frozen=True)
class _Place:
    """One cell: its row and column from 0, and its left, top and width in pixels."""

    row: int
    column: int
    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


class MistakeTable:
    """Draws the table of one result; a row is clickable in each of its cells."""

    def __init__(
        self, canvas: Canvas, result: MistakesResult, style: Style, chosen: str, dtype: Dtype
    ) -> None:
        self.canvas, self.result, self.style = canvas, result, style
        self.chosen, self.dtype = chosen, dtype
        self.sizes, self.t = SIZES[style.size], translator(style.language)
        self.row = self.sizes.row
        self.decimals = fitting_decimals(result, dtype, style)

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        self.row = min(self.row, (height - self.sizes.head) / len(self.result.variants))

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + self.row * len(self.result.variants)

    def draw(self, left: float, top: float) -> None:
        """Draw headings and rows from the upper left corner."""
        self._headings(left, top)
        first = top + self.sizes.head
        for index, variant in enumerate(self.result.variants):
            self._row(index, variant, left, first + index * self.row)
        self._frames(left, first)

    # ---- headings

    def _headings(self, left: float, top: float) -> None:
        sizes, t = self.sizes, self.t
        x = left + sizes.name
        measured = sum(width for _, width in sizes.measures)
        self._group(t("measured in {dtype}", dtype=self.dtype), x, top, measured)
        for name, width in sizes.measures:
            self._heading(t(HEADINGS[name]), x, top, width)
            x += width
        self._group(t("verdict"), x, top, sizes.verdict * len(DTYPES))
        for dtype in DTYPES:
            text = dtype if sizes.words else SHORT[dtype]
            self._heading(text, x, top, sizes.verdict, chosen=dtype == self.dtype)
            x += sizes.verdict

    def _group(self, text: str, left: float, top: float, width: float) -> None:
        """Write what a group of columns has in common, above a line, where there is room for it."""
        font, colours = self.sizes.font, self.style.colours
        if text_width(text, font) > width - 4:
            return
        self.canvas.text(left + width / 2, top + font * 0.65, text, font, colours.muted)
        line = f"M{left + 4:g},{top + font * 1.35:.2f}h{width - 8:g}"
        self.canvas.path(line, stroke=colours.line, stroke_width=1, level=BACK)

    def _heading(
        self, text: str, left: float, top: float, width: float, *, chosen: bool = False
    ) -> None:
        font, colours = self.sizes.font, self.style.colours
        colour = colours.text if chosen else colours.muted
        last = top + self.sizes.head - font * 0.8
        for place, line in enumerate(reversed(balance_text(text, font, width - 4))):
            y = last - place * font * 1.15
            self.canvas.text(left + width / 2, y, line, font, colour, bold=chosen)

    # ---- rows

    def _row(self, index: int, variant: Variant, left: float, top: float) -> None:
        sizes = self.sizes
        self._name(variant, _Place(index, 0, left, top, sizes.name))
        x = left + sizes.name
        for column, (name, width) in enumerate(sizes.measures, 1):
            self._measure(name, variant, _Place(index, column, x, top, width))
            x += width
        for column, dtype in enumerate(DTYPES, 1 + len(sizes.measures)):
            self._verdict(variant, dtype, _Place(index, column, x, top, sizes.verdict))
            x += sizes.verdict

    def _name(self, variant: Variant, place: _Place) -> None:
        font, colour = self.sizes.name_font, self.style.colours.text
        name, y = variant_title(variant.name, self.t), place.top + self.row / 2
        self._cell(place, f"{name} · {variant_code(variant.name)}")
        bold = variant.name == self.chosen
        left = place.left + font * 0.5
        self.canvas.text(left, y, name, font, colour, bold=bold, align="left")

    def _measure(self, column: str, variant: Variant, place: _Place) -> None:
        colours, t = self.style.colours, self.t
        found = measure(column, variant.outcomes[self.dtype], self.decimals, t)
        value = found.about or found.text
        said = t("{name}: {value}", name=t(HEADINGS[column]), value=value)
        self._cell(place, self._tip(variant, self.dtype, said), wrong=found.wrong)
        # A number that is none is said loudly, though a row hidden whole is not in the data.
        loud = found.wrong or found.text == t("NaN")
        colour, y = colours.alert if loud else colours.text, place.top + self.row / 2
        self.canvas.text(place.middle, y, found.text, self.sizes.font, colour, bold=loud)

    def _cell(self, place: _Place, tip: str, *, wrong: bool = False) -> None:
        """Draw the ground of a cell."""
        colours, gap = self.style.colours, self._gap
        box = (place.left + gap, place.top + gap, place.width - 2 * gap, self.row - 2 * gap)
        fill = mix(colours.background, colours.alert, _TINT) if wrong else colours.surface
        self.canvas.cell(box, fill, tip, (place.row, place.column), radius=3)

    @property
    def _gap(self) -> float:
        return 1.0 if self.style.size == "screen" else 1.5

    def _tip(self, variant: Variant, dtype: Dtype, said: str) -> str:
        name = variant_title(variant.name, self.t)
        return self.t("{name} · {dtype} · {said}", name=name, dtype=dtype, said=said)

    # ---- verdicts

    def _verdict(self, variant: Variant, dtype: Dtype, place: _Place) -> None:
        outcome = variant.outcomes.get(dtype)
        word = self.t(NOT_RUN) if outcome is None else verdict_word(outcome, self.t)
        wrong = outcome is not None and outcome.judged and not outcome.right
        self._cell(place, self._tip(variant, dtype, word), wrong=wrong)
        colours, font = self.style.colours, self.sizes.font
        colour, middle = colours.alert if wrong else colours.muted, place.top + self.row / 2
        if not self.sizes.words:
            self._mark(outcome, place.middle, middle, font * 0.62, colour)
            return
        size, gap = font * 0.5, font * 0.35
        # The marks of a column stand one below the other, whatever the words beside them.
        left = place.middle - (size + gap + self._widest_word * _TIGHT) / 2
        self._mark(outcome, left + size / 2, middle, size, colour)
        if outcome is not None and not outcome.judged:
            word = self.t(EMPTY)
        self.canvas.text(left + size + gap, middle, word, font, colour, bold=wrong, align="left")

    @property
    def _widest_word(self) -> float:
        words = [self.t(word) for word in VERDICTS]
        return max(text_width(word, self.sizes.font, bold=True) for word in words)

    def _mark(self, outcome: Outcome | None, x: float, y: float, size: float, colour: str) -> None:
        """Draw a tick, a cross, a ring for nothing to judge, a dash where nothing ran."""
        half = size / 2
        path = f"M{x - half:.2f},{y:.2f}h{size:g}"
        if outcome is not None and not outcome.judged:
            arc = f"a{half:.2f},{half:.2f} 0 1 0"
            path = f"M{x - half:.2f},{y:.2f}{arc} {size:g},0{arc} {-size:g},0"
        elif outcome is not None and outcome.right:
            path = f"M{x - half:.2f},{y:.2f}l{0.36 * size:g},{half:g}l{0.64 * size:g},{-size:g}"
        elif outcome is not None:
            path = (
                f"M{x - half:.2f},{y - half:.2f}l{size:g},{size:g}"
                f"M{x - half:.2f},{y + half:.2f}l{size:g},{-size:g}"
            )
        width = 2.75 if self.style.size != "screen" else 1.75
        self.canvas.path(path, stroke=colour, stroke_width=width)

    # ---- what is chosen

    def _frames(self, left: float, first: float) -> None:
        """Outline the verdicts of the dtype that is looked at, and the chosen row."""
        sizes, colours = self.sizes, self.style.colours
        thick = 3.5 if self.style.size != "screen" else 2.25
        count = len(self.result.variants)
        column = left + sizes.width - sizes.verdict * (len(DTYPES) - DTYPES.index(self.dtype))
        self.canvas.rect(
            column, first, sizes.verdict, count * self.row,
            stroke=colours.muted, stroke_width=thick / 2, radius=4, level=FRAME,
        )  # fmt: skip
        names = [variant.name for variant in self.result.variants]
        if self.chosen in names:
            top = first + names.index(self.chosen) * self.row
            self.canvas.rect(
                left, top, sizes.width, self.row,
                stroke=colours.text, stroke_width=thick, radius=4, level=FRAME,
            )  # fmt: skip

"""The grid of similarities: keys in rows, similarities in columns, a weight in each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.experiments.lookup.soft import Looked, Result
from engine.experiments.lookup.table import SIMILARITIES, Similarity
from pages.figures.board import hatching
from pages.figures.canvas import FRAME, HATCH, Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.measure import balance_text, fit_text, text_width
from pages.figures.numerals import number
from pages.figures.palette import readable_on, role_fill, weight_fill
from pages.text import Translator, mark, translator
from pages.text.lookup_words import (
    score_text,
    similarity_formula,
    similarity_words,
    vector_text,
    weight_text,
)

Mode = Literal["below", "beside", "weights"]
_FEWEST = 2  # decimals of a weight
_LINE = 1.2
_SHORT: dict[Similarity, str] = {
    "dot": mark("dot"),
    "scaled": mark("scaled"),
    "cosine": mark("cosine"),
    "gaussian": mark("Gaussian"),
    "additive": mark("additive"),
}


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output: fonts, names, columns, the lowest and the highest row."""

    font: int
    small: int
    names: float
    column: float
    row: tuple[float, float]
    head: float
    wide: bool


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(14, 12, 120, 146, (20, 46), 40, True),
    "slide": Sizes(22, 18, 168, 198, (24, 78), 62, True),
    "half": Sizes(18, 18, 90, 97, (24, 66), 32, False),
    "square": Sizes(18, 18, 108, 108, (24, 66), 32, False),
}


class SimilarityGrid:
    """Draws the grid of one result; ``row`` is the height of a row."""

    def __init__(self, result: Result, style: Style, row: float) -> None:
        self.result, self.style, self.row = result, style, row
        self.sizes = SIZES[style.size]
        self.t: Translator = translator(style.language)
        self.names = self._names_width()
        self.outputs = self._output_texts()

    def _names_width(self) -> float:
        font = self.sizes.font
        widest = max(text_width(name, font) for name in self.result.params.names)
        widest = max(widest, text_width(self.t("output"), font, bold=True))
        return min(widest + font, self.sizes.names)

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.names + self.sizes.column * len(SIMILARITIES)

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + self.row * self._rows + (self.sizes.font * 0.5 * self._foot)

    @property
    def _foot(self) -> int:
        return 1 if self.outputs else 0

    @property
    def _rows(self) -> int:
        return len(self.result.params.names) + self._foot

    def fitting_row(self, height: float) -> float:
        """Return the height of a row that fits."""
        room = height - self.sizes.head - self.sizes.font * 0.5 * self._foot
        least, most = self.sizes.row
        return max(least, min(most, room / self._rows))

    @property
    def mode(self) -> Mode:
        """Where the scores stand; they are left out where there is no room."""
        sizes, room = self.sizes, self.sizes.column - 12
        scores = self._widest_score()
        if self.row >= (sizes.font + sizes.small) * 1.12 + 4 and scores <= room:
            return "below"
        weights = text_width(number(1.0, self._decimals), sizes.font)
        return "beside" if weights + scores + sizes.font <= room else "weights"

    @property
    def _decimals(self) -> int:
        return max(_FEWEST, self.style.decimals) if self.sizes.wide else _FEWEST

    def _score(self, found: Looked, index: int) -> str:
        return score_text(float(found.scores[index]), _FEWEST)

    def _widest_score(self) -> float:
        return max(
            text_width(self._score(found, index), self.sizes.small)
            for found in self.result.found.values()
            if found.refused is None
            for index in range(len(self.result.params.names))
        )

    def _output_texts(self) -> dict[Similarity, str]:
        """Return the output of each similarity; none where one of them does not fit."""
        texts: dict[Similarity, str] = {}
        for name, found in self.result.found.items():
            if found.refused is None:
                values = found.output.tolist()
                one = len(values) == 1
                texts[name] = score_text(values[0], _FEWEST) if one else vector_text(values, 2)
        room, font = self.sizes.column - 12, self.sizes.font
        return texts if all(text_width(each, font) <= room for each in texts.values()) else {}

    # ---- drawing

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw headings and cells from the upper left corner."""
        self.canvas, self.left, self.top = canvas, left, top
        first = top + self.sizes.head
        for index, name in enumerate(self.result.params.names):
            y = first + (index + 0.5) * self.row
            shown = fit_text(name, self.sizes.font, self.names - self.sizes.font * 0.5)
            self.canvas.text(left, y, shown, self.sizes.font, self.style.colours.text, align="left")
        for place, similarity in enumerate(SIMILARITIES):
            x = left + self.names + place * self.sizes.column
            self._heading(similarity, x, top)
            self._column(similarity, x, first)
        if self.outputs:
            self._outputs(first + len(self.result.params.names) * self.row + self.sizes.font * 0.5)

    def _heading(self, similarity: Similarity, left: float, top: float) -> None:
        sizes, colours, room = self.sizes, self.style.colours, self.sizes.column - 4
        middle, bold = left + sizes.column / 2, sizes.wide
        colour = colours.text if self._is_chosen(similarity) else colours.muted
        words = similarity_words(similarity, self.t) if bold else self.t(_SHORT[similarity])
        lines = balance_text(words, sizes.small, room, bold=bold)[:2]
        last = top + sizes.head - sizes.small * 0.8
        if sizes.wide and len(lines) == 1:
            formula = similarity_formula(similarity)
            self.canvas.text(middle, last, formula, sizes.small, colours.muted)
            last -= sizes.small * _LINE
        for place, line in enumerate(reversed(lines)):
            y = last - place * sizes.small * _LINE
            self.canvas.text(middle, y, line, sizes.small, colour, bold=bold)

    def _is_chosen(self, similarity: Similarity) -> bool:
        return similarity == self.result.params.similarity

    def _column(self, similarity: Similarity, left: float, top: float) -> None:
        found, count = self.result.found[similarity], len(self.result.params.names)
        for index in range(count):
            y = top + index * self.row
            if found.refused is None:
                self._cell(found, index, left, y)
            else:
                self._refused(found, left, y)
        if self._is_chosen(similarity):
            thick = 2.25 if self.style.size == "screen" else 3.5
            self.canvas.rect(
                left, top, self.sizes.column, self.row * count,
                stroke=self.style.colours.text, stroke_width=thick, radius=4, level=FRAME,
            )  # fmt: skip

    def _place(self, left: float, top: float) -> tuple[float, float, float, float]:
        gap = 1.0 if self.style.size == "screen" else 1.5
        return left + gap, top + gap, self.sizes.column - 2 * gap, self.row - 2 * gap

    def _cell(self, found: Looked, index: int, left: float, top: float) -> None:
        weight = float(found.weights[index])
        fill = weight_fill(weight, self.style.theme)
        self.canvas.cell(self._place(left, top), fill, self._tip(found, index), None, radius=3)
        ink = readable_on(fill, self.style.theme)
        text, score = number(weight, self._decimals), self._score(found, index)
        middle, y, font = left + self.sizes.column / 2, top + self.row / 2, self.sizes.font
        if self.mode == "below":
            self.canvas.text(middle, y - self.sizes.small * 0.58, text, font, ink, bold=True)
            self.canvas.text(middle, y + font * 0.58, score, self.sizes.small, ink)
        elif self.mode == "beside":
            self.canvas.text(left + 8, y, text, font, ink, bold=True, align="left")
            right = left + self.sizes.column - 8
            self.canvas.text(right, y, score, self.sizes.small, ink, align="right")
        else:
            self.canvas.text(middle, y, text, font, ink, bold=True)

    def _tip(self, found: Looked, index: int) -> str:
        return self.t(
            "{name} · {similarity}: score {score}, weight {weight}",
            name=self.result.params.names[index],
            similarity=similarity_words(found.similarity, self.t),
            score=score_text(float(found.scores[index]), 6),
            weight=weight_text(float(found.weights[index])),
        )

    def _refused(self, found: Looked, left: float, top: float) -> None:
        colours, place = self.style.colours, self._place(left, top)
        reason = self.t.error(found.refused) if found.refused is not None else ""
        self.canvas.cell(place, colours.masked, reason, None, radius=3)
        self.canvas.path(hatching(place), stroke=colours.hatch, stroke_width=1, level=HATCH)

    def _outputs(self, top: float) -> None:
        """Draw what each similarity gives out."""
        sizes, colours = self.sizes, self.style.colours
        y = top + self.row / 2
        line = f"M{self.left:.2f},{top - sizes.font * 0.25:.2f}h{self.width:.2f}"
        self.canvas.path(line, stroke=colours.muted, stroke_width=1.25)
        word = fit_text(self.t("output"), sizes.font, self.names, bold=True)
        self.canvas.text(self.left, y, word, sizes.font, colours.roles["output"], bold=True,
                         align="left")  # fmt: skip
        for place, similarity in enumerate(SIMILARITIES):
            if similarity not in self.outputs:
                continue
            left = self.left + self.names + place * sizes.column
            fill = role_fill("output", 0.5, self.style.theme)
            box, text = self._place(left, top), self.outputs[similarity]
            tip = self.t("{name}: {value}", name=similarity_words(similarity, self.t), value=text)
            self.canvas.cell(box, fill, tip, None, radius=3)
            ink = readable_on(fill, self.style.theme)
            self.canvas.text(left + sizes.column / 2, y, text, sizes.font, ink)

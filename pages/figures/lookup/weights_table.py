"""The table of one lookup, drawn row by row: a dictionary whose rows are mixed by their weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.lookup.soft import Result
from engine.shapes import Array
from pages.figures.canvas import BACK, CELLS, FRAME, Canvas
from pages.figures.figure import Style
from pages.figures.lookup.weights_columns import HEADINGS, QUERY, SIZES, Columns, formula_of
from pages.figures.lookup.weights_written import hard_weights
from pages.figures.measure import balance_text, fit_text, text_width
from pages.figures.palette import mix, readable_on, role_fill, score_fill, weight_fill
from pages.text import translator
from pages.text.lookup_words import (
    score_text,
    weight_text,
)

_ROLES = {"key": "key", "value": "value", "score": "scores", "weight": "weights",
          "hard": "weights", "contribution": "output"}  # fmt: skip
_LINE = 1.2  # of a font, from one line of a heading to the next
_SEEN = 0.0005  # a smaller weight is written as 0.000 and has no bar
_BETWEEN = 2.5  # times what stays free between parts
_FEET = 2  # rows below: the output of soft lookup, and of hard lookup
_BAR, _GLYPH = 0.56, 0.84  # of the height of a row: a bar, and a vector drawn as bars


class WeightsTable:
    """Draws the table of one result.

    Parameters
    ----------
    canvas : Canvas
    result : Result
    style : Style
    columns : Columns
        What fits.
    """

    def __init__(self, canvas: Canvas, result: Result, style: Style, columns: Columns) -> None:
        self.canvas, self.result, self.style, self.columns = canvas, result, style, columns
        self.sizes, self.t = SIZES[style.size], translator(style.language)
        self.row, self.wide = self.sizes.row[1], style.size in ("screen", "slide")
        self.left = self.top = 0.0

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + self.row * self._rows + _BETWEEN * self._between

    @property
    def _rows(self) -> int:
        return len(self.result.params.names) + 1 + _FEET

    @property
    def _between(self) -> float:
        """What stays free between the rows and the query above, or the outputs below them."""
        return self.sizes.pad * 1.2

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        fitting = (height - self.sizes.head - _BETWEEN * self._between) / self._rows
        self.row = max(self.sizes.row[0], min(self.row, fitting))

    def draw(self, left: float, top: float) -> None:
        """Draw everything from the upper left corner."""
        self.left, self.top = left, top
        for name in self.columns.lefts:
            self._heading(name)
        y = top + self.sizes.head
        self._query(y)
        y += self.row + self._between
        for index in range(len(self.result.params.names)):
            self._entry(index, y)
            y += self.row
        y += self._between
        self._rule(y)
        self._soft(y + self._between * 0.5)
        self._hard(y + self._between * 0.5 + self.row)

    # ---- places

    def _x(self, name: str) -> float:
        return self.left + self.columns.lefts[name]

    def _has(self, name: str) -> bool:
        return name in self.columns.lefts

    def _first(self, name: str, count: int) -> float:
        """Return where the cells of a column begin: in its middle, below its heading."""
        spare = self.columns.widths[name] - count * self.columns.cells[name]
        return self._x(name) + spare / 2

    @property
    def _bar(self) -> tuple[float, float]:
        """Return where a bar begins, and how long one of weight 1 is."""
        start = self._x("weight") + self.columns.number + self.sizes.pad
        return start, self._x("weight") + self.columns.widths["weight"] - start

    # ---- headings

    def _heading(self, name: str) -> None:
        text, font = self.t(HEADINGS[name]), self.sizes.small
        role = _ROLES.get(name)
        colour = self.style.colours.roles[role] if role else self.style.colours.muted
        width, below = self.columns.widths[name], self._formula(name)
        lines = balance_text(text, font, width + 1, bold=True)
        if self.wide:
            lines = [lines[0], below]
        last = self.top + self.sizes.head - self.sizes.pad - font * 0.6
        for place, line in enumerate(reversed(lines)):
            own = self.wide and not place
            ink = self.style.colours.muted if own else colour
            y = last - place * font * _LINE
            if line and name == "name":
                self.canvas.text(self._x(name), y, line, font, ink, bold=not own, align="left")
            elif line:
                self.canvas.text(self._middle(name), y, line, font, ink, bold=not own)

    def _middle(self, name: str) -> float:
        return self._x(name) + self.columns.widths[name] / 2

    def _formula(self, name: str) -> str:
        """Return what stands below a heading; empty where that is nothing, or does not fit."""
        found = formula_of(name, self.result, self.t)
        fits = text_width(found, self.sizes.small) <= self.columns.widths[name] + self.sizes.gap
        return found if fits else ""

    # ---- rows

    def _query(self, top: float) -> None:
        """Draw the query above the keys that it is compared with."""
        colours, font = self.style.colours, self.sizes.font
        y = top + self.row / 2
        colour, query = colours.roles["query"], self.result.params.query
        word = self.t(QUERY)
        self.canvas.text(self._x("name"), y, word, font, colour, bold=True, align="left")
        if self._has("key"):
            self._vector("key", "query", query, self.columns.texts.query, top, word)
            return
        left = self._x("name") + text_width(word, font, True) + self.sizes.gap
        room = self.left + self.columns.total - left
        text = "(" + self.t.listing(self.columns.texts.query) + ")"
        self.canvas.text(left, y, fit_text(text, font, room), font, colour, align="left")

    def _entry(self, index: int, top: float) -> None:
        params, texts = self.result.params, self.columns.texts
        name, soft, chosen = params.names[index], self.result.soft, self._stands_out(index)
        self._ground(top, chosen)
        font, colours = self.sizes.font, self.style.colours
        shown = fit_text(name, font, self.columns.widths["name"], bold=chosen)
        y = top + self.row / 2
        self.canvas.text(self._x("name"), y, shown, font, colours.text, bold=chosen, align="left")
        if self._has("key"):
            self._vector("key", "key", params.keys[index], texts.keys[index], top, name)
        if self._has("value"):
            self._vector("value", "value", params.values[index], texts.values[index], top, name)
        self._score(index, top)
        self._weight(index, top)
        hard = float(hard_weights(self.result)[index])
        tip = self._said(name, self.t(HEADINGS["hard"]), weight_text(hard))
        fill = weight_fill(hard, self.style.theme)
        self._cell("hard", 0, 1, top, texts.hard[index], fill, tip)
        self._vector("contribution", "output", soft.contributions[index],
                     texts.contributions[index], top, name)  # fmt: skip

    def _stands_out(self, index: int) -> bool:
        """Return whether a row is more similar to the query than some other."""
        nearest, count = self.result.nearest, len(self.result.params.names)
        return index in nearest and (count == 1 or len(nearest) < count)

    def _ground(self, top: float, chosen: bool) -> None:
        """Draw the ground of a row; what is most similar to the query has a frame."""
        colours, pad = self.style.colours, self.sizes.pad
        place = (self.left - pad, top + 1, self.columns.total + 2 * pad, self.row - 2)
        self.canvas.rect(*place, fill=colours.surface, radius=4, level=BACK)
        if chosen:
            width = 1.75 if self.style.size == "screen" else 2.75
            self.canvas.rect(*place, stroke=colours.text, stroke_width=width, radius=4, level=FRAME)

    def _score(self, index: int, top: float) -> None:
        scores = self.result.soft.scores
        score, limit = float(scores[index]), float(np.abs(scores).max())
        name = self.result.params.names[index]
        tip = self._said(name, self.t(HEADINGS["score"]), score_text(score, 6))
        fill = score_fill(score, limit, self.style.theme)
        self._cell("score", 0, 1, top, self.columns.texts.scores[index], fill, tip)

    def _weight(self, index: int, top: float) -> None:
        """Draw a weight as its number and as a bar in the place of a whole one."""
        colours, font = self.style.colours, self.sizes.font
        weight = float(self.result.soft.weights[index])
        start, length = self._bar
        height = self.row * _BAR
        y = top + (self.row - height) / 2
        pale = mix(colours.background, colours.roles["weights"], 0.13)
        name = self.result.params.names[index]
        tip = self._said(name, self.t(HEADINGS["weight"]), weight_text(weight))
        bar = length * weight if weight >= _SEEN else 0.0
        if bar:
            self.canvas.cell((start, y, bar, height), colours.roles["weights"], tip, None)
        if bar < length:
            self.canvas.cell((start + bar, y, length - bar, height), pale, tip, None)
        text = self.columns.texts.weights[index]
        self._number(start - self.sizes.pad, top, text, font, bold=self._stands_out(index))

    def _number(self, right: float, top: float, text: str, font: int, *, bold: bool) -> None:
        y, colour = top + self.row / 2, self.style.colours.text
        self.canvas.text(right, y, text, font, colour, bold=bold, align="right")

    # ---- cells

    def _vector(
        self, column: str, role: str, vector: Sequence[float], texts: Sequence[str], top: float,
        name: str,
    ) -> None:  # fmt: skip
        """Draw a vector as cells with numbers, or as bars around a middle line."""
        if column == "key" and self.columns.plan.keys == "bars":
            self._bars(role, vector, top, name)
            return
        count = len(vector) if column == "key" else self.columns.plan.shown
        largest = self._largest(column)
        for place, value in enumerate(vector[:count]):
            fill = role_fill(role, float(value) / largest if largest else 0.0, self.style.theme)
            tip = self._component(name, column, place, float(value))
            self._cell(column, place, count, top, texts[place], fill, tip)

    def _largest(self, column: str) -> float:
        """Return the size that has the strongest colour of a column."""
        params = self.result.params
        # What a key contributes is at most its value, so that both take the colours of one scale.
        held = [*params.keys, params.query] if column == "key" else params.values
        return float(np.abs(np.array(held, float)).max())

    def _cell(
        self, column: str, place: int, count: int, top: float, text: str, fill: str, tip: str
    ) -> None:
        gap = 1.0 if self.style.size == "screen" else 1.5
        width = self.columns.cells[column]
        if count == 1:  # a single number takes the whole of its column
            width = self.columns.widths[column]
        left = self._x(column) if count == 1 else self._first(column, count) + place * width
        inset = max(gap, self.row * 0.1)
        box = (left + gap, top + inset, width - 2 * gap, self.row - 2 * inset)
        self.canvas.cell(box, fill, tip, None, radius=3)
        ink = readable_on(fill, self.style.theme)
        self.canvas.text(left + width / 2, top + self.row / 2, text, self.sizes.font, ink)

    def _bars(self, role: str, vector: Sequence[float], top: float, name: str) -> None:
        """Draw each component as a bar, up where it is above 0 and down where it is below."""
        width, colours = self.columns.cells["key"], self.style.colours
        left, largest = self._first("key", len(vector)), self._largest("key")
        middle, half = top + self.row / 2, self.row * _GLYPH / 2
        line = f"M{left:.2f},{middle:.2f}h{width * len(vector):.2f}"
        self.canvas.path(line, stroke=colours.muted, stroke_width=1, level=CELLS)
        for place, value in enumerate(vector):
            x, tip = left + place * width, self._component(name, "key", place, float(value))
            reach = half * float(value) / largest if largest else 0.0
            self.canvas.cell((x, top, width, self.row), "transparent", tip, None)
            box = (x + 1.5, middle - max(reach, 0.0), width - 3, abs(reach))
            self.canvas.rect(*box, fill=colours.roles[role], level=CELLS)

    # ---- tips

    def _said(self, name: str, what: str, value: str) -> str:
        return self.t("{name} · {what}: {value}", name=name, what=what, value=value)

    def _component(self, name: str, column: str, place: int, value: float) -> str:
        what = self.t(HEADINGS[column])
        if name == self.t(QUERY):
            what = name
        if self._count(column) > 1:
            what = f"{what} {place + 1}"
        said = score_text(value, 6)
        if name == self.t(QUERY):
            return self.t("{name}: {value}", name=what, value=said)
        return self._said(name, what, said)

    def _count(self, column: str) -> int:
        params = self.result.params
        return len(params.query) if column == "key" else len(params.values[0])

    # ---- what comes out

    def _rule(self, y: float) -> None:
        pad = self.sizes.pad
        line = f"M{self.left - pad:.2f},{y:.2f}h{self.columns.total + 2 * pad:.2f}"
        self.canvas.path(line, stroke=self.style.colours.muted, stroke_width=1.5, level=BACK)

    def _soft(self, top: float) -> None:
        texts, role = self.columns.texts, self.style.colours.roles["output"]
        self._label(top, self.t("soft lookup"), self.t("sum of weight × value"))
        start, _ = self._bar
        self._number(start - self.sizes.pad, top, texts.weights_sum, self.sizes.font, bold=False)
        self._outcome(top, self.result.soft.output, texts.soft, role, self.t("soft lookup"))

    def _hard(self, top: float) -> None:
        several = len(self.result.nearest) > 1
        about = self.t("mean value of the largest scores") if several else self.t(
            "value of the largest score")  # fmt: skip
        texts, colours = self.columns.texts, self.style.colours
        self._label(top, self.t("hard lookup"), about)
        font, y = self.sizes.font, top + self.row / 2
        self.canvas.text(self._middle("hard"), y, texts.hard_sum, font, colours.text)
        role = mix(colours.background, colours.roles["output"], 0.35)
        self._outcome(top, self.result.hard_output, texts.picked, role, self.t("hard lookup"))

    def _label(self, top: float, text: str, about: str) -> None:
        """Write what a row below is, and how it is made where there is room for it."""
        font, small, colours = self.sizes.font, self.sizes.small, self.style.colours
        x, y = self._x("name"), top + self.row / 2
        self.canvas.text(x, y, text, font, colours.text, bold=True, align="left")
        x += text_width(text, font, True) + self.sizes.pad
        if x + text_width(about, small) <= self._x("weight"):
            self.canvas.text(x, y, about, small, colours.muted, align="left")

    def _outcome(
        self, top: float, output: Array, texts: Sequence[str], fill: str, name: str
    ) -> None:
        count = self.columns.plan.shown
        for place in range(count):
            tip = self._component(name, "contribution", place, float(output[place]))
            self._cell("contribution", place, count, top, texts[place], fill, tip)

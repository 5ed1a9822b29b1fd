"""From one T x T matrix to those of all heads and layers, as squares whose areas are to scale."""

from __future__ import annotations

import math

from engine.experiments.memory.ladder import Step
from engine.experiments.memory.predicted import Result
from pages.figures.canvas import BACK, CELLS, Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.measure import balance_text, text_width
from pages.figures.memory.common import WIDE, words_of
from pages.figures.memory.names import batch_part, devices_part, stem
from pages.figures.palette import mix
from pages.figures.panel import Screen, open_plot
from pages.text import Translator, mark, translator
from pages.text.memory_words import bytes_words, dense_words, shape_words

_FACTORS = {
    "heads": mark("× {factor} heads"),
    "batch": mark("× {factor} sequences"),
    "layers": mark("× {factor} layers"),
}
_SINGLE = {"heads": mark("× 1 head"), "layers": mark("× 1 layer")}
# Fonts of the amounts, of the whole product, and of the factors.
_FONTS: dict[SizeName, tuple[int, int, int]] = {
    "screen": (22, 16, 13), "slide": (38, 28, 20), "half": (24, 20, 18), "square": (28, 22, 18),
}  # fmt: skip
_LINE = 1.25
_SEEN = 1.0  # pixels: the smallest side that can be seen
_WIDEST = 100.0  # largest side by the smallest, where both can be seen
_MOST_LINES = 2  # of words below an amount


def ladder_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the steps from the left to the right, each with its factor and its bytes."""
    t, params = translator(style.language), result.params
    title = t("One matrix of scores, and all of them: {first} or {last}?",
              first=bytes_words(result.steps[0].bytes, t),
              last=bytes_words(result.steps[-1].bytes, t))  # fmt: skip
    name = stem("ladder", params, params.dtype, f"T{params.T}", batch_part(params),
                devices_part(params))  # fmt: skip
    note = _note(result, t)
    words = words_of(name, title, note, "scores", t, _alt(result, t))
    canvas, room = open_plot(style, words, screen)
    _Ladder(result, style).draw(canvas, *room)
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _note(result: Result, t: Translator) -> str:
    dense = dense_words(result.params.shape, t)
    return t.sentences(
        _held_words(result, t), dense, _devices_words(result, t), _scale_words(result, t)
    )


def _held_words(result: Result, t: Translator) -> str:
    words = {"model": shape_words(result.params.shape, t), "dtype": result.params.dtype}
    if result.params.layers == 1:
        return t("{model}: materialised scores of {dtype}.", **words)
    return t(
        "{model}: materialised scores of {dtype} in all layers at once, as training keeps their "
        "weights; inference holds one layer at a time.",
        **words,
    )


def _devices_words(result: Result, t: Translator) -> str:
    devices = result.params.devices
    if devices == 1:
        return ""
    return t("Bytes are those of all {count} devices together.", count=f"{devices:,}")


def _scale_words(result: Result, t: Translator) -> str:
    first, *_, last = result.steps
    if last.bytes <= _WIDEST**2 * first.bytes:
        return t("Areas are to scale.")
    return t("Areas are to scale where they can be seen.")


def _alt(result: Result, t: Translator) -> str:
    parts = [
        t("{name}: {value}", name=_made(result, step, t), value=bytes_words(step.bytes, t))
        for step in result.steps
    ]
    return t("{parts}.", parts=t.clauses(parts))


def _made(result: Result, step: Step, t: Translator) -> str:
    """Return what a step multiplies."""
    params = result.params
    if step.name == "matrix":
        return t("{T} × {T} × {size} B", T=f"{params.T:,}", size=params.itemsize)
    if step.factor == 1:
        return t(_SINGLE[step.name])  # a batch of 1 is no step
    return t(_FACTORS[step.name], factor=f"{step.factor:,}")


def _table(result: Result) -> Table:
    rows = tuple((step.name, step.factor, step.bytes) for step in result.steps)
    return Table(("step", "factor", "bytes"), rows)


class _Ladder:
    """Draws the squares and their words."""

    def __init__(self, result: Result, style: Style) -> None:
        self.result, self.style, self.t = result, style, translator(style.language)
        self.big, self.middle, self.small = _FONTS[style.size]

    def draw(self, canvas: Canvas, left: float, top: float, width: float, height: float) -> None:
        """Draw into a room."""
        words = self.big * _LINE + self.small * (_LINE * _MOST_LINES)
        columns, foot = self._columns(width), top + height - words - self.small
        lines = self._formula(sum(columns[:-1]))
        scale = self._scale(columns, foot - top, len(lines) * self.middle * _LINE)
        ground = f"M{left:.2f},{foot + 1:.2f}h{width:.2f}"
        canvas.path(ground, stroke=self.style.colours.line, stroke_width=1, level=BACK)
        for number, line in enumerate(lines):
            y = top + (number + 0.5) * self.middle * _LINE
            canvas.text(left, y, line, self.middle, self.style.colours.text, align="left")
        for place, (step, column) in enumerate(zip(self.result.steps, columns, strict=True)):
            side = max(_SEEN, scale * math.sqrt(step.bytes))
            self._square(canvas, place, left + column / 2, foot, side)
            self._words(canvas, step, left + column / 2, foot + self.small * 0.6, column)
            left += column

    def _columns(self, width: float) -> list[float]:
        """Return the widths of the columns; the last one takes what the others leave."""
        count = len(self.result.steps)
        words = [
            max(text_width(bytes_words(step.bytes, self.t), self.big, bold=True),
                text_width(_made(self.result, step, self.t), self.small))
            for step in self.result.steps
        ]  # fmt: skip
        found = [min(word + 2 * self.small, width / count) for word in words[:-1]]
        return [*found, width - sum(found)]

    def _scale(self, columns: list[float], height: float, above: float) -> float:
        """Return how many pixels the root of a byte is, so that every square fits its column.

        The formula stands ``above`` all squares but the last.
        """
        last = len(columns) - 1
        heights = [height - (above if place < last else 0.0) for place in range(last + 1)]
        room = (min(*each) for each in zip(heights, (0.94 * c for c in columns), strict=True))
        steps = zip(room, self.result.steps, strict=True)
        return min(side / math.sqrt(step.bytes) for side, step in steps)

    def _formula(self, width: float) -> list[str]:
        """Return the whole product in lines; no factor is broken."""
        steps = self.result.steps
        parts = [_made(self.result, step, self.t) for step in steps]
        parts.append(f"= {bytes_words(steps[-1].bytes, self.t)}")
        lines = [""]
        for part in parts:
            longer = f"{lines[-1]} {part}".strip()
            if lines[-1] and text_width(longer, self.middle) > width - self.small:
                lines.append(part)
            else:
                lines[-1] = longer
        return lines

    def _square(self, canvas: Canvas, place: int, middle: float, foot: float, side: float) -> None:
        """Draw the square of a step, and in it that of the step before, which it multiplies."""
        colours = self.style.colours
        fill = mix(colours.background, colours.roles["scores"], 1.0 if place == 0 else 0.25)
        tip = self._tip(self.result.steps[place])
        canvas.cell((middle - side / 2, foot - side, side, side), fill, tip, None)
        if place:
            ratio = math.sqrt(self.result.steps[place].factor)
            inner, colour = max(_SEEN, side / ratio), colours.roles["scores"]
            canvas.rect(middle - side / 2, foot - inner, inner, inner, fill=colour, level=CELLS)

    def _tip(self, step: Step) -> str:
        made, amount = _made(self.result, step, self.t), bytes_words(step.bytes, self.t)
        return self.t("{name}: {value}", name=made, value=amount)

    def _words(self, canvas: Canvas, step: Step, middle: float, top: float, column: float) -> None:
        colours, amount = self.style.colours, bytes_words(step.bytes, self.t)
        room = column - self.small * 0.6
        size = next(
            (size for size in range(self.big, self.small, -1)
             if text_width(amount, size, bold=True) <= room),
            self.small,
        )  # fmt: skip
        y = top + self.big * _LINE / 2
        canvas.text(middle, y, amount, size, colours.text, bold=True)
        lines = balance_text(_made(self.result, step, self.t), self.small, room)
        for number, line in enumerate(lines[:_MOST_LINES]):
            y = top + self.big * _LINE + (number + 0.6) * self.small * _LINE
            canvas.text(middle, y, line, self.small, colours.muted)

"""One stacked bar for each method at the chosen T, by tensor, and the numbers of each below it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.memory.predicted import METHODS, Result
from engine.experiments.memory.tensors import Tensor
from pages.figures.bar_style import BarLook, bar_look, draw_bar
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.measure import text_width
from pages.figures.memory.common import counted_words, setting_words, words_of
from pages.figures.memory.names import counted_parts, devices_part, stem
from pages.figures.panel import Screen, open_plot
from pages.text import Translator, mark, translator
from pages.text.memory_words import bytes_words, each_words, method_words, tensor_words

# Role of a tensor's colour, and which look its bars take: gradients are pale with an outline, what
# is kept for other layers or other devices is hatched.
_LOOKS = {
    "q": ("query", 0),
    "k": ("key", 0),
    "v": ("value", 0),
    "k_cache": ("key", 2),
    "v_cache": ("value", 2),
    "k_in_transit": ("key", 3),
    "v_in_transit": ("value", 3),
    "scores": ("scores", 0),
    "weights": ("weights", 0),
    "output": ("output", 0),
    "statistics": ("input", 0),
    "d_q": ("query", 1),
    "d_k": ("key", 1),
    "d_v": ("value", 1),
    "d_output": ("output", 1),
    "d_scores": ("scores", 1),
    "d_weights": ("weights", 1),
    "d_q_sums": ("query", 3),
    "model": ("input", 1),
}
_LEAST = 1.5  # pixels: what is narrower is drawn with what follows it
_LINES = 2  # of numbers below a bar, at most


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output: fonts of names and numbers, heights of bars and of lines of numbers."""

    name: int
    font: int
    bar: float
    line: float


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(13, 12, 20, 17),
    "slide": Sizes(20, 18, 30, 25),
    "half": Sizes(18, 18, 22, 24),
    "square": Sizes(18, 18, 22, 24),
}
SCREEN = Screen(868.0, 380.0)


def tensors_figure(result: Result, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the tensors of every method at ``params.T`` as lengths on one linear scale."""
    t, params = translator(style.language), result.params
    title = t("Which tensors take the memory at T = {T}", T=f"{params.T:,}")
    note = t.sentences(setting_words(params, t), counted_words(params, t), _moment_words(result, t),
                       each_words(params, t))  # fmt: skip
    name = stem("tensors", params, params.mode, params.dtype, f"T{params.T}",
                *counted_parts(params), devices_part(params))  # fmt: skip
    words = words_of(name, title, note, "weights", t, _alt(result, t))
    canvas, room = open_plot(style, words, screen)
    _Stacks(canvas, result, style).draw(*room)
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _moment_words(result: Result, t: Translator) -> str:
    if result.params.mode == "training":
        return t("Counted at the peak of the backward pass, when every layer keeps its tensors.")
    if result.params.cache:
        return t("One layer at work; K and V are kept in every layer (the KV cache).")
    return t("One layer at work.")


def _alt(result: Result, t: Translator) -> str:
    parts = [
        t("{name}: {value}", name=method_words(method, t),
          value=bytes_words(_total(result, method), t))
        for method in METHODS
    ]  # fmt: skip
    return t("{parts}.", parts=t.clauses(parts))


def _total(result: Result, method: str) -> int:
    return sum(tensor.bytes for tensor in result.stacks[method])


def _table(result: Result) -> Table:
    columns = ("method", "tensor", "shape", "bytes of a number", "copies", "bytes")
    rows = tuple(
        (method, tensor.name, " x ".join(map(str, tensor.shape)), tensor.itemsize, tensor.copies,
         tensor.bytes)
        for method in METHODS
        for tensor in result.stacks[method]
    )  # fmt: skip
    return Table(columns, rows)


@dataclass(frozen=True)
class _Item:
    """One number below a bar: its sample, its text, its width in pixels."""

    look: BarLook
    text: str
    width: float


class _Stacks:
    """Draws the stacks of all methods, one below the other."""

    def __init__(self, canvas: Canvas, result: Result, style: Style) -> None:
        self.canvas, self.result, self.style = canvas, result, style
        self.sizes, self.t = SIZES[style.size], translator(style.language)
        self.largest = max(_total(result, method) for method in METHODS)

    def draw(self, left: float, top: float, width: float, height: float) -> None:
        """Draw into a room."""
        step = height / len(METHODS)
        for place, method in enumerate(METHODS):
            self._stack(method, left, top + place * step, width, step)

    def _stack(self, method: str, left: float, top: float, width: float, height: float) -> None:
        """Draw the name and the total of a method, its bar, and the numbers of its tensors."""
        sizes, tensors = self.sizes, self.result.stacks[method]
        rows = self._rows(tensors, width, height)
        used = sizes.name * 1.4 + sizes.bar + len(rows) * sizes.line
        y = top + (height - used) / 2 + sizes.name * 0.6
        self._heading(method, left, y)
        bar = y + sizes.name * 0.8
        self._bar(tensors, left, bar, width)
        for place, row in enumerate(rows):
            self._numbers(row, left, bar + sizes.bar + (place + 0.6) * sizes.line)

    def _heading(self, method: str, left: float, y: float) -> None:
        name, size, colours = method_words(method, self.t), self.sizes.name, self.style.colours
        self.canvas.text(left, y, name, size, colours.text, bold=True, align="left")
        x = left + text_width(name, size, bold=True) + size * 0.5
        total = bytes_words(_total(self.result, method), self.t)
        self.canvas.text(x, y, total, size, colours.text, align="left")

    def _bar(self, tensors: tuple[Tensor, ...], left: float, top: float, width: float) -> None:
        """Draw the pieces of a bar; one that cannot be seen gives its length to the next."""
        start = end = left
        for place, tensor in enumerate(tensors):
            end += width * (tensor.bytes / self.largest)
            if place + 1 == len(tensors):
                end = max(end, left + _LEAST)  # a bar that is next to nothing is seen
            elif end - start < _LEAST:
                continue
            gap = min(0.5, (end - start) / 4)
            box = (start + gap, top, end - start - 2 * gap, self.sizes.bar)
            draw_bar(self.canvas, box, self._look(tensor), self._tip(tensor))
            start = end

    def _look(self, tensor: Tensor) -> BarLook:
        role, index = _LOOKS[tensor.name]
        return bar_look(index, self.style.colours.roles[role], self.style.colours)

    def _tip(self, tensor: Tensor) -> str:
        text = mark("{tensor}, {shape}: {amount}")
        if tensor.copies > 1:
            text = mark("{tensor}, {copies} of {shape}: {amount}")
        return self.t(
            text,
            tensor=tensor_words(tensor.name, self.t),
            shape=" × ".join(f"{size:,}" for size in tensor.shape),
            copies=f"{tensor.copies:,}",
            amount=bytes_words(tensor.bytes, self.t),
        )

    # ---- numbers

    def _rows(self, tensors: tuple[Tensor, ...], width: float, height: float) -> list[list[_Item]]:
        """Return the numbers in lines; the smallest are summed up where there is no room."""
        sizes = self.sizes
        room = height - sizes.name * 1.4 - sizes.bar - sizes.font * 0.4
        most = min(_LINES, max(1, int(room / sizes.line)))
        # One that is left over alone needs no sum: two are summed up at least.
        for shown in (len(tensors), *range(len(tensors) - 2, 0, -1)):
            rows = self._wrapped(self._items(tensors, shown), width)
            if len(rows) <= most:
                return rows
        return rows

    def _items(self, tensors: tuple[Tensor, ...], shown: int) -> list[_Item]:
        """Return the numbers of the largest tensors in their order, and the sum of the others."""
        order = sorted(range(len(tensors)), key=lambda place: -tensors[place].bytes)
        kept, rest = sorted(order[:shown]), order[shown:]
        found = [
            self._item(self._look(tensors[place]), tensor_words(tensors[place].name, self.t),
                       tensors[place].bytes)
            for place in kept
        ]  # fmt: skip
        if rest:
            colours = self.style.colours
            look = bar_look(0, colours.line, colours)
            name = self.t("{count} others", count=len(rest))
            found.append(self._item(look, name, sum(tensors[place].bytes for place in rest)))
        return found

    def _item(self, look: BarLook, name: str, amount: int) -> _Item:
        text = self.t("{tensor} {amount}", tensor=name, amount=bytes_words(amount, self.t))
        return _Item(look, text, text_width(text, self.sizes.font) + self.sizes.font * 1.1)

    def _wrapped(self, items: list[_Item], width: float) -> list[list[_Item]]:
        rows: list[list[_Item]] = [[]]
        gap = self.sizes.font * 1.2
        for item in items:
            used = sum(each.width + gap for each in rows[-1])
            if rows[-1] and used + item.width > width:
                rows.append([])
            rows[-1].append(item)
        return rows

    def _numbers(self, items: list[_Item], left: float, y: float) -> None:
        font, x = self.sizes.font, left
        for item in items:
            draw_bar(self.canvas, (x, y - font * 0.35, font * 0.7, font * 0.7), item.look, "")
            self.canvas.text(x + font * 1.1, y, item.text, font, self.style.colours.text,
                             align="left")  # fmt: skip
            x += item.width + font * 1.2

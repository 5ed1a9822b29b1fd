"""The patterns of masks and the families of models that use them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.masks.spec import MaskSpec, Pattern, build
from engine.shapes import Array
from pages.figures.board import hatching
from pages.figures.canvas import HATCH, Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.measure import balance_text
from pages.figures.palette import mix
from pages.figures.slide import open_sheet
from pages.text import Translator, mark, translator
from pages.text.mask_words import models_of, spec_words

T = 8
_WIDTH, _HEIGHT, _PADDING = 868.0, 300.0, 10.0  # on screen
_VISIBLE = 0.62  # of the weights' colour in a cell that may be looked at
_LINE = 1.3


@dataclass(frozen=True)
class Family:
    """One pattern: its mask, what a query sees, what kind of model uses it, and which."""

    spec: MaskSpec
    rule: str
    kind: str
    models: Pattern | None = None
    name: str = ""


FAMILIES = (
    Family(
        MaskSpec("none"),
        mark("Every token sees every token."),
        mark("Encoder-only models"),
        "none",
    ),
    Family(
        MaskSpec("causal"),
        mark("A token sees itself and what came before."),
        mark("Decoder-only models"),
        "causal",
    ),
    Family(
        MaskSpec("window", window=3),
        mark("A token sees itself and the {before} before it."),
        mark("Some decoder-only models"),
        "window",
    ),
    Family(
        MaskSpec("prefix", prefix=3),
        mark("All see the first {prefix}; the rest is causal."),
        mark("Prefix language models"),
        "prefix",
    ),
    Family(
        MaskSpec("none", length=6),
        mark("Nobody sees the padding."),
        mark("Batches, with any of the other masks"),
        name=mark("Padding after {length}"),
    ),
)


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output: the side of a cell, and the fonts of names and of words.

    Side by side each family has a column; else it has a row, with its words to the right.
    """

    cell: float
    name: int
    font: int
    side_by_side: bool


_SIZES: dict[SizeName, _Sizes] = {
    "screen": _Sizes(17, 14, 12, True),
    "slide": _Sizes(25, 20, 18, True),
    "half": _Sizes(10, 20, 18, False),
    "square": _Sizes(10, 20, 18, False),
}


def families_figure(style: Style) -> Figure:
    """Draw every pattern for a few positions, with the models that use it."""
    t = translator(style.language)
    title = t("Masks and the models that use them")
    note = t.sentences(
        t("Each row is a query, each column a key; hatched cells are hidden."),
        t(
            "An encoder–decoder model uses two of them: bidirectional in its encoder, causal in "
            "its decoder."
        ),
    )
    if style.size == "screen":
        canvas = Canvas(_WIDTH, _HEIGHT, style.colours, transparent=style.transparent)
        room = (_PADDING, _PADDING, _WIDTH - 2 * _PADDING, _HEIGHT - 2 * _PADDING)
    else:
        canvas, room = open_sheet(style, title, note, "weights")
    _Families(canvas, style).draw(*room)
    alt = t.sentences(
        t("{title}.", title=title),
        t("{parts}.", parts=t.clauses(_said(each, t) for each in FAMILIES)),
    )
    return Figure("masks-families", title, canvas.spec(alt), _table(t), note, alt)


def _name(family: Family, t: Translator) -> str:
    return t(family.name, length=family.spec.length) if family.name else spec_words(family.spec, t)


def _rule(family: Family, t: Translator) -> str:
    spec = family.spec
    return t(family.rule, before=spec.window - 1, prefix=spec.prefix)


def _models(family: Family, t: Translator) -> str:
    return models_of(family.models, t) if family.models else ""


def _used_in(family: Family, t: Translator) -> str:
    models = _models(family, t)
    kind = t(family.kind)
    return t("{name}: {value}", name=kind, value=models) if models else kind


def _said(family: Family, t: Translator) -> str:
    return t("{name}: {value}", name=_name(family, t), value=_used_in(family, t))


def _table(t: Translator) -> Table:
    rows = tuple(
        (_name(family, t), t(family.kind), _models(family, t), i + 1, j + 1, bool(cell))
        for family in FAMILIES
        for i, row in enumerate(build(family.spec, T))
        for j, cell in enumerate(row)
    )
    return Table(("mask", "used in", "models", "query", "key", "visible"), rows)


class _Families:
    """Draws the families in columns or rows."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        self.canvas, self.style, self.sizes = canvas, style, _SIZES[style.size]
        self.t = translator(style.language)
        self.side = self.sizes.cell * T

    def draw(self, left: float, top: float, width: float, height: float) -> None:
        """Draw all of them into a room."""
        count, sizes = len(FAMILIES), self.sizes
        if not sizes.side_by_side:
            step = height / count
            for place, family in enumerate(FAMILIES):
                self._row(family, left, top + place * step, width, step)
            return
        step = (width - self.side) / (count - 1)
        room = step - sizes.font
        needed = max(self._words_height(family, room) for family in FAMILIES)
        top += (height - sizes.name * 2 - self.side - needed) / 2
        for place, family in enumerate(FAMILIES):
            # The last one must not leave the room.
            own = min(room, width - place * step)
            self._column(family, left + place * step, top, own)

    def _column(self, family: Family, left: float, top: float, room: float) -> None:
        sizes = self.sizes
        y = top + sizes.name
        self._line(_name(family, self.t), left, y, sizes.name, bold=True)
        self._grid(build(family.spec, T), left, top + sizes.name * 2)
        self._words(family, left, top + sizes.name * 2 + self.side + sizes.font * 0.5, room)

    def _row(self, family: Family, left: float, top: float, width: float, step: float) -> None:
        sizes = self.sizes
        x = left + self.side + sizes.font * 1.2
        room = left + width - x
        self._grid(build(family.spec, T), left, top + (step - self.side) / 2)
        height = sizes.name * _LINE + self._words_height(family, room)
        y = top + (step - height) / 2
        self._line(_name(family, self.t), x, y + sizes.name * _LINE / 2, sizes.name, bold=True)
        self._words(family, x, y + sizes.name * _LINE, room)

    def _lines(self, family: Family, room: float) -> list[tuple[str, bool, float]]:
        """Return the lines of words, whether each is in muted ink, and its middle from the top."""
        font, t = self.sizes.font, self.t
        parts = [(_used_in(family, t), False)]
        if self.sizes.side_by_side:
            parts = [(_rule(family, t), True), (t(family.kind), False), (_models(family, t), False)]
        lines, y = [], 0.0
        for text, muted in parts:
            for line in balance_text(text, font, room):
                lines.append((line, muted, y + font * _LINE / 2))
                y += font * _LINE
            y += font * _LINE / 3 if muted else 0.0
        return lines

    def _words_height(self, family: Family, room: float) -> float:
        return self._lines(family, room)[-1][2] + self.sizes.font * _LINE / 2

    def _words(self, family: Family, left: float, top: float, room: float) -> None:
        font, colours = self.sizes.font, self.style.colours
        for line, muted, middle in self._lines(family, room):
            colour = colours.muted if muted else colours.text
            self.canvas.text(left, top + middle, line, font, colour, align="left")

    def _line(self, text: str, left: float, y: float, font: float, *, bold: bool) -> None:
        self.canvas.text(left, y, text, font, self.style.colours.text, bold=bold, align="left")

    def _grid(self, visible: Array, left: float, top: float) -> None:
        colours, side = self.style.colours, self.sizes.cell
        seen = mix(colours.background, colours.roles["weights"], _VISIBLE)
        gap = 0.5 if side < 20 else 1.0
        for i, row in enumerate(visible.tolist()):
            for j, cell in enumerate(row):
                place = (
                    left + j * side + gap,
                    top + i * side + gap,
                    side - 2 * gap,
                    side - 2 * gap,
                )
                self.canvas.cell(
                    place, seen if cell else colours.masked, self._tip(i, j, cell), None
                )
                if not cell:
                    self.canvas.path(
                        hatching(place, min(9.0, side / 2)), stroke=colours.hatch,
                        stroke_width=1, level=HATCH,
                    )  # fmt: skip

    def _tip(self, query: int, key: int, visible: bool) -> str:
        t = self.t
        words = t("visible") if visible else t("hidden by the mask")
        return t("query {query}, key {key}: {words}", query=query + 1, key=key + 1, words=words)

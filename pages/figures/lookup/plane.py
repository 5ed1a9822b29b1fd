"""The query and the keys in the plane: lengths, the angle, its cosine and the dot product."""

from __future__ import annotations

import math

from engine.experiments.lookup.soft import Result
from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import Canvas
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.lookup.common import stem, words_of
from pages.figures.lookup.plane_drawing import PlaneDrawing
from pages.figures.measure import fit_text
from pages.figures.panel import Screen, open_plot, sizes_of
from pages.figures.slide import Room
from pages.text import Translator, translator
from pages.text.lookup_words import angle_text, dot_of, length_text, product_of, vector_text

SCREEN = Screen(868.0, 340.0)
# Fonts of the facts, and what they take of the width at the least.
_FONTS: dict[SizeName, int] = {"screen": 15, "slide": 24, "half": 18, "square": 18}
_ROOM: dict[SizeName, float] = {"screen": 300, "slide": 430, "half": 0, "square": 0}
_LINE = 1.75  # of a font, from one fact to the next


def plane_figure(result: Result, style: Style, row: int | None = None) -> Figure:
    """Draw query and keys as arrows; what is measured is told of one key, from 0.

    Raises
    ------
    FigureError
        When the vectors have not two numbers.
    """
    if len(result.params.query) != 2:
        raise FigureError("A plane shows vectors of two numbers, got {count}.",
                          count=len(result.params.query))  # fmt: skip
    t, row = translator(style.language), result.nearest[0] if row is None else row
    name = result.params.names[row]
    title = t("The query and the keys in the plane")
    note = _note(result, row, t)
    words = words_of(stem("plane", f"n{len(result.params.names)}", f"key{row + 1}"), title, note,
                     "query", t, _spoken(result, row, t))  # fmt: skip
    canvas, room = open_plot(style, words, SCREEN)
    facts = _Facts(canvas, result, style, row, name)
    plane, beside = _divided(room, style, facts)
    PlaneDrawing(canvas, result, style, row, plane).draw()
    facts.draw(beside)
    return Figure(words.name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _divided(room: Room, style: Style, facts: _Facts) -> tuple[Room, Room]:
    """Return the room of the plane, and that of the facts: beside it, or above it."""
    left, top, width, height = room
    if _ROOM[style.size]:
        side, gap = _ROOM[style.size], sizes_of(style).gap * 2.5
        return (left, top, width - side - gap, height), (left + width - side, top, side, height)
    above = facts.height(width)
    return (left, top + above, width, height - above), (left, top, width, above)


def _note(result: Result, row: int, t: Translator) -> str:
    query, key = result.params.query, result.params.keys[row]
    if not any(query) or not any(key):
        return t("A vector of zeros has no direction: there is no angle and no cosine.")
    return t(
        "The dot product is the product of both lengths and the cosine of the angle between them; "
        "the cosine alone looks at the angle only."
    )


def _spoken(result: Result, row: int, t: Translator) -> str:
    facts = t.clauses(text for text, _ in fact_lines(result, row, t))
    return t("Query {query} and {name} {key}: {facts}.", query=vector_text(result.params.query, 6),
             name=result.params.names[row], key=vector_text(result.params.keys[row], 6),
             facts=facts)  # fmt: skip


def fact_lines(result: Result, row: int, t: Translator) -> list[tuple[str, str]]:
    """Return lengths, angle, cosine and dot product, each with the role of its colour."""
    plane = result.plane
    angle = float(plane.angles[row])
    if math.isnan(angle):
        return [
            (f"|q| = {length_text(plane.query_length)}", "query"),
            (f"|k| = {length_text(float(plane.key_lengths[row]))}", "key"),
            (t("θ: none"), "input"),
            (t("cos θ: none"), "input"),
            (f"q·k = {length_text(dot_of(result, row))}", "scores"),
        ]
    product = product_of(result, row)
    return [
        (f"|q| = {product.query}", "query"),
        (f"|k| = {product.key}", "key"),
        (f"θ = {angle_text(abs(angle))}", "input"),
        (f"cos θ = {product.cosine}", "input"),
        (f"q·k = |q||k| cos θ = {product.dot}", "scores"),
    ]


class _Facts:
    """Writes what is measured of the query and one key, in lines below or beside each other."""

    def __init__(
        self, canvas: Canvas, result: Result, style: Style, row: int, name: str
    ) -> None:  # fmt: skip
        self.canvas, self.style, self.t = canvas, style, translator(style.language)
        self.font, self.name = _FONTS[style.size], name
        self.lines = fact_lines(result, row, self.t)

    def height(self, width: float) -> float:
        """Return what they take above the plane: the name and the rows below it."""
        return self.font * (1.5 * (1 + len(self._in_rows(width))) + 0.6)

    def draw(self, room: Room) -> None:
        """Write them into a room."""
        if _ROOM[self.style.size]:
            self._column(*room)
        else:
            self._rows(*room)

    @property
    def _heading(self) -> str:
        return self.t("query and {name}", name=self.name)

    def _column(self, left: float, top: float, width: float, height: float) -> None:
        step = self.font * _LINE
        y = top + (height - step * (len(self.lines) + 0.4)) / 2
        self._write_heading(left, y, width)
        for place, (text, role) in enumerate(self.lines, 1):
            self._write(left, y + (place + 0.4) * step, text, role)

    def _rows(self, left: float, top: float, width: float, _height: float) -> None:
        """Write them in rows: lengths, angle and cosine in one where they fit, the product last."""
        step, y = self.font * 1.5, top + self.font * 0.6
        self._write_heading(left, y, width)
        for place, line in enumerate(self._in_rows(width), 1):
            x = left
            for text, role in line:
                self._write(x, y + place * step, text, role)
                x += self._width(text) + self.font

    def _in_rows(self, width: float) -> list[list[tuple[str, str]]]:
        rows: list[list[tuple[str, str]]] = [[]]
        for text, role in self.lines[:-1]:
            taken = sum(self._width(each) + self.font for each, _ in rows[-1])
            if rows[-1] and taken + self._width(text) > width:
                rows.append([])
            rows[-1].append((text, role))
        return [*rows, [self.lines[-1]]]

    def _width(self, text: str) -> float:
        return words_width(text, self.font, True, self.canvas.smallest)

    def _write_heading(self, left: float, y: float, width: float) -> None:
        shown = fit_text(self._heading, self.font, width, bold=True)
        self.canvas.text(left, y, shown, self.font, self.style.colours.text, bold=True,
                         align="left")  # fmt: skip

    def _write(self, x: float, y: float, text: str, role: str) -> None:
        colour = self.style.colours.roles[role]
        draw_words(self.canvas, x, y, text, self.font, colour, bold=True)


def _table(result: Result) -> Table:
    columns = ("name", "x", "y", "length",
               "angle from the query in degrees, counterclockwise", "cosine",
               "dot product")  # fmt: skip
    params, plane = result.params, result.plane
    rows: list[tuple[object, ...]] = [("query", *params.query, plane.query_length, "", "", "")]
    for index, name in enumerate(params.names):
        angle, cosine = float(plane.angles[index]), float(plane.cosines[index])
        defined = not math.isnan(angle)
        rows.append((name, *params.keys[index], float(plane.key_lengths[index]),
                     angle if defined else "", cosine if defined else "",
                     dot_of(result, index)))  # fmt: skip
    return Table(columns, tuple(rows))

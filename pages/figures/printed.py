"""Printed and computed: a calculation from the texts, line by line, beside what comes out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.printed import PrintedClaim, PrintedLine
from pages.figures.canvas import BACK, FRAME, Canvas
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.measure import text_width
from pages.figures.numerals import MINUS, number
from pages.figures.palette import readable_on, role_fill
from pages.figures.slide import open_sheet
from pages.text import Translator, translator
from pages.text.printed_words import LINE_VERDICTS, LINES

_ROLES = {
    "scores": "scores",
    "scaled": "scores",
    "exponentials": "weights",
    "sum": "weights",
    "weights": "weights",
    "output": "output",
}


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output.

    ``name``, ``label``, ``verdict`` and ``cell`` are widths of columns; ``head`` is the height of
    the line above the numbers that holds name and verdict where they have no columns, else 0.
    ``font`` is that of the numbers, ``text`` that of the words.
    """

    name: float
    label: float
    verdict: float
    cell: float
    head: float
    row: float
    gap: float
    font: int
    text: int
    padding: float = 0


_SCREEN = _Sizes(152, 78, 110, 110, 0, 25, 11, 14, 13, 10)
_SLIDE = _Sizes(220, 124, 160, 166, 0, 54, 20, 25, 20)
_SIZES: dict[SizeName, _Sizes] = {
    "screen": _SCREEN,
    "slide": _SLIDE,
    "half": _Sizes(14, 104, 0, 114, 32, 38, 14, 21, 18),
    "square": _Sizes(14, 112, 0, 130, 32, 38, 14, 22, 19),
}


class _Comparison:
    """Draws the lines of one claim."""

    def __init__(self, claim: PrintedClaim, style: Style) -> None:
        self.lines = [line for line in claim.lines if line.printed]
        self.style, self.sizes = style, _SIZES[style.size]
        self.t = translator(style.language)
        self.columns = max(len(line.printed) for line in self.lines)
        self.row = self.sizes.row

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        fair = (height + self.sizes.gap) / len(self.lines) - self.sizes.gap - self.sizes.head
        self.row = min(self.row, fair / 2)

    @property
    def line(self) -> float:
        """Height of one line: what is printed, what is computed, and the words above."""
        return self.sizes.head + 2 * self.row

    @property
    def width(self) -> float:
        """Width in pixels."""
        sizes = self.sizes
        return sizes.name + sizes.label + self.columns * sizes.cell + sizes.verdict

    @property
    def height(self) -> float:
        """Height in pixels."""
        return len(self.lines) * (self.line + self.sizes.gap) - self.sizes.gap

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw all lines."""
        for index, line in enumerate(self.lines):
            self._line(canvas, line, left, top + index * (self.line + self.sizes.gap))

    def _line(self, canvas: Canvas, line: PrintedLine, left: float, top: float) -> None:
        sizes, colours, t = self.sizes, self.style.colours, self.t
        role = colours.roles[_ROLES[line.name]]
        canvas.rect(left, top + 1, 4, self.line - 2, fill=role, radius=2)
        # Name and verdict stand beside the numbers, or above them.
        words = top + (sizes.head * 0.45 or self.row)
        name = t(LINES[line.name])
        canvas.text(left + 14, words, name, sizes.text, role, bold=True, align="left")
        x, top = left + sizes.name + sizes.label, top + sizes.head
        for text, y in ((t("printed"), top), (t("computed"), top + self.row)):
            canvas.text(x - 10, y + self.row / 2, text, sizes.text, colours.muted, align="right")
        for column, agrees in enumerate(line.agrees):
            self._pair(canvas, line, column, agrees, x + column * sizes.cell, top)
        self._verdict(canvas, line, left, words)

    def _verdict(self, canvas: Canvas, line: PrintedLine, left: float, middle: float) -> None:
        sizes, colours = self.sizes, self.style.colours
        verdict = self.t(LINE_VERDICTS[line.verdict])
        bold = line.verdict != "confirmed"
        colour = colours.alert if bold else colours.muted
        x, align = left + self.width, "right"
        if not sizes.head:
            x = left + sizes.name + sizes.label + len(line.agrees) * sizes.cell + 14
            align = "left"
        canvas.text(x, middle, verdict, sizes.text, colour, bold=bold, align=align)

    def _pair(
        self, canvas: Canvas, line: PrintedLine, column: int, agrees: bool, x: float, top: float
    ) -> None:
        """Draw one printed number above its computed one, outlined together where they differ."""
        colours, sizes = self.style.colours, self.sizes
        fill = role_fill(_ROLES[line.name], 0.25, self.style.theme)
        printed = line.printed[column].replace("-", MINUS)
        texts = (printed, number(line.computed[column], self._decimals(line)))
        for row, (text, paint) in enumerate(zip(texts, (colours.surface, fill), strict=True)):
            y = top + row * self.row
            canvas.rect(
                x + 1, y + 1, sizes.cell - 2, self.row - 2, fill=paint, radius=3, level=BACK
            )
            ink = readable_on(paint, self.style.theme)
            middle = (x + sizes.cell / 2, y + self.row / 2)
            canvas.text(*middle, text, sizes.font, ink, bold=not agrees)
        if not agrees:
            stroke_width = 3.0 if self.style.size != "screen" else 2.0
            canvas.rect(
                x, top, sizes.cell, 2 * self.row,
                stroke=colours.alert, stroke_width=stroke_width, radius=4, level=FRAME,
            )  # fmt: skip

    def _decimals(self, line: PrintedLine) -> int:
        """Return enough decimals to compare with what is printed."""
        printed = max(len(text.partition(".")[2]) for text in line.printed)
        most = max(printed, self.style.decimals)
        widest = max(abs(value) for value in line.computed)
        while most > printed and text_width(number(-widest, most), self.sizes.font) > self._room:
            most -= 1
        return most

    @property
    def _room(self) -> float:
        return self.sizes.cell - self.sizes.font * 0.6


def _table(lines: list[PrintedLine], t: Translator) -> Table:
    rows = tuple(
        (
            t(LINES[line.name]),
            place + 1,
            printed,
            line.computed[place],
            t(LINE_VERDICTS[line.verdict]),
        )
        for line in lines
        for place, printed in enumerate(line.printed)
    )
    return Table(("line", "place", "printed", "computed", "verdict"), rows)


def _title(claim: PrintedClaim, t: Translator) -> str:
    if claim.example == "textbook":
        return t("Printed and computed: the textbook example, row {row}", row=claim.row)
    return t("Printed and computed: the three-score row")


def printed_figure(claim: PrintedClaim, style: Style) -> Figure:
    """Draw a printed calculation beside what comes out; numbers that differ are outlined.

    Parameters
    ----------
    claim : PrintedClaim
        From ``engine.experiments.printed.printed_claims``.
    style : Style
        Theme, language, size, decimals.

    Returns
    -------
    Figure
    """
    t = translator(style.language)
    title = _title(claim, t)
    note = t("Outlined: the printed number is not the computed one, rounded to the same digits.")
    comparison = _Comparison(claim, style)
    if style.size != "screen":
        canvas, (left, top, width, height) = open_sheet(style, title, note, "scores")
        comparison.shrink(height)
        left += (width - comparison.width) / 2
        comparison.draw(canvas, left, top + (height - comparison.height) / 2)
    else:
        padding = _SCREEN.padding
        canvas = Canvas(
            comparison.width + 2 * padding,
            comparison.height + 2 * padding,
            style.colours,
            transparent=style.transparent,
        )
        comparison.draw(canvas, padding, padding)
    table = _table(comparison.lines, t)
    name = f"printed-and-computed-claim-{claim.claim}"
    alt = t.sentences(t("{title}.", title=title), note)
    return Figure(name, title, canvas.spec(alt), table, note, alt)

"""The rows of the ledger as they are drawn: number, claim, verdict, what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.figures.canvas import BACK, Canvas
from pages.figures.claims.lines import draw_line
from pages.figures.claims.verdicts import Badge
from pages.figures.figure import SizeName, Style
from pages.figures.measure import balance_text, text_width
from pages.text import Translator

_LINE = 1.2  # of a font, from one line of a text to the next
_AIR = 0.4  # of a font, above and below the lines of a row


@dataclass(frozen=True)
class Entry:
    """One row: the number of the claim, the claim in short, its verdict, what was measured."""

    number: int
    claim: str
    badge: Badge
    measured: str


@dataclass(frozen=True)
class Sizes:
    """Pixels of one output.

    ``number``, ``claim`` and ``badge`` are widths of columns, what is measured takes the rest of
    ``total``; where ``badge`` is 0, verdict and measured number stand below the claim. ``fonts``
    are tried from the largest on, ``small`` is that of headings and badges.
    """

    total: float
    number: float
    claim: float
    badge: float
    head: float
    row: float
    fonts: tuple[int, ...]
    small: int

    @property
    def stacked(self) -> bool:
        """Whether a row has a second line for verdict and measured number."""
        return not self.badge


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(868, 34, 372, 152, 26, 40, (14, 13, 12), 12),
    "slide": Sizes(1168, 52, 500, 222, 36, 62, (23, 21, 20, 19, 18), 18),
    "half": Sizes(576, 40, 536, 0, 0, 64, (18,), 18),
    "square": Sizes(648, 44, 604, 0, 0, 64, (20, 19, 18), 18),
}


class Rows:
    """Draws some claims, one below the other."""

    def __init__(self, entries: Sequence[Entry], style: Style, t: Translator) -> None:
        self.entries, self.style, self.t = entries, style, t
        self.sizes = SIZES[style.size]
        self.row = self.sizes.row

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + self.row * len(self.entries)

    def shrink(self, height: float) -> None:
        """Make the rows low enough for ``height`` pixels."""
        self.row = min(self.row, (height - self.sizes.head) / len(self.entries))

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw headings and rows from the upper left corner."""
        if self.sizes.head:
            self._headings(canvas, left, top)
        for place, entry in enumerate(self.entries):
            y = top + self.sizes.head + place * self.row
            if place or self.sizes.head:
                line, colour = f"M{left:g},{y:.2f}h{self.sizes.total:g}", self.style.colours.line
                canvas.path(line, stroke=colour, stroke_width=1, level=BACK)
            self._row(canvas, entry, left, y)

    def _headings(self, canvas: Canvas, left: float, top: float) -> None:
        sizes, t = self.sizes, self.t
        claim = left + sizes.number
        places = ((claim, t("claim")), (claim + sizes.claim, t("verdict")),
                  (claim + sizes.claim + sizes.badge, t("measured or counted")))  # fmt: skip
        for x, text in places:
            y, colour = top + sizes.head / 2, self.style.colours.muted
            canvas.text(x, y, text, sizes.small, colour, align="left")

    def _row(self, canvas: Canvas, entry: Entry, left: float, top: float) -> None:
        sizes, colours = self.sizes, self.style.colours
        x = left + sizes.number
        if sizes.stacked:
            self._stacked(canvas, entry, left, top)
            return
        middle = top + self.row / 2
        room = sizes.claim - sizes.small
        self._text(canvas, x, middle, entry.claim, room, colours.text)
        self._number(canvas, entry, left, middle)
        entry.badge.draw(canvas, x + sizes.claim, middle, sizes.small)
        measured = x + sizes.claim + sizes.badge
        self._text(canvas, measured, middle, entry.measured, left + sizes.total - measured,
                   colours.text)  # fmt: skip

    def _stacked(self, canvas: Canvas, entry: Entry, left: float, top: float) -> None:
        """Draw verdict and measured number below the claim."""
        sizes, colours = self.sizes, self.style.colours
        x, first, second = left + sizes.number, top + self.row * 0.27, top + self.row * 0.72
        self._number(canvas, entry, left, first)
        self._text(canvas, x, first, entry.claim, sizes.claim, colours.text, lines=1)
        entry.badge.draw(canvas, x, second, sizes.small)
        measured = x + entry.badge.width(sizes.small) + sizes.small * 0.6
        self._text(canvas, measured, second, entry.measured, left + sizes.total - measured,
                   colours.text, lines=1)  # fmt: skip

    def _number(self, canvas: Canvas, entry: Entry, left: float, middle: float) -> None:
        font = self.sizes.fonts[0]
        x, colour = left + self.sizes.number - font * 0.7, self.style.colours.muted
        canvas.text(x, middle, str(entry.number), font, colour, bold=True, align="right")

    def _text(
        self,
        canvas: Canvas,
        x: float,
        middle: float,
        text: str,
        room: float,
        colour: str,
        lines: int = 2,
    ) -> None:
        """Write a text in the largest font in which it fits."""
        shown, font = self.fitted(text, room, lines)
        first = middle - (len(shown) - 1) * font * _LINE / 2
        for place, line in enumerate(shown):
            draw_line(canvas, x, first + place * font * _LINE, line, font, colour)

    def fitted(self, text: str, room: float, lines: int) -> tuple[list[str], int]:
        """Return the lines of a text and their font: of the smallest where no other fits."""
        for font in self.sizes.fonts:
            if text_width(text, font) <= room:
                return [text], font
            most = min(lines, int((self.row - font * _AIR) / (font * _LINE)))
            shown = balance_text(text, font, room)
            if len(shown) <= most:
                return shown, font
        return balance_text(text, self.sizes.fonts[-1], room), self.sizes.fonts[-1]

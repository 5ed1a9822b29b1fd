"""The rows of the ledger as they are drawn: number, claim, verdict, what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pages.figures.canvas import BACK, Canvas
from pages.figures.claims.lines import draw_line, wrapped
from pages.figures.claims.verdicts import Badge
from pages.figures.figure import SizeName, Style
from pages.text import Translator

_LINE = 1.2  # of a font, from one line of a text to the next
_AIR = 0.6  # of a font, in a row above and below its lines together
_BADGE = 1.55  # of a font, the line of a badge


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
    ``total``; where ``badge`` is 0, verdict and measured number stand below the claim. ``row`` is
    the height that a row has where there is room. ``fonts`` are tried from the largest on, which
    are well above the least of a sheet: an index is never smaller than that. ``small`` is the font
    of headings and badges.
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
        """Whether verdict and measured number stand below the claim."""
        return not self.badge


SIZES: dict[SizeName, Sizes] = {
    "screen": Sizes(828, 36, 362, 142, 26, 48, (16, 15, 14, 13, 12), 12),
    "slide": Sizes(1168, 52, 500, 222, 36, 96, (24, 23, 22, 21, 20, 19, 18), 18),
    "half": Sizes(576, 48, 528, 0, 0, 112, (24, 23, 22, 21, 20, 19, 18), 18),
    "square": Sizes(648, 52, 596, 0, 0, 112, (25, 24, 23, 22, 21, 20, 19, 18), 18),
}


class Rows:
    """Draws some claims, one below the other, in at most a height.

    Parameters
    ----------
    entries : sequence of Entry
    style : Style
    t : Translator
    height : float or None
        Pixels that there are; None where the rows may take what they need.
    """

    def __init__(
        self, entries: Sequence[Entry], style: Style, t: Translator, height: float | None = None
    ) -> None:
        self.entries, self.style, self.t = entries, style, t
        self.sizes = SIZES[style.size]
        usual = self.sizes.row * len(entries)
        self._room = usual if height is None else min(usual, height - self.sizes.head)
        self.font = self._font()

    def _font(self) -> int:
        """Return the largest font in which every row has the height it needs; else the smallest."""
        fonts = self.sizes.fonts
        return next((font for font in fonts if sum(self._needs(font)) <= self._room), fonts[-1])

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.sizes.head + sum(self.heights)

    @property
    def heights(self) -> list[float]:
        """Height of each row: the same for all where that is enough for each.

        Where there is not room enough for all, each gives up as much of the air around its lines.
        """
        needs = self._needs(self.font)
        even = self._room / len(needs)
        if max(needs) <= even:
            return [even] * len(needs)
        spare = (self._room - sum(needs)) / len(needs)
        return [need + spare for need in needs]

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw headings and rows from the upper left corner."""
        if self.sizes.head:
            self._headings(canvas, left, top)
        heights = self.heights
        starts = accumulate(heights[:-1], initial=top + self.sizes.head)
        for place, (entry, y) in enumerate(zip(self.entries, starts, strict=True)):
            if place or self.sizes.head:
                line, colour = f"M{left:g},{y:.2f}h{self.sizes.total:g}", self.style.colours.line
                canvas.path(line, stroke=colour, stroke_width=1, level=BACK)
            draw = self._stacked if self.sizes.stacked else self._row
            draw(canvas, entry, left, y + heights[place] / 2)

    def _headings(self, canvas: Canvas, left: float, top: float) -> None:
        sizes, t = self.sizes, self.t
        claim = left + sizes.number
        places = ((claim, t("claim")), (claim + sizes.claim, t("verdict")),
                  (claim + sizes.claim + sizes.badge, t("measured or counted")))  # fmt: skip
        for x, text in places:
            y, colour = top + sizes.head / 2, self.style.colours.muted
            canvas.text(x, y, text, sizes.small, colour, align="left")

    def _row(self, canvas: Canvas, entry: Entry, left: float, middle: float) -> None:
        sizes, x = self.sizes, left + self.sizes.number
        claim, measured = self._claim(entry, self.font), self._measured(entry, self.font)
        self._number(canvas, entry, left, middle)
        self._text(canvas, x, middle, claim)
        entry.badge.draw(canvas, x + sizes.claim, middle, sizes.small)
        self._text(canvas, x + sizes.claim + sizes.badge, middle, measured)

    def _stacked(self, canvas: Canvas, entry: Entry, left: float, middle: float) -> None:
        """Draw verdict and measured number below the claim, the number beside or below it."""
        sizes, x, font = self.sizes, left + self.sizes.number, self.font
        claim, measured = self._claim(entry, font), self._measured(entry, font)
        tall = len(claim) * font * _LINE
        y = middle - (self._need(entry, font) - font * _AIR) / 2
        self._number(canvas, entry, left, y + font * _LINE / 2)
        self._text(canvas, x, y + tall / 2, claim)
        badge = y + tall + sizes.small * _BADGE / 2
        entry.badge.draw(canvas, x, badge, sizes.small)
        if self._beside(entry, font):
            self._text(canvas, x + self._badge_room(entry), badge, measured)
            return
        below = badge + sizes.small * _BADGE / 2 + len(measured) * font * _LINE / 2
        self._text(canvas, x, below, measured)

    def _number(self, canvas: Canvas, entry: Entry, left: float, middle: float) -> None:
        x, colour = left + self.sizes.number - self.font * 0.7, self.style.colours.muted
        canvas.text(x, middle, str(entry.number), self.font, colour, bold=True, align="right")

    def _text(self, canvas: Canvas, x: float, middle: float, lines: list[str]) -> None:
        first = middle - (len(lines) - 1) * self.font * _LINE / 2
        for place, line in enumerate(lines):
            y = first + place * self.font * _LINE
            draw_line(canvas, x, y, line, self.font, self.style.colours.text)

    # ---- what fits

    def _needs(self, font: int) -> list[float]:
        return [self._need(entry, font) for entry in self.entries]

    def _need(self, entry: Entry, font: int) -> float:
        """Return the least height of a row in a font."""
        claim, measured = self._claim(entry, font), self._measured(entry, font)
        if not self.sizes.stacked:
            return (max(len(claim), len(measured)) * _LINE + _AIR) * font
        lines = len(claim) + (0 if self._beside(entry, font) else len(measured))
        return (lines * _LINE + _AIR) * font + self.sizes.small * _BADGE

    def _claim(self, entry: Entry, font: int) -> list[str]:
        room = self.sizes.claim - (0 if self.sizes.stacked else self.sizes.small)
        return wrapped(entry.claim, font, room)

    def _measured(self, entry: Entry, font: int) -> list[str]:
        sizes = self.sizes
        if not sizes.stacked:
            return wrapped(entry.measured, font, sizes.total - sizes.number - sizes.claim
                           - sizes.badge)  # fmt: skip
        beside = wrapped(entry.measured, font, sizes.claim - self._badge_room(entry))
        return beside if len(beside) == 1 else wrapped(entry.measured, font, sizes.claim)

    def _beside(self, entry: Entry, font: int) -> bool:
        """Return whether the measured number stands beside the verdict that is below the claim."""
        return len(wrapped(entry.measured, font, self.sizes.claim - self._badge_room(entry))) == 1

    def _badge_room(self, entry: Entry) -> float:
        return entry.badge.width(self.sizes.small) + self.sizes.small * 0.6

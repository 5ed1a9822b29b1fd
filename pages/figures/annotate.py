"""Words on a plot: lines of text with formula symbols in them, and labels that keep apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters

from pages.figures.canvas import Canvas
from pages.figures.measure import text_width
from pages.figures.symbols import draw_symbol, symbol_width

# A letter with an index or an exponent, perhaps under a root; 10^1^2 is a power of ten.
_SYMBOL = re.compile(r"((?<![A-Za-z0-9])√?(?:10|[2A-Za-z])(?:[_^][A-Za-z0-9−])+(?![A-Za-z0-9]))")
# What Latin letters take of their generous estimate, in the wider of the usual fonts.
_TIGHT = 0.91


@dataclass(frozen=True)
class Span:
    """A stretch of one line, in pixels."""

    left: float
    right: float

    def meets(self, other: Span, gap: float = 0.0) -> bool:
        """Return whether two stretches come closer than ``gap``."""
        return self.left < other.right + gap and other.left < self.right + gap


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Split into plain text and symbols; true for a symbol."""
    parts = _SYMBOL.split(text)
    return [(part, bool(index % 2)) for index, part in enumerate(parts) if part]


def _room(part: str, symbol: bool, last: bool, size: float, bold: bool, smallest: float) -> float:
    """Return the width of one piece; text before a symbol must not open a gap."""
    if symbol:
        return symbol_width(part, size, bold, smallest)
    if last:
        return text_width(part, size, bold)
    return sum(text_width(c, size, bold) * (_TIGHT if c in ascii_letters else 1.0) for c in part)


def words_width(text: str, size: float, bold: bool = False, smallest: float = 12) -> float:
    """Return the width of a line of text with symbols (``d_k``) in it."""
    pieces = _pieces(text)
    return sum(
        _room(part, symbol, index + 1 == len(pieces), size, bold, smallest)
        for index, (part, symbol) in enumerate(pieces)
    )


def draw_words(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    *,
    bold: bool = False,
    align: str = "left",
) -> None:
    """Write one line of text whose symbols (``√d_k``, ``10^6``) get real indices and exponents.

    Parameters
    ----------
    x, y : float
        The point that ``align`` speaks of; the line is centred on ``y``.
    align : {"left", "center", "right"}
    """
    pieces = _pieces(text)
    if not any(symbol for _, symbol in pieces):
        canvas.text(x, y, text, size, colour, bold=bold, align=align)
        return
    width = words_width(text, size, bold, canvas.smallest)
    x -= width * {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    for index, (part, symbol) in enumerate(pieces):
        if symbol:
            x = draw_symbol(canvas, x, y, part, size, colour, bold=bold)
            continue
        last = index + 1 == len(pieces)
        room = _room(part, symbol, last, size, bold, canvas.smallest)
        space = text_width(" ", size) * (len(part) - len(part.rstrip()))
        lead = text_width(" ", size) * (len(part) - len(part.lstrip()))
        # Text before a symbol ends at it, whatever the font; text after one begins at it.
        start, side = (x + lead, "left") if last else (x + room - space, "right")
        canvas.text(start, y, part.strip(), size, colour, bold=bold, align=side)
        x += room


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Move points on a line apart, each as little as it takes.

    Parameters
    ----------
    wanted : sequence of float
        Where each point would like to be, in any order.
    gap : float
        The least distance between two of them.
    top, bottom : float
        The first and last place they may take.

    Returns
    -------
    list of float
        In the order of ``wanted``. Points that do not fit between top and bottom go below it.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    level = _rising([wanted[index] - place * gap for place, index in enumerate(order)])
    last = max(top, bottom - (len(wanted) - 1) * gap)
    found = [0.0] * len(wanted)
    for place, index in enumerate(order):
        found[index] = min(max(level[place], top), last) + place * gap
    return found


def _rising(values: Sequence[float]) -> list[float]:
    """Return the rising sequence nearest to ``values`` (pooling neighbours that fall)."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            before, count = pools.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]


@dataclass(frozen=True)
class Flag:
    """A label on an upright line: its row above the plot, from 0, and where its text begins."""

    row: int
    text: Span


def place_flags(
    lines: Sequence[float], widths: Sequence[float], room: Span, title: Span, gap: float
) -> tuple[list[Flag], int]:
    """Place the labels of upright lines, and a title, above a plot in as few rows as possible.

    Parameters
    ----------
    lines, widths : sequence of float
        Where each line stands, and how wide its label is.
    room : Span
        What a label may use.
    title : Span
        What the title uses: of the lowest row, or, where a line stands in its way, of one above
        all labels.
    gap : float
        Between two labels, and between a label and a line.

    Returns
    -------
    flags : list of Flag
        In the order of ``lines``. A line that runs up to a higher row passes no label.
    title_row : int
    """
    waiting = list(zip(lines, widths, strict=True))
    for taken in (title, None):
        for rows in range(1, len(lines) + 2):
            found = _placed(waiting, [], rows, room, taken, gap)
            if found is not None:
                return found, 0 if taken else 1 + max(flag.row for flag in found)
    # A label that is wider than the plot stands in a row of its own.
    flags = [Flag(row, Span(room.left, room.left + width)) for row, width in enumerate(widths)]
    return flags, len(flags)


def _placed(
    waiting: list[tuple[float, float]],
    done: list[tuple[float, Flag]],
    rows: int,
    room: Span,
    taken: Span | None,
    gap: float,
) -> list[Flag] | None:
    if not waiting:
        return [flag for _, flag in done]
    (line, width), *others = waiting
    for row in range(rows):
        for text in (Span(line + gap, line + gap + width), Span(line - gap - width, line - gap)):
            flag = Flag(row, text)
            inside = text.left >= room.left and text.right <= room.right
            if inside and _is_free(line, flag, done, taken, gap):
                found = _placed(others, [*done, (line, flag)], rows, room, taken, gap)
                if found is not None:
                    return found
    return None


def _is_free(
    line: float, flag: Flag, done: list[tuple[float, Flag]], taken: Span | None, gap: float
) -> bool:
    if taken is not None and flag.row == 0 and flag.text.meets(taken, gap):
        return False
    if taken is not None and _crosses(line, taken, 2 * gap):
        return False
    for other, before in done:
        if before.row == flag.row and before.text.meets(flag.text, gap):
            return False
        if before.row >= flag.row and _crosses(other, flag.text, gap):
            return False
        if flag.row >= before.row and _crosses(line, before.text, gap):
            return False
    return True


def _crosses(line: float, text: Span, gap: float) -> bool:
    """Return whether an upright line comes too close to a label that is not its own."""
    return text.left - gap / 2 < line < text.right + gap / 2

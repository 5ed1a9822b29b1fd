"""Lines of a table: they begin at one edge, with symbols in them, as wide as they really are.

`annotate.draw_words` lets the text before a symbol end at it, so that its beginning moves by what
the estimate of its width is off. Here that text begins at the edge, and widths are those of
Helvetica and of the fonts made to its measure (Arial, Liberation Sans), the first ones of the
palette.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pages.figures.canvas import Canvas
from pages.figures.measure import balance_text, has_wide, text_width
from pages.figures.symbols import draw_symbol, symbol_width
from pages.text.binding import bound

# Thousandths of an em of the characters from the space to the tilde (Helvetica's metrics file).
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_OTHERS = {"\N{NO-BREAK SPACE}": 278, "−": 584, "–": 556, "·": 278, "×": 584, "±": 549,
           "≤": 549, "≥": 549, "’": 222, "‘": 222}  # fmt: skip
_BOLD = 1.08
_WIDER = 1.06  # what the widest of the usual fonts takes of these widths
# As `annotate` has it: a letter with an index or an exponent, perhaps under a root.
_SYMBOL = re.compile(r"((?<![A-Za-z0-9])√?(?:10|[2A-Za-z])(?:[_^][A-Za-z0-9−])+(?![A-Za-z0-9]))")
_WORD = re.compile(r"\S+|\s+")
# Few fonts have raised digits beyond ³: without them a whole line is drawn in another font.
_RAISED = re.compile("(?<=10)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")


@lru_cache(maxsize=4096)
def line_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line without symbols is, in pixels at a font size in pixels."""
    latin = _WIDER if has_wide(text) else 1.0  # a Chinese font has letters of its own
    width = sum(_of(each) * (latin if each.isascii() else 1.0) for each in text) * size
    return width * _BOLD if bold else width


def _of(character: str) -> float:
    place = ord(character) - ord(" ")
    if 0 <= place < len(_WIDTHS):
        return _WIDTHS[place] / 1000
    return _OTHERS[character] / 1000 if character in _OTHERS else text_width(character, 1.0)


@lru_cache(maxsize=2048)
def wrapped(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines no wider than a room, as few and as equal as can be."""
    text = bound(text)
    return [text] if line_width(text, size) * _WIDER <= room else balance_text(text, size, room)


def draw_line(
    canvas: Canvas, left: float, middle: float, text: str, size: float, colour: str
) -> None:
    """Write one line from its left edge, centred on ``middle``, its symbols with a real index.

    In a line with symbols each word has its own place, so that a font of other widths changes the
    gaps between words, and no word runs into a symbol.
    """
    parts = _SYMBOL.split(_with_powers(text))
    if len(parts) == 1:
        canvas.text(left, middle, text, size, colour, align="left")
        return
    for place, part in enumerate(parts):
        if place % 2:
            draw_symbol(canvas, left, middle, part, size, colour, bold=False)
            left += symbol_width(part, size, False, canvas.smallest)
            continue
        for word in _WORD.findall(part):
            if word.strip():
                canvas.text(left, middle, word, size, colour, align="left")
            left += line_width(word, size)


def _with_powers(text: str) -> str:
    """Return a line whose powers of ten are symbols: ``10⁻⁷`` is ``10^−^7``."""
    return _RAISED.sub(
        lambda found: "".join(f"^{digit}" for digit in found.group().translate(_LOWERED)), text
    )

"""Lines of a table: they begin at one edge, with symbols in them, as wide as they really are.

`annotate.draw_words` lets the text before a symbol end at it, so that its beginning moves by what
the estimate of its width is off. Here that text begins at the edge.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pages.figures.canvas import Canvas
from pages.figures.measure import balance_text
from pages.figures.symbols import draw_symbol, symbol_width
from pages.figures.typeset import WIDER, line_width
from pages.text.binding import bound

# As `annotate` has it: a letter with an index or an exponent, perhaps under a root.
_SYMBOL = re.compile(r"((?<![A-Za-z0-9])√?(?:10|[2A-Za-z])(?:[_^][A-Za-z0-9−])+(?![A-Za-z0-9]))")
_WORD = re.compile(r"\S+|\s+")
# Few fonts have raised digits beyond ³: without them a whole line is drawn in another font.
_RAISED = re.compile("(?<=10)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")


@lru_cache(maxsize=2048)
def wrapped(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines no wider than a room, as few and as equal as can be."""
    text = bound(text)
    return [text] if line_width(text, size) * WIDER <= room else balance_text(text, size, room)


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

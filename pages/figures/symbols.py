"""Formula symbols with real subscripts and superscripts: ``W_Q``, ``K^T``, ``√d_k``."""

from __future__ import annotations

from functools import lru_cache

from pages.figures.canvas import FRONT, Canvas
from pages.figures.measure import text_width

_SMALL = 0.68
# Typical (Helvetica) widths in em. A subscript must sit close to its letter, where the generous
# estimate of `measure` would leave a gap.
_EM = {" ": 0.28, "√": 0.55, "′": 0.22, "″": 0.38} | dict.fromkeys("÷×=+", 0.58)
_EM |= dict.fromkeys("ACKR", 0.72) | dict.fromkeys("QO", 0.78) | dict.fromkeys("SVXTEP", 0.667)
_EM |= (
    dict.fromkeys("ftr()", 0.34)
    | dict.fromkeys("dkoaesnx", 0.57)
    | {"M": 0.84, "W": 0.945, "m": 0.88}
)
# How far the small text moves, as a share of the font size; down is positive.
_SHIFT = {"": 0.0, "_": 0.24, "^": -0.34}


@lru_cache(maxsize=256)
def runs(symbol: str) -> tuple[tuple[str, str], ...]:
    """Split a symbol into (place, text): ``_`` lowers and ``^`` raises the character after it.

    ``"Q K^T"`` becomes ``(("", "Q K"), ("^", "T"))``.
    """
    found: list[tuple[str, str]] = []
    place = ""
    for character in symbol:
        if character in "_^":
            place = character
            continue
        if found and found[-1][0] == place == "":
            found[-1] = ("", found[-1][1] + character)
        else:
            found.append((place, character))
        place = ""
    return tuple(found)


def plain(symbol: str) -> str:
    """Return a symbol as one line of ordinary text (``W_Q``, ``Kᵀ``), for tooltips and tables."""
    return symbol.replace("^T", "ᵀ")


def _advance(text: str, size: float, bold: bool) -> float:
    known = (_EM[c] * size if c in _EM else text_width(c, size, bold) for c in text)
    return sum(known)


def _font(place: str, size: float, smallest: float) -> float:
    return max(size * _SMALL, min(size, smallest)) if place else size


def symbol_width(symbol: str, size: float, bold: bool = True, smallest: float = 12) -> float:
    """Return the width of a symbol in pixels; no part of it is smaller than ``smallest``."""
    return sum(_advance(text, _font(place, size, smallest), bold) for place, text in runs(symbol))


def draw_symbol(
    canvas: Canvas,
    x: float,
    y: float,
    symbol: str,
    size: float,
    colour: str,
    *,
    bold: bool = True,
    align: str = "left",
) -> float:
    """Draw a symbol centred on ``y`` and return where it ends."""
    if align == "center" and len(runs(symbol)) == 1:
        canvas.text(x, y, symbol.strip(), size, colour, bold=bold, level=FRONT)
        return x
    if align == "center":
        x -= symbol_width(symbol, size, bold, canvas.smallest) / 2
    for place, text in runs(symbol):
        font = _font(place, size, canvas.smallest)
        # SVG drops a leading space, so it is stepped over instead.
        shown = text.lstrip()
        start = x + _advance(text[: len(text) - len(shown)], font, bold)
        canvas.text(
            start,
            y + _SHIFT[place] * size,
            shown.rstrip(),
            font,
            colour,
            bold=bold,
            align="left",
            level=FRONT,
        )
        x += _advance(text, font, bold)
    return x

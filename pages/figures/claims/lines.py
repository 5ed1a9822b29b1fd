"""Lines of a table: they begin at one edge, with symbols in them, as wide as they really are."""

from __future__ import annotations

from functools import lru_cache

from pages.figures.canvas import Canvas
from pages.figures.measure import balance_text
from pages.figures.typeset import WIDER, line_width
from pages.text.binding import bound
from pages.text.claims.tuples import tied


@lru_cache(maxsize=2048)
def wrapped(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines no wider than a room, as few and as equal as can be."""
    text = tied(bound(text))
    return [text] if line_width(text, size) * WIDER <= room else balance_text(text, size, room)


def draw_line(
    canvas: Canvas, left: float, middle: float, text: str, size: float, colour: str
) -> None:
    """Write one line from its left edge, centred on ``middle``, its symbols with real indices."""
    canvas.text(left, middle, text, size, colour, align="left", symbols=True)

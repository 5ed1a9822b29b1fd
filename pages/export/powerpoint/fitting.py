"""Text that fits its place: the largest font in which it does."""

from __future__ import annotations

from collections.abc import Sequence

from pages.figures.measure import widest_word, wrap_text
from pages.figures.slide import Room

LINE = 1.22  # line height in em: Arial and Microsoft YaHei as PowerPoint sets them, with some room
TITLE_SIZES = (36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8)
CAPTION_SIZES = (20, 19, 18, 17, 16, 15, 14, 13, 12)
COLUMN_SIZES = (24, 22, *CAPTION_SIZES)


def fitting_size(text: str, sizes: Sequence[int], room: Room, bold: bool = False) -> int:
    """Return the first of ``sizes`` in which ``text`` fits, in pixels; else the last.

    Parameters
    ----------
    text : str
        Of one paragraph or more.
    sizes : sequence of int
        The best one first.
    room : tuple
        Left, top, width, height in pixels.
    bold : bool
        Whether the text is bold.
    """
    _, _, width, height = room
    for size in sizes:
        lines = [
            line for part in text.split("\n") for line in wrap_text(part, size, width, bold) or [""]
        ]
        whole = widest_word(text, size, bold) <= width
        if whole and len(lines) * size * LINE <= height:
            return size
    return sizes[-1]

"""Text that fits its place: the largest font in which it does, and at the very end an ellipsis.

The rule is that of the drawn sheet, whose smallest text has 18 pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

from pages.figures.measure import ELLIPSIS, widest_word, wrap_text
from pages.figures.slide import SHEETS, SMALLEST, Room

LINE = 1.22  # line height in em: Arial and Microsoft YaHei as PowerPoint sets them, with some room
CAPTION_SIZES = (20, 19, SMALLEST)
COLUMN_SIZES = (24, 22, *CAPTION_SIZES)
_TITLE_SIZES = SHEETS["slide"].titles

# A text as it is shown, and its font size in pixels.
Fitted = tuple[str, int]


def fitted_title(title: str, width: float) -> Fitted:
    """Return a title as the drawn sheet has it: in the largest font that takes few enough lines."""
    for size, most in _TITLE_SIZES:
        if widest_word(title, size, bold=True) <= width and _fits(title, size, width, most, True):
            return title, size
    size, most = _TITLE_SIZES[-1]
    return _shortened(title, size, width, most, bold=True), size


def fitted(text: str, sizes: Sequence[int], room: Room) -> Fitted:
    """Return ``text`` in the first of ``sizes`` in which it fits, else shortened in the last.

    Parameters
    ----------
    text : str
        Of one paragraph or more.
    sizes : sequence of int
        In pixels, the best one first.
    room : tuple
        Left, top, width, height in pixels.
    """
    _, _, width, height = room
    for size in sizes:
        most = int(height / (size * LINE))
        if widest_word(text, size) <= width and _fits(text, size, width, most, False):
            return text, size
    most = max(1, int(height / (sizes[-1] * LINE)))
    return _shortened(text, sizes[-1], width, most, bold=False), sizes[-1]


def _fits(text: str, size: int, width: float, most: int, bold: bool) -> bool:
    return sum(len(wrap_text(p, size, width, bold)) or 1 for p in text.split("\n")) <= most


def _shortened(text: str, size: int, width: float, most: int, *, bold: bool) -> str:
    """Return as much of the text as so many lines hold, an ellipsis at its end."""
    if _fits(text, size, width, most, bold):
        return text
    least, long = 0, len(text)  # the first fits, the second does not
    while long - least > 1:
        middle = (least + long) // 2
        if _fits(text[:middle].rstrip() + ELLIPSIS, size, width, most, bold):
            least = middle
        else:
            long = middle
    return text[:least].rstrip() + ELLIPSIS

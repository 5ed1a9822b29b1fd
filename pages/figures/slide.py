"""The frame of a slide: title above, caption below, the rest for the picture."""

from __future__ import annotations

from pages.figures.canvas import Canvas
from pages.figures.measure import fit_text, wrap_text

SLIDE_WIDTH, SLIDE_HEIGHT, SLIDE_SMALLEST = 1280, 720, 18
MARGIN = 56
_TITLE, _TITLE_Y = 36, 62
_CAPTION, _CAPTION_LINE = 20, 30
_TOP = 104


def _caption_lines(note: str) -> list[str]:
    return wrap_text(note, _CAPTION, SLIDE_WIDTH - 2 * MARGIN)[:4]


def body(note: str) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the room between title and caption."""
    bottom = SLIDE_HEIGHT - 40 - len(_caption_lines(note)) * _CAPTION_LINE
    return MARGIN, _TOP, SLIDE_WIDTH - 2 * MARGIN, bottom - 14 - _TOP


def draw_frame(canvas: Canvas, title: str, note: str, role: str) -> None:
    """Write title and caption; a bar in the role's colour stands before the title."""
    colours = canvas.colours
    canvas.rect(MARGIN, _TITLE_Y - 20, 8, 40, fill=colours.roles[role], radius=2)
    shown = fit_text(title, _TITLE, SLIDE_WIDTH - 2 * MARGIN - 24, bold=True)
    canvas.text(MARGIN + 24, _TITLE_Y, shown, _TITLE, colours.text, bold=True, align="left")
    lines = _caption_lines(note)
    first = SLIDE_HEIGHT - 40 - (len(lines) - 0.5) * _CAPTION_LINE
    for index, line in enumerate(lines):
        y = first + index * _CAPTION_LINE
        canvas.text(MARGIN, y, line, _CAPTION, colours.muted, align="left")

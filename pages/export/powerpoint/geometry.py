"""Where things lie on a slide of 1280 x 720 pixels, as on the drawn sheet."""

from __future__ import annotations

from pages.figures.slide import SHEETS, Room

EMU = 9525  # English metric units, in which Office counts, in a pixel of 1/96 inch
POINT = 12700  # and in a point
POINTS_PER_PIXEL = EMU / POINT

WIDTH, HEIGHT = SHEETS["slide"].width, SHEETS["slide"].height
MARGIN = SHEETS["slide"].margin
INSIDE = WIDTH - 2 * MARGIN
INDENT = 24  # of the title, behind the bar
BAR: Room = (MARGIN, 38, 8, SHEETS["slide"].bar)
TITLE: Room = (MARGIN + INDENT, 20, INSIDE - INDENT, 80)
TOP = 104  # of the picture
FOOT = 688  # below lie date, footer and slide number
CAPTION_GAP = 10
COLUMN_GAP = 40
# What a new slide begins with.
FIGURE: Room = (MARGIN, TOP, INSIDE, 500)
CAPTION: Room = (MARGIN, TOP + 510, INSIDE, FOOT - TOP - 510)
BESIDE: Room = (MARGIN, TOP, SHEETS["half"].inside, FOOT - TOP)


def column_beside(width: float) -> Room:
    """Return the column to the right of a picture of this width."""
    left = MARGIN + width + COLUMN_GAP
    return left, TOP, WIDTH - MARGIN - left, FOOT - TOP


def emu(pixels: float) -> int:
    """Return a length in English metric units."""
    return round(pixels * EMU)

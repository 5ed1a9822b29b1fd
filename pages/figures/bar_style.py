"""How the bars of one series look, so that they are told apart without their colour too."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.board import hatching
from pages.figures.canvas import CELLS, HATCH, Canvas
from pages.figures.palette import Theme, mix

OUTLINE = 1.5  # pixels


@dataclass(frozen=True)
class BarLook:
    """How the bars of one series are filled: plain, pale with an outline, or hatched."""

    fill: str
    outline: str
    hatch: str


def bar_look(index: int, colour: str, colours: Theme) -> BarLook:
    """Return the look of the bars of the series at ``index``."""
    pale = mix(colours.background, colour, 0.22)
    looks = (
        BarLook(colour, "transparent", ""),
        BarLook(pale, colour, ""),
        BarLook(colour, "transparent", colours.background),
        BarLook(pale, colour, colour),
    )
    return looks[index % len(looks)]


def draw_bar(
    canvas: Canvas, place: tuple[float, float, float, float], look: BarLook, tip: str
) -> None:
    """Draw one bar, from its left, top, width and height; with ``tip`` the pointer says it."""
    x, y, width, height = place
    if tip:
        canvas.cell(place, look.fill, tip, None)
    else:
        canvas.rect(x, y, width, height, fill=look.fill, level=CELLS)
    if look.hatch and width >= 6 and height >= 6:
        canvas.path(hatching(place, 7), stroke=look.hatch, stroke_width=1.5, level=HATCH)
    if look.outline != "transparent" and height > 0:
        half = min(OUTLINE / 2, width / 2, height / 2)
        canvas.rect(
            x + half, y + half, width - 2 * half, height - 2 * half,
            stroke=look.outline, stroke_width=OUTLINE, level=HATCH,
        )  # fmt: skip

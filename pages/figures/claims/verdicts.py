"""How a verdict is drawn: its colour, and a sign that tells it apart without the colour.

A verdict is no role of attention, so it takes none of their hues' meanings: green, amber and red
are those of the badges on the pages, dark or light enough to be read as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.experiments.claims.finding import Verdict
from pages.figures.canvas import TEXT, Canvas
from pages.figures.figure import Style
from pages.figures.palette import mix
from pages.figures.typeset import line_width
from pages.text import Translator
from pages.text.claims.model import VERDICT_WORDS

COLOURS = {
    "light": {
        "green": "#1B6E38",
        "orange": "#8A5200",
        "red": "#B3261E",
        "gray": "#586374",
    },
    "dark": {
        "green": "#74D495",
        "orange": "#F2B765",
        "red": "#FF8F86",
        "gray": "#A3ADBB",
    },
}
# Signs in a square of 16 pixels around the origin, drawn as lines, like the icons of the pages.
SIGNS: dict[Verdict, str] = {
    "confirmed": "M-6,0L-2,5L6,-5",
    "quantified": "M-7.5,-3.5h15v7h-15ZM-3.5,-3.5v3.5M0,-3.5v3.5M3.5,-3.5v3.5",
    "reconciled": "M1.5,0C1.5,6,-7.5,6,-7.5,0C-7.5,-6,1.5,-6,1.5,0"
    "M7.5,0C7.5,6,-1.5,6,-1.5,0C-1.5,-6,7.5,-6,7.5,0",
    "qualified": "M0,-7.5v14M-4,6.5h8M-5,-5h10M-5,-5L-8,1.5h6ZM5,-5L2,1.5h6Z",
    "misprint": "M-8,2L-4.5,-7L-1,2M-6.8,-1h4.6M-2,4L1,7L8,-1",
    "slip": "M-6.5,6.5L-5.5,2.5L3,-6L6,-3L-2.5,5.5ZM0.5,-3.5L3.5,-0.5",
    "as_stated": "M-8,-4h7M2,-4.5L4,-2L8,-7M-8,4h7M2.5,1.5L7.5,6.5M2.5,6.5L7.5,1.5",
    "wrong": "M-5.5,-5.5L5.5,5.5M-5.5,5.5L5.5,-5.5",
    "open": "M-5.5,-7h11M-5.5,7h11M-4,-7C-4,-2,4,2,4,7M4,-7C4,-2,-4,2,-4,7",
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SIDE = 16.0  # pixels of a sign as it stands above
_FAINT = 0.13


@dataclass(frozen=True)
class Badge:
    """A verdict as it is drawn.

    Attributes
    ----------
    word, colour, fill, sign : str
        Its word, the colour of word and sign, that of the ground, and the path of the sign.
    """

    word: str
    colour: str
    fill: str
    sign: str

    def width(self, font: float) -> float:
        """Return its width in pixels at a font size."""
        return line_width(self.word, font, bold=True) + font * 2.5

    def draw(self, canvas: Canvas, left: float, middle: float, font: float) -> None:
        """Draw it from its left edge, centred on ``middle``."""
        height = font * 1.45
        canvas.rect(left, middle - height / 2, self.width(font), height, fill=self.fill,
                    radius=height / 4)  # fmt: skip
        path = scaled(self.sign, font / _SIDE * 0.92)
        canvas.path(path, x=left + font * 0.98, y=middle, stroke=self.colour,
                    stroke_width=max(1.5, font / 9), level=TEXT)  # fmt: skip
        canvas.text(left + font * 1.75, middle, self.word, font, self.colour, bold=True,
                    align="left")  # fmt: skip


def badge(verdict: Verdict, style: Style, t: Translator) -> Badge:
    """Return a verdict as it is drawn in a style."""
    words = VERDICT_WORDS[verdict]
    colour = COLOURS[style.theme][words.colour]
    fill = mix(style.colours.background, colour, _FAINT)
    return Badge(t(words.word), colour, fill, SIGNS[verdict])


def scaled(path: str, factor: float) -> str:
    """Return a path ``factor`` times as large."""
    return _NUMBER.sub(lambda found: f"{float(found.group()) * factor:.2f}", path)

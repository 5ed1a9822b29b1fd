"""How a verdict is drawn: its colour, and a sign that tells it apart without the colour.

A verdict is no role of attention, so it takes none of their hues' meanings: green, blue, amber and
red are those of the badges on the pages, dark or light enough to be read as text.
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
        "blue": "#2358A8",
        "orange": "#8A5200",
        "red": "#B3261E",
        "gray": "#586374",
    },
    "dark": {
        "green": "#74D495",
        "blue": "#93B7FF",
        "orange": "#F2B765",
        "red": "#FF8F86",
        "gray": "#A3ADBB",
    },
}
# Signs in a square of 16 pixels around the origin, drawn as lines.
SIGNS: dict[Verdict, str] = {
    "confirmed": "M-6,0L-2,5L6,-5",
    "quantified": "M-7,-5v10M7,-5v10M-7,0h14",
    "reconciled": "M-7,-5C0,-5,0,0,7,0M-7,5C0,5,0,0,7,0",
    "qualified": "M0,-7v9M-4.5,-2.5h9M-4.5,6h9",
    "misprint": "M-7,-5h14M-5,6L0,-1L5,6",
    "slip": "M-6,6L-5,2L3,-6L6,-3L-2,5Z",
    "as_stated": "M-5,-7L5,3M-5,3L5,-7M-6,7h12",
    "wrong": "M-5.5,-5.5L5.5,5.5M-5.5,5.5L5.5,-5.5",
    "open": "M-5,-6h10L-5,6h10Z",
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

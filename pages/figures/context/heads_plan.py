"""Where the small matrices of all heads stand, how coarse they are, and their scale of colours."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pages.figures.annotate import words_width
from pages.figures.context.look import Look
from pages.figures.context.thumbnails import Thumbnails, thumbnails
from pages.figures.context.token_matrix import limit_of
from pages.figures.figure import Style
from pages.figures.levels import LAST_OF_FEWER, colours_of
from pages.figures.measure import text_width
from pages.figures.panel import sizes_of
from pages.figures.scale_bar import ScaleBar
from pages.figures.slide import Room
from pages.text import translator

_STRONGEST = 0.04  # share of the cells that need not be told apart
_GAP, _LEAST_GAP = 0.1, 3.0  # free between two matrices: of the place of one, and in pixels
_WHOLE = 0.75  # of its room: the least that a matrix takes for the sake of cells of whole pixels
_WIDEST = 140.0  # pixels of one matrix
_PICTURE = 1400  # pixels across of the picture of all of them, at the most


@dataclass(frozen=True)
class HeadsPlan:
    """The layout of all heads.

    Parameters
    ----------
    left, top, side, pitch : float
        Of the first matrix, of each one, and from one to the next, in pixels.
    block : int
        Cells along the side of a pixel.
    step, gap : int
        Pixels of the picture along the side of a cell, and between two matrices.
    found : Thumbnails
    limit : float
        The weight with the strongest colour.
    bar : ScaleBar
    """

    left: float
    top: float
    side: float
    pitch: float
    block: int
    step: int
    gap: int
    found: Thumbnails
    limit: float
    bar: ScaleBar


class Planner:
    """Plans all heads of a study for any room; matrices of one coarseness are made once."""

    def __init__(self, look: Look, style: Style) -> None:
        self.look, self.style, self.t = look, style, translator(style.language)
        self.sizes = sizes_of(style)
        self._made: dict[int, Thumbnails] = {}

    def plan(self, room: Room) -> HeadsPlan:
        """Return the layout in a room."""
        study = self.look.study
        left, above = self._gutter(), self.sizes.title * 1.5 + self.sizes.tick * 1.6
        # The widest scale there can be, since the limit is not known yet.
        bar_room = self._bar(0.005).width(self.style) + self.sizes.gap * 2
        width, height = room[2] - left - bar_room, room[3] - above - self.sizes.tick * 0.3
        place = min(width / study.heads, height / study.layers, _WIDEST)
        block, cell = self._cell(place - max(_LEAST_GAP, place * _GAP))
        count = math.ceil(len(self.look.places) / block)
        free = min(place - count * cell, 1.5 * max(_LEAST_GAP, place * _GAP))
        step = max(1, int(_PICTURE / study.heads / (count + free / cell)))
        gap = max(1, round(free / cell * step))
        pitch = (count * step + gap) * cell / step
        across, down = study.heads * pitch - free, study.layers * pitch - free
        x = room[0] + (room[2] - left - across - bar_room) / 2 + left
        y = room[1] + above + max(0.0, height - down) * 0.4
        found = self._thumbnails(block)
        limit = limit_of(found.values, found.hidden, _STRONGEST)
        return HeadsPlan(round(x), round(y), count * cell, pitch, block, step, gap, found, limit,
                         self._bar(limit))  # fmt: skip

    def _gutter(self) -> float:
        """Return what the numbers of the layers take, and their title."""
        title = words_width(self.t("layer") + " ↓", self.sizes.title)
        return max(text_width("00", self.sizes.tick), title) + self.sizes.tick * 0.6

    def _cell(self, room: float) -> tuple[int, float]:
        """Return how many cells share a pixel, and the side of one that is drawn.

        A cell is at least one pixel, so that no program that opens the file can skip one, and whole
        pixels where that leaves the matrix large enough.
        """
        size = len(self.look.places)
        block = max(1, math.ceil(size / max(room, 1.0)))
        count = math.ceil(size / block)
        part = 1 if self.style.size == "screen" else 2  # a sheet has several pixels to one of these
        whole = math.floor(room / count * part) / part
        return block, whole if whole * count >= _WHOLE * room else room / count

    def _thumbnails(self, block: int) -> Thumbnails:
        if block not in self._made:
            self._made[block] = thumbnails(self.look, block)
        return self._made[block]

    def _bar(self, limit: float) -> ScaleBar:
        colours = colours_of("weights", self.style, LAST_OF_FEWER)
        return ScaleBar("weights", limit, colours, LAST_OF_FEWER, self.t("weight"))

"""Where the small matrices of all heads stand, how coarse they are, and their scale of colours."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pages.figures.annotate import words_width
from pages.figures.context.heads_layout import APART, HeadsLayout, in_groups, is_better
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
    apart : (int, int)
        Such pixels between two groups, beside and below each other.
    layout : HeadsLayout
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
    apart: tuple[int, int]
    layout: HeadsLayout
    found: Thumbnails
    limit: float
    bar: ScaleBar

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the picture of all matrices."""
        layout = self.layout
        across, down = self.spot(layout.groups - 1, layout.bands - 1,
                                 layout.columns - 1, layout.rows - 1)  # fmt: skip
        return across + self.dots, down + self.dots

    @property
    def dots(self) -> int:
        """Pixels of the picture along the side of one matrix."""
        return int(self.found.values.shape[-1]) * self.step

    def spot(self, group: int, band: int, column: int, row: int) -> tuple[int, int]:
        """Return the pixels before a matrix, as `HeadsLayout.at` says where it stands."""
        one, layout = self.dots + self.gap, self.layout
        across = group * (layout.columns * one - self.gap + self.apart[0]) + column * one
        return across, band * (layout.rows * one - self.gap + self.apart[1]) + row * one

    def corner(self, layer: int, head: int) -> tuple[float, float]:
        """Return the upper left corner of the matrix of a head."""
        x, y = self.spot(*self.layout.at(layer, head))
        return self.left + x * self.side / self.dots, self.top + y * self.side / self.dots

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of all matrices."""
        width, height = self.pixels
        return width * self.side / self.dots, height * self.side / self.dots


class Planner:
    """Plans all heads of a study for any room; matrices of one coarseness are made once."""

    def __init__(self, look: Look, style: Style) -> None:
        self.look, self.style, self.t = look, style, translator(style.language)
        self.sizes = sizes_of(style)
        self._made: dict[int, Thumbnails] = {}

    def plan(self, room: Room) -> HeadsPlan:
        """Return the layout in a room."""
        # The widest scale there can be, since the limit is not known yet.
        bar_room = self._bar(0.005).width(self.style) + self.sizes.gap * 2
        layout, place, left, above = self._layout(room[2] - bar_room, room[3])
        block, cell = self._cell(place - max(_LEAST_GAP, place * _GAP))
        count = math.ceil(len(self.look.places) / block)
        free = min(place - count * cell, 1.5 * max(_LEAST_GAP, place * _GAP))
        step = max(1, int(_PICTURE / layout.across / (count + free / cell)))
        gap = max(1, round(free / cell * step))
        apart = gap, gap
        if layout.grouped:
            apart = round(place * APART / cell * step), math.floor(self._title / cell * step)
        pitch = (count * step + gap) * cell / step
        found = self._thumbnails(block)
        limit = limit_of(found.values, found.hidden, _STRONGEST)
        plan = HeadsPlan(0.0, 0.0, count * cell, pitch, block, step, gap, apart, layout, found,
                         limit, self._bar(limit))  # fmt: skip
        across, down = plan.size
        x = room[0] + (room[2] - left - across - bar_room) / 2 + left
        y = room[1] + above + max(0.0, room[3] - above - self._foot - down) * 0.4
        return replace(plan, left=round(x), top=round(y))

    @property
    def _title(self) -> float:
        """Return what the title of a group takes."""
        return self.sizes.tick * 1.9

    @property
    def _foot(self) -> float:
        """Return what is free below."""
        return self.sizes.tick * 0.3

    def _layout(self, width: float, height: float) -> tuple[HeadsLayout, float, float, float]:
        """Return layout, side of a place, and what is written to the left and above.

        A row a layer; on a narrow sheet the layers as groups where that leaves matrices larger.
        """
        study = self.look.study
        left, above = self._gutter(), self.sizes.title * 1.5 + self.sizes.tick * 1.6
        flat = HeadsLayout(study.layers, study.heads, 1, study.heads)
        place = min((width - left) / study.heads,
                    (height - above - self._foot) / study.layers, _WIDEST)  # fmt: skip
        if self.style.size in ("half", "square"):
            room = width, height - self._foot, self._title
            groups = in_groups(study.layers, study.heads, *room)
            larger = min(groups.place(*room), _WIDEST)
            if groups.grouped and is_better(larger, place):
                return groups, larger, 0.0, self._title
        return flat, place, left, above

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

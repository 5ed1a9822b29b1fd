"""Where two matrices with the sums of their rows and columns stand, and how large cells are."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.figure import SizeName, Style
from pages.figures.matrix_axes import LONGEST_LABEL, names_rows
from pages.figures.measure import text_width
from pages.figures.panel import sizes_of
from pages.figures.slide import Room

# Pixels: the longest bar of a sum, and the largest cell.
_BARS: dict[SizeName, float] = {"screen": 56, "slide": 90, "half": 36, "square": 44}
_CELLS: dict[SizeName, float] = {"screen": 64, "slide": 92, "half": 84, "square": 84}
_WIDEST, _TALLEST = 1.9, 1.15  # width of a cell by its height, and height by width, at most


@dataclass(frozen=True)
class Needs:
    """What stands around the cells: names, the numbers of sums.

    Attributes
    ----------
    T : int
    names, positions : float
        The widest name of a row, and the widest position, in pixels.
    title : float
        What the rows are, above their names.
    number : float
        The widest number of a sum.
    """

    T: int
    names: float
    positions: float
    title: float
    number: float


@dataclass(frozen=True)
class Layout:
    """Both matrices: left, top, width and height of their cells; how long a bar may be.

    ``gutter`` is what the names of the rows take.
    """

    cells: tuple[Room, Room]
    bar: float
    gutter: float
    stacked: bool


class _Way:
    """Both matrices beside each other, or one below the other."""

    def __init__(self, needs: Needs, style: Style, room: Room, *, stacked: bool) -> None:
        self.needs, self.room, self.stacked = needs, room, stacked
        self.sizes, self.style = sizes_of(style), style
        self.bar = _BARS[style.size]
        self.names = max(min(needs.names, self.sizes.tick * LONGEST_LABEL), needs.title)
        self.across, self.down = self._cell()
        if not names_rows(self.down, self.sizes.tick):
            self.names = max(needs.positions, needs.title)
            self.across, self.down = self._cell()

    @property
    def gutter(self) -> float:
        """What the names of the rows take, or their positions."""
        return self.names + self.sizes.tick * 0.6

    @property
    def head(self) -> float:
        """What stands above the cells: the title, what the columns are, their names."""
        sizes = self.sizes
        return sizes.label * 1.7 + sizes.title * 1.5 + sizes.tick * 1.6

    @property
    def beside(self) -> float:
        """What the sums of the rows take to the right of the cells."""
        return self.sizes.gap + self.bar + self.needs.number + self.sizes.tick * 0.4

    @property
    def below(self) -> float:
        """What the sums of the columns take below the cells."""
        return self.sizes.gap * 0.75 + self.bar * 0.7 + self.sizes.tick * 1.3

    @property
    def between(self) -> float:
        """What stays free between both matrices."""
        return self.sizes.gap * 2

    def _cell(self) -> tuple[float, float]:
        _, _, width, height = self.room
        across, down = (1, 2) if self.stacked else (2, 1)
        wide = (width - (across - 1) * self.between) / across - self.gutter - self.beside
        high = (height - (down - 1) * self.between) / down - self.head - self.below
        most = _CELLS[self.style.size]
        one, other = (min(max(side, 1.0) / self.needs.T, most) for side in (wide, high))
        return min(one, other * _WIDEST), min(other, one * _TALLEST)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of one matrix with everything around it."""
        side = self.needs.T
        width = self.gutter + self.across * side + self.beside
        return width, self.head + self.down * side + self.below

    def layout(self) -> Layout:
        """Return where the cells stand, in the middle of the room."""
        left, top, width, height = self.room
        one = self.size
        total = (one[0], 2 * one[1] + self.between) if self.stacked else (
            2 * one[0] + self.between, one[1])  # fmt: skip
        x = left + (width - total[0]) / 2 + self.gutter
        y = top + max(0.0, height - total[1]) * 0.4 + self.head
        step = (0.0, one[1] + self.between) if self.stacked else (one[0] + self.between, 0.0)
        cells = (self.across * self.needs.T, self.down * self.needs.T)
        places = ((x, y, *cells), (x + step[0], y + step[1], *cells))
        return Layout(places, self.bar, self.gutter, self.stacked)


def lay_out(needs: Needs, style: Style, room: Room) -> Layout:
    """Return the layout with the larger cells."""
    ways = [_Way(needs, style, room, stacked=stacked) for stacked in (False, True)]
    beside, stacked = (min(way.across, way.down) for way in ways)
    return ways[1 if stacked > beside else 0].layout()


def screen_height(needs: Needs, style: Style, width: float, most: float) -> float:
    """Return how high a figure on screen is: no higher than its cells need."""
    return min(most, _Way(needs, style, (0.0, 0.0, width, most), stacked=False).size[1])


def widest(texts: tuple[str, ...], size: float) -> float:
    """Return the width of the widest text."""
    return max(text_width(text, size) for text in texts)

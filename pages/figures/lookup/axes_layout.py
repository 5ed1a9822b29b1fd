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
_WIDEST_STACKED = 2.3  # there is little height, and numbers need some width
_NARROW: tuple[SizeName, ...] = ("half", "square")  # sheets that may hold one above the other


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
    heading : float
        The widest word of a title, which stands to the left of cells one above the other.
    cell : tuple of float
        Width and height of a cell that holds its number.
    """

    T: int
    names: float
    positions: float
    title: float
    number: float
    heading: float
    cell: tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Both matrices: left, top, width and height of their cells; how long a bar may be.

    ``gutter`` is what the names of the rows take, ``heading`` what titles take to the left of them
    where one matrix stands below the other, else 0.
    """

    cells: tuple[Room, Room]
    bar: float
    gutter: float
    heading: float

    @property
    def stacked(self) -> bool:
        """Whether one matrix stands below the other."""
        return self.heading > 0


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
    def heads(self) -> tuple[float, float]:
        """What stands above the cells of each: the title, what the columns are, their names.

        Below another matrix only the names are said again; titles stand beside the cells.
        """
        sizes = self.sizes
        names = sizes.tick * 1.6
        if self.stacked:
            return sizes.title * 1.5 + names, names
        return (sizes.label * 1.7 + sizes.title * 1.5 + names,) * 2

    @property
    def heading(self) -> float:
        """What the titles take to the left of the names."""
        return self.needs.heading + self.sizes.gap if self.stacked else 0.0

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
        return self.sizes.gap * (1.2 if self.stacked else 2)

    def _cell(self) -> tuple[float, float]:
        _, _, width, height = self.room
        most = _CELLS[self.style.size]
        wide = width - self.gutter - self.beside - self.heading
        high = height - self.heads[0] - self.below
        if self.stacked:
            high = (high - self.between - self.heads[1] - self.below) / 2
        else:
            wide -= (width + self.between) / 2
        one, other = (min(max(side, 1.0) / self.needs.T, most) for side in (wide, high))
        widest = _WIDEST_STACKED if self.stacked else _WIDEST
        return min(one, other * widest), min(other, one * _TALLEST)

    @property
    def holds_numbers(self) -> bool:
        """Whether cells hold their numbers."""
        return self.across >= self.needs.cell[0] and self.down >= self.needs.cell[1]

    @property
    def width(self) -> float:
        """Width of one matrix with everything around it."""
        return self.heading + self.gutter + self.across * self.needs.T + self.beside

    @property
    def height(self) -> float:
        """Height of the first matrix with everything around it."""
        return self.heads[0] + self.down * self.needs.T + self.below

    def layout(self) -> Layout:
        """Return where the cells stand, in the middle of the room."""
        left, top, width, height = self.room
        cells = (self.across * self.needs.T, self.down * self.needs.T)
        if self.stacked:
            step = (0.0, cells[1] + self.below + self.between + self.heads[1])
        else:
            step = (self.width + self.between, 0.0)
        x = left + (width - self.width - step[0]) / 2 + self.heading + self.gutter
        y = top + max(0.0, height - self.height - step[1]) * 0.4 + self.heads[0]
        places = ((x, y, *cells), (x + step[0], y + step[1], *cells))
        return Layout(places, self.bar, self.gutter, self.heading)


def lay_out(needs: Needs, style: Style, room: Room) -> Layout:
    """Return the layout that holds the numbers, and has the larger cells."""
    ways = [_Way(needs, style, room, stacked=False)]
    if style.size in _NARROW:
        ways.append(_Way(needs, style, room, stacked=True))
    return max(ways, key=_merit).layout()


def _merit(way: _Way) -> tuple[bool, float]:
    return way.holds_numbers, min(way.across, way.down)


def screen_height(needs: Needs, style: Style, width: float, most: float) -> float:
    """Return how high a figure on screen is: no higher than its cells need."""
    return min(most, _Way(needs, style, (0.0, 0.0, width, most), stacked=False).height)


def widest(texts: tuple[str, ...], size: float) -> float:
    """Return the width of the widest text."""
    return max(text_width(text, size) for text in texts)

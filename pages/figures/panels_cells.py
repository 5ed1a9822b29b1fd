"""What stands around the cells of an arrangement of panels, and how large that leaves them.

Cells have one size in all panels, and are square unless numbers need wider ones or a long matrix
would become a sliver.
"""

from __future__ import annotations

from collections.abc import Iterator

from pages.figures.figure import Style
from pages.figures.measure import text_width, widest_word
from pages.figures.panel import sizes_of
from pages.figures.panels_needs import Needs, Way
from pages.figures.slide import Room

LINE = 1.3  # of the font, from one line of a title to the next
_WIDEST_CELL = {"screen": 80.0, "slide": 110.0, "half": 90.0, "square": 90.0}
_SLIVER = 6.0  # pixels: larger cells stay square, however long their matrix is
_FLATTEST, _MOST_STRETCH = 0.75, 2.0
# Of the room: what titles beside their panels take, and up to how much so as to break no word.
_BESIDE, _MOST_BESIDE = 0.24, 0.4


class Arrangement:
    """One arrangement, with the cells that fit into it.

    Titles above the panels have one line, or two in the rows of panels named in ``tall``.
    """

    def __init__(
        self, needs: Needs, style: Style, room: Room, way: Way, top: float | None,
        tall: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self.needs, self.style, self.room, self.way, self.top = needs, style, room, way, top
        self.tall = tall
        self.sizes = sizes_of(style)
        self.titled = any(needs.titles)
        self.across, self.down = self._cells()

    @property
    def has_room_above(self) -> bool:
        """Whether titles and names have room above cells whose place is given."""
        return self.top is None or self.head(0) <= self.top - self.room[1]

    def panels(self) -> Iterator[tuple[int, int, int]]:
        """Yield the number of each panel with its row and column."""
        for index in range(len(self.needs.shapes)):
            yield index, index // self.way.columns, index % self.way.columns

    @property
    def gap(self) -> tuple[float, float]:
        """What stays free between two panels, across and down."""
        return self.sizes.gap * 2.5 + self.needs.brackets, self.sizes.gap * 1.5

    @property
    def spare_place(self) -> bool:
        """Whether the scales stand in the place that no panel takes."""
        return self.way.rows * self.way.columns > len(self.needs.shapes)

    @property
    def foot(self) -> float:
        """What stands below the panels."""
        return self.sizes.gap + self.needs.legend if self.needs.legend else self.sizes.tick * 0.5

    @property
    def bar_room(self) -> float:
        """What the scales take to the right of the panels."""
        if not self.needs.bars or self.spare_place:
            return self.needs.brackets
        return max(self.needs.bars) + self.sizes.gap * 2 + self.needs.brackets

    def title_height(self, row: int) -> float:
        """Return what the titles take above a row of panels."""
        if not self.titled or self.way.beside:
            return 0.0
        return self.sizes.label * (1.7 + (self.lines(row) - 1) * LINE)

    def lines(self, row: int) -> int:
        """Return how many lines the titles above a row of panels may have."""
        return 2 if row in self.tall else 1

    @property
    def title_room(self) -> float:
        """The width of the titles that stand to the left of their panels."""
        if not (self.titled and self.way.beside):
            return 0.0
        size, titles = self.sizes.label, self.needs.titles
        whole = max(text_width(title, size, True) for title in titles)
        word = max(widest_word(title, size, True) for title in titles)
        return min(whole, max(self.room[2] * _BESIDE, min(word, self.room[2] * _MOST_BESIDE)))

    @property
    def title_width(self) -> float:
        """What the titles take to the left of their panels, with a gap."""
        return self.title_room + self.sizes.gap * 1.5 if self.title_room else 0.0

    def named_columns(self, row: int) -> bool:
        """Return whether the columns of a row of panels are named above it."""
        return row == 0 or not self.needs.same_columns

    def head(self, row: int) -> float:
        """Return what stands above the cells of a row of panels."""
        sizes = self.sizes
        side = sizes.title * 1.5 + sizes.tick * 1.6
        if not self.named_columns(row):
            side = sizes.tick * 0.4 if self.title_height(row) else 0.0
        return self.title_height(row) + side

    def most(self, axis: int) -> list[int]:
        """Return the most cells of each column of panels (axis 1) or row of them (axis 0)."""
        count = self.way.columns if axis else self.way.rows
        most = [0] * count
        for index, row, column in self.panels():
            line = column if axis else row
            most[line] = max(most[line], self.needs.shapes[index][axis])
        return most

    def gutter(self, column: int) -> float:
        """Return what the names of the rows take in a column of panels."""
        return max(self.needs.gutters[i] for i, _, place in self.panels() if place == column)

    def _cells(self) -> tuple[float, float]:
        """Return the width and the height of a cell."""
        way = self.way
        gutters = sum(self.gutter(column) for column in range(way.columns))
        width = self.room[2] - self.title_width - gutters - self.bar_room
        width -= (way.columns - 1) * self.gap[0]
        heads = sum(self.head(row) for row in range(way.rows))
        if self.top is not None:
            heads += self.top - self.room[1] - self.head(0)
        height = self.room[3] - heads - (way.rows - 1) * self.gap[1] - self.foot
        most = (max(width, 1.0) / sum(self.most(1)), max(height, 1.0) / sum(self.most(0)))
        side = min(*most, _WIDEST_CELL[self.style.size])
        return self._stretched(side, *most)

    def _stretched(self, side: float, across: float, down: float) -> tuple[float, float]:
        """Return a cell of at least ``side``: wider for numbers, longer against slivers."""
        rows, columns = max(self.most(0)), max(self.most(1))
        number, height = self.needs.number
        if side < number <= min(across, side * _MOST_STRETCH) and height <= side:
            return number, side
        # Two positions have room along any side.
        least = self.sizes.tick * 1.6
        wide, tall = (max(side, least * min(count, 2) / count) for count in (columns, rows))
        if side < _SLIVER:
            tall = max(tall, side * columns * _FLATTEST / rows)
            wide = max(wide, side * rows * _FLATTEST / columns)
        return max(side, min(across, wide)), max(side, min(down, tall))

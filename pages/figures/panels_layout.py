"""Where up to three matrices, their titles, their scales and a legend stand.

Cells have one size in all panels, and are square unless numbers need wider ones or a long matrix
would become a sliver. Panels stand in a row or, on narrow sheets, in whichever way leaves the
largest cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from pages.figures.figure import Style
from pages.figures.measure import balance_text, fit_text, text_width, wrap_text
from pages.figures.panel import sizes_of
from pages.figures.slide import Room

_WIDEST_CELL = {"screen": 80.0, "slide": 110.0, "half": 90.0, "square": 90.0}
_SLIVER = 6.0  # pixels: larger cells stay square, however long their matrix is
_FLATTEST, _MOST_STRETCH = 0.75, 2.0
LINE = 1.3  # of the font, from one line of a title to the next
_BESIDE_LINES = 5  # of a title that stands beside its panel


@dataclass(frozen=True)
class Needs:
    """What the panels need, whatever the arrangement.

    Parameters
    ----------
    shapes : tuple of (int, int)
        Rows and columns of each panel.
    gutters : tuple of float
        Pixels that the names of the rows take, left of the cells.
    titles : tuple of str
        Above each panel; empty strings take no room.
    brackets : float
        Pixels right of the cells.
    bars : tuple of float
        Pixels that each scale of colours takes across, with its numbers.
    number : tuple of float
        Pixels across and down that the widest number needs; zeros where there are none.
    legend : float
        Pixels that the legend takes below the panels.
    same_columns : bool
        Whether a column means the same in every panel.
    """

    shapes: tuple[tuple[int, int], ...]
    gutters: tuple[float, ...]
    titles: tuple[str, ...]
    brackets: float
    bars: tuple[float, ...]
    number: tuple[float, float]
    legend: float
    same_columns: bool


@dataclass(frozen=True)
class Heading:
    """The lines of a title with the place of the first: left, and the middle of the line.

    ``cut`` says whether some of the title is left out.
    """

    lines: tuple[str, ...]
    left: float
    middle: float
    cut: bool


@dataclass(frozen=True)
class Place:
    """One panel: its cells as left, top, width and height; whether its columns are named."""

    cells: Room
    heading: Heading
    columns: bool


@dataclass(frozen=True)
class Layout:
    """Where everything stands; ``bars`` are left, top and bottom of each scale."""

    places: tuple[Place, ...]
    across: float
    down: float
    bars: tuple[tuple[float, float, float], ...]
    legend: tuple[float, float]
    bottom: float


@dataclass(frozen=True)
class _Way:
    """Panels in rows and columns; titles above them, or ``beside`` a single column of them."""

    rows: int
    columns: int
    beside: bool = False


def _ways(style: Style, count: int) -> tuple[_Way, ...]:
    row, stack = _Way(1, count), _Way(count, 1)
    if count == 1 or style.size in ("screen", "slide"):
        return (row,)
    stacks = (stack, replace(stack, beside=True))
    if count == 2:
        return stacks if style.size == "half" else (row, *stacks)
    return (_Way(2, 2), *stacks, row)


def lay_out(needs: Needs, style: Style, room: Room, top: float | None = None) -> Layout:
    """Return the arrangement that holds the numbers, cuts no title and has the largest cells.

    Parameters
    ----------
    needs : Needs
    style : Style
    room : tuple
        Left, top, width and height of what there is.
    top : float, optional
        Where the cells must begin; None puts them where they look best.
    """
    tries: list[_Try] = []
    for way in _ways(style, len(needs.shapes)):
        tries.append(_Try(needs, style, room, way, top))
        if cut := tries[-1].rows_cut():
            taller = _Try(needs, style, room, way, top, cut)
            # Where the cells must begin at a given height, there may be no room for more lines.
            if top is None or taller.head(0) <= top - room[1]:
                tries.append(taller)
    return max(tries, key=_Try.merit).layout()


class _Try:
    """One arrangement, with the cells that fit into it.

    Titles above the panels have one line, or two in the rows of panels named in ``tall``.
    """

    def __init__(
        self, needs: Needs, style: Style, room: Room, way: _Way, top: float | None,
        tall: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self.needs, self.style, self.room, self.way, self.top = needs, style, room, way, top
        self.tall = tall
        self.sizes = sizes_of(style)
        self.titled = any(needs.titles)
        self.across, self.down = self._cells()

    def merit(self) -> tuple[bool, bool, float]:
        """Return what makes one arrangement better than another."""
        across, down = self.needs.number
        holds = 0 < across <= self.across and down <= self.down
        return holds, not self.rows_cut(), round(min(self.across, self.down), 2)

    def has_room_above(self) -> bool:
        """Return whether titles and names have room above cells whose place is given."""
        return self.top is None or self.head(0) <= self.top - self.room[1]

    def _panels(self) -> Iterator[tuple[int, int, int]]:
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
    def title_width(self) -> float:
        """What the titles take to the left of their panels."""
        if not (self.titled and self.way.beside):
            return 0.0
        widest = max(text_width(title, self.sizes.label, True) for title in self.needs.titles)
        return min(widest, self.room[2] * 0.24) + self.sizes.gap * 1.5

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

    def _most(self, axis: int) -> list[int]:
        """Return the most cells of each column of panels (axis 1) or row of them (axis 0)."""
        count = self.way.columns if axis else self.way.rows
        most = [0] * count
        for index, row, column in self._panels():
            line = column if axis else row
            most[line] = max(most[line], self.needs.shapes[index][axis])
        return most

    def gutter(self, column: int) -> float:
        """Return what the names of the rows take in a column of panels."""
        return max(self.needs.gutters[i] for i, _, place in self._panels() if place == column)

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
        most = (max(width, 1.0) / sum(self._most(1)), max(height, 1.0) / sum(self._most(0)))
        side = min(*most, _WIDEST_CELL[self.style.size])
        return self._stretched(side, *most)

    def _stretched(self, side: float, across: float, down: float) -> tuple[float, float]:
        """Return a cell of at least ``side``: wider for numbers, longer against slivers."""
        rows, columns = max(self._most(0)), max(self._most(1))
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

    def rows_cut(self) -> frozenset[int]:
        """Return the rows of panels above which a title is cut short."""
        places = self.layout().places
        return frozenset(
            row for index, row, _ in self._panels()
            if self.needs.titles[index] and places[index].heading.cut
        )  # fmt: skip

    def layout(self) -> Layout:
        """Return the places of everything."""
        lefts, right = self._lefts()
        tops, bottom = self._tops()
        shift = self._shift(right), self._drop(tops, bottom)
        places = tuple(
            self._place(index, row, column, lefts, tops, right, shift)
            for index, row, column in self._panels()
        )
        bars = self._bars(places, lefts, right, shift[0])
        ends = [place.cells[1] + place.cells[3] for place in places] + [bar[2] for bar in bars]
        first = min(place.cells[0] for place in places)
        legend = (first, max(ends) + self.sizes.gap)
        return Layout(places, self.across, self.down, bars, legend, max(ends) + self.foot)

    def _lefts(self) -> tuple[list[float], float]:
        """Return where the cells of each column of panels begin, and where the last end."""
        lefts, x, widths = [], self.title_width, self._widths()
        for column, width in enumerate(widths):
            x += self.gutter(column)
            lefts.append(x)
            x += width + (self.gap[0] if column + 1 < len(widths) else 0.0)
        return lefts, x

    def _widths(self) -> list[float]:
        """Return the width of each column of panels; titles widen narrow ones where they can."""
        widths = [count * self.across for count in self._most(1)]
        if not self.titled or self.way.beside:
            return widths
        wanted = []
        for column, width in enumerate(widths):
            titles = [self.needs.titles[i] for i, _, place in self._panels() if place == column]
            needed = max(text_width(title, self.sizes.label, True) for title in titles)
            wanted.append(max(0.0, needed + self.sizes.gap - width - self._after(column)))
        used = sum(widths) + sum(self.gutter(column) for column in range(len(widths)))
        spare = self.room[2] - used - (len(widths) - 1) * self.gap[0] - self.bar_room
        share = min(1.0, max(spare, 0.0) / sum(wanted)) if any(wanted) else 0.0
        return [width + share * more for width, more in zip(widths, wanted, strict=True)]

    def _after(self, column: int) -> float:
        """Return the room after the cells of a column of panels that its titles may use too."""
        if column + 1 < self.way.columns:
            return self.gap[0] + self.gutter(column + 1) - self.sizes.gap
        return self.bar_room

    def _tops(self) -> tuple[list[float], float]:
        """Return where the cells of each row of panels begin, and where the last end."""
        tops, y = [], 0.0
        for row, count in enumerate(self._most(0)):
            y += self.head(row)
            tops.append(y)
            y += count * self.down + (self.gap[1] if row + 1 < self.way.rows else 0.0)
        return tops, y

    def _shift(self, right: float) -> float:
        return self.room[0] + max(0.0, self.room[2] - right - self.bar_room) / 2

    def _drop(self, tops: list[float], bottom: float) -> float:
        """Return how far everything moves down."""
        if self.top is not None:
            return self.top - tops[0]
        if self.style.size == "screen":
            return self.room[1]
        # Spare height goes below rather than above: the title and its picture belong together.
        spare = self.room[3] - bottom - self.foot
        return self.room[1] + max(0.0, spare) * 0.4

    def _place(
        self, index: int, row: int, column: int, lefts: list[float], tops: list[float],
        right: float, shift: tuple[float, float],
    ) -> Place:  # fmt: skip
        rows, columns = self.needs.shapes[index]
        left, top = lefts[column] + shift[0], tops[row] + shift[1]
        cells = (left, top, columns * self.across, rows * self.down)
        end = right + (self.bar_room if row == 0 else 0.0)  # further down there is a scale
        if column + 1 < self.way.columns:
            end = lefts[column + 1] - self.sizes.gap
        heading = self._heading(index, row, cells, end + shift[0])
        return Place(cells, heading, self.named_columns(row))

    def _heading(self, index: int, row: int, cells: Room, end: float) -> Heading:
        title, size = self.needs.titles[index], self.sizes.label
        if not self.way.beside:
            middle = cells[1] - self.head(row) + size * 0.6
            lines = _at_most(title, self.lines(row), size, end - cells[0])
            middle += (self.lines(row) - len(lines)) * size * LINE
            return Heading(lines, cells[0], middle, _is_cut(title, lines))
        room = self.title_width - self.sizes.gap * 1.5
        # A title ends above that of the next panel.
        fitting = int((cells[3] + self.gap[1] - size * 0.4) / (size * LINE))
        lines = _at_most(title, max(1, min(_BESIDE_LINES, fitting)), size, room)
        left = cells[0] - self.gutter(0) - self.title_width
        return Heading(lines, left, cells[1] + size * 0.6, _is_cut(title, lines))

    def _bars(
        self, places: tuple[Place, ...], lefts: list[float], right: float, shift: float
    ) -> tuple[tuple[float, float, float], ...]:
        """Return the places of the scales: one below the other, or in the place of a panel."""
        if not self.needs.bars:
            return ()
        first, last = places[0].cells, places[-1].cells
        top, bottom = first[1], max(place.cells[1] + place.cells[3] for place in places)
        left = max(place.cells[0] + place.cells[2] for place in places)
        if self.way.rows > 1:
            left = right + shift  # the titles of lower panels stand before it
        left += self.needs.brackets + self.sizes.gap * 2
        if self.spare_place:
            return self._bars_in_a_row(lefts[-1] + shift, last[1], bottom - last[1])
        between, count = self.sizes.tick * 2.6, len(self.needs.bars)
        length = (bottom - top - between * (count - 1)) / count
        most = (self.room[1] + self.room[3] - self.foot - top - between * (count - 1)) / count
        length = min(max(length, self.sizes.tick * 5), most)
        starts = [top + index * (length + between) for index in range(count)]
        return tuple((left, start, start + length) for start in starts)

    def _bars_in_a_row(
        self, left: float, top: float, length: float
    ) -> tuple[tuple[float, float, float], ...]:
        widths = [0.0, *accumulate(width + self.sizes.gap * 2 for width in self.needs.bars[:-1])]
        most = self.room[1] + self.room[3] - self.foot - top
        bottom = top + min(max(length, self.sizes.tick * 5), most)
        return tuple((left + width, top, bottom) for width in widths)


def _at_most(title: str, count: int, size: float, room: float) -> tuple[str, ...]:
    """Return a title in at most so many lines, the last cut short where more would follow."""
    if count == 1:
        return (fit_text(title, size, room, True),)
    lines = wrap_text(title, size, room, True)
    if len(lines) <= count:
        return tuple(balance_text(title, size, room, True))
    rest = " ".join(lines[count - 1 :])
    return (*lines[: count - 1], fit_text(rest, size, room, True))


def _is_cut(title: str, lines: tuple[str, ...]) -> bool:
    return "".join(lines).replace(" ", "") != title.replace(" ", "")

"""Places the parts of one arrangement of panels: titles, cells, scales and the legend."""

from __future__ import annotations

from itertools import accumulate

from pages.figures.measure import balance_text, fit_text, text_width, widest_word, wrap_text
from pages.figures.panels_cells import LINE, Arrangement
from pages.figures.panels_needs import Heading, Layout, Place
from pages.figures.slide import Room

_BESIDE_LINES = 5  # of a title that stands beside its panel


def placed(arrangement: Arrangement) -> Layout:
    """Return the places of everything."""
    return _Placing(arrangement).layout()


class _Placing:
    """Finds the places of one arrangement."""

    def __init__(self, form: Arrangement) -> None:
        self.form = form

    def layout(self) -> Layout:
        """Return the places of everything."""
        lefts, right = self._lefts()
        tops, bottom = self._tops()
        shift = self._shift(right), self._drop(tops, bottom)
        places = tuple(
            self._place(index, row, column, lefts, tops, right, shift)
            for index, row, column in self.form.panels()
        )
        bars = self._bars(places, lefts, right, shift[0])
        ends = [place.cells[1] + place.cells[3] for place in places] + [bar[2] for bar in bars]
        first = min(place.cells[0] for place in places)
        legend = (first, max(ends) + self.form.sizes.gap)
        return Layout(
            places, self.form.across, self.form.down, bars, legend, max(ends) + self.form.foot
        )

    def _lefts(self) -> tuple[list[float], float]:
        """Return where the cells of each column of panels begin, and where the last end."""
        lefts, x, widths = [], self.form.title_width, self._widths()
        for column, width in enumerate(widths):
            x += self.form.gutter(column)
            lefts.append(x)
            x += width + (self.form.gap[0] if column + 1 < len(widths) else 0.0)
        return lefts, x

    def _widths(self) -> list[float]:
        """Return the width of each column of panels; titles widen narrow ones where they can."""
        widths = [count * self.form.across for count in self.form.most(1)]
        if not self.form.titled or self.form.way.beside:
            return widths
        wanted = []
        for column, width in enumerate(widths):
            titles = [
                self.form.needs.titles[i] for i, _, place in self.form.panels() if place == column
            ]
            needed = max(text_width(title, self.form.sizes.label, True) for title in titles)
            wanted.append(max(0.0, needed + self.form.sizes.gap - width - self._after(column)))
        used = sum(widths) + sum(self.form.gutter(column) for column in range(len(widths)))
        spare = self.form.room[2] - used - (len(widths) - 1) * self.form.gap[0] - self.form.bar_room
        share = min(1.0, max(spare, 0.0) / sum(wanted)) if any(wanted) else 0.0
        return [width + share * more for width, more in zip(widths, wanted, strict=True)]

    def _after(self, column: int) -> float:
        """Return the room after the cells of a column of panels that its titles may use too."""
        if column + 1 < self.form.way.columns:
            return self.form.gap[0] + self.form.gutter(column + 1) - self.form.sizes.gap
        return self.form.bar_room

    def _tops(self) -> tuple[list[float], float]:
        """Return where the cells of each row of panels begin, and where the last end."""
        tops, y = [], 0.0
        for row, count in enumerate(self.form.most(0)):
            y += self.form.head(row)
            tops.append(y)
            y += count * self.form.down + (
                self.form.gap[1] if row + 1 < self.form.way.rows else 0.0
            )
        return tops, y

    def _shift(self, right: float) -> float:
        return self.form.room[0] + max(0.0, self.form.room[2] - right - self.form.bar_room) / 2

    def _drop(self, tops: list[float], bottom: float) -> float:
        """Return how far everything moves down."""
        if self.form.top is not None:
            return self.form.top - tops[0]
        if self.form.style.size == "screen":
            return self.form.room[1]
        # Spare height goes below rather than above: the title and its picture belong together.
        spare = self.form.room[3] - bottom - self.form.foot
        return self.form.room[1] + max(0.0, spare) * 0.4

    def _place(
        self, index: int, row: int, column: int, lefts: list[float], tops: list[float],
        right: float, shift: tuple[float, float],
    ) -> Place:  # fmt: skip
        rows, columns = self.form.needs.shapes[index]
        left, top = lefts[column] + shift[0], tops[row] + shift[1]
        cells = (left, top, columns * self.form.across, rows * self.form.down)
        end = right + (self.form.bar_room if row == 0 else 0.0)  # further down there is a scale
        if column + 1 < self.form.way.columns:
            end = lefts[column + 1] - self.form.sizes.gap
        heading = self._heading(index, row, cells, end + shift[0])
        return Place(cells, heading, self.form.named_columns(row))

    def _heading(self, index: int, row: int, cells: Room, end: float) -> Heading:
        title, size = self.form.needs.titles[index], self.form.sizes.label
        if not self.form.way.beside:
            middle = cells[1] - self.form.head(row) + size * 0.6
            room = end - cells[0]
            lines = _at_most(title, self.form.lines(row), size, room)
            middle += (self.form.lines(row) - len(lines)) * size * LINE
            return Heading(lines, cells[0], middle, _is_cut(title, lines, size, room))
        room = self.form.title_room
        # A title ends above that of the next panel.
        fitting = int((cells[3] + self.form.gap[1] - size * 0.4) / (size * LINE))
        lines = _at_most(title, max(1, min(_BESIDE_LINES, fitting)), size, room)
        left = cells[0] - self.form.gutter(0) - self.form.title_width
        return Heading(lines, left, cells[1] + size * 0.6, _is_cut(title, lines, size, room))

    def _bars(
        self, places: tuple[Place, ...], lefts: list[float], right: float, shift: float
    ) -> tuple[tuple[float, float, float], ...]:
        """Return the places of the scales: one below the other, or in the place of a panel."""
        if not self.form.needs.bars:
            return ()
        first, last = places[0].cells, places[-1].cells
        top, bottom = first[1], max(place.cells[1] + place.cells[3] for place in places)
        left = max(place.cells[0] + place.cells[2] for place in places)
        if self.form.way.rows > 1:
            left = right + shift  # the titles of lower panels stand before it
        left += self.form.needs.brackets + self.form.sizes.gap * 2
        if self.form.spare_place:
            return self._bars_in_a_row(lefts[-1] + shift, last[1], bottom - last[1])
        between, count = self.form.sizes.tick * 2.6, len(self.form.needs.bars)
        length = (bottom - top - between * (count - 1)) / count
        most = (
            self.form.room[1] + self.form.room[3] - self.form.foot - top - between * (count - 1)
        ) / count
        length = min(max(length, self.form.sizes.tick * 5), most)
        starts = [top + index * (length + between) for index in range(count)]
        return tuple((left, start, start + length) for start in starts)

    def _bars_in_a_row(
        self, left: float, top: float, length: float
    ) -> tuple[tuple[float, float, float], ...]:
        widths = [
            0.0,
            *accumulate(width + self.form.sizes.gap * 2 for width in self.form.needs.bars[:-1]),
        ]
        most = self.form.room[1] + self.form.room[3] - self.form.foot - top
        bottom = top + min(max(length, self.form.sizes.tick * 5), most)
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


def _is_cut(title: str, lines: tuple[str, ...], size: float, room: float) -> bool:
    """Return whether some of a title is left out, or a word of it is broken."""
    kept = "".join(lines).replace(" ", "") == title.replace(" ", "")
    return not kept or widest_word(title, size, True) > room

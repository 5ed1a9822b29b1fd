"""A matrix with tokens along its sides: where its cells stand, and how its sides are written.

Names of columns are written upright where they are wider than their cells; where even that leaves
no room, some positions stand in their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pages.figures.annotate import words_width
from pages.figures.canvas import Canvas
from pages.figures.figure import Style
from pages.figures.matrix import Grid
from pages.figures.matrix_axes import LONGEST_LABEL, draw_tick, positions
from pages.figures.measure import fit_text, text_width
from pages.figures.panel import sizes_of
from pages.figures.slide import Room

_NAMED = 1.15  # of the font: the least side of a cell that has a name
_TICK = 3.0  # pixels
_SPLIT = 0.45  # of the height of a cell: what sets rows apart
_LARGEST = {"screen": 80.0, "slide": 110.0, "half": 90.0, "square": 90.0}  # side of a cell

Manner = Literal["flat", "upright", "numbers"]


@dataclass(frozen=True)
class Side:
    """The rows or the columns of a matrix.

    Parameters
    ----------
    title : str
        What they are.
    names : tuple of str
    places : tuple of int
        The position of each, from 1; they rise.
    chosen : int or None
        The one that is emphasised, from 0.
    last : str
        What is written at the last one where no names stand; empty for its position.
    """

    title: str
    names: tuple[str, ...]
    places: tuple[int, ...]
    chosen: int | None = None
    last: str = ""

    def shown(self, size: float) -> list[str]:
        """Return the names, cut where they are too long."""
        return [fit_text(name, size, size * LONGEST_LABEL) for name in self.names]

    def widest(self, size: float) -> float:
        """Return the width of the widest name, cut or not."""
        return max(text_width(name, size) for name in self.shown(size))


@dataclass(frozen=True)
class TokenGrid:
    """Where the cells stand: ``split`` rows, and below them the others, set apart.

    Parameters
    ----------
    grid : Grid
        Of the first rows.
    rows, columns : {"flat", "upright", "numbers"}
        How the sides are written.
    split : int
        How many rows stand above; all of them where none is set apart.
    """

    grid: Grid
    rows: Manner
    columns: Manner
    split: int

    def top(self, row: int) -> float:
        """Return the upper edge of a row."""
        apart = self.grid.down * _SPLIT if row >= self.split else 0.0
        return self.grid.top + row * self.grid.down + apart

    def part(self, first: int, last: int) -> Grid:
        """Return the grid of the rows from ``first`` up to ``last``."""
        grid = self.grid
        height = (last - first) * grid.down
        return Grid(grid.left, self.top(first), grid.width, height, grid.across, grid.down)


def grid_in(
    room: Room, style: Style, rows: Side, columns: Side, *, split: int, stretch: float, bar: float
) -> TokenGrid:
    """Return the grid in a room.

    Parameters
    ----------
    room : tuple
        Left, top, width and height.
    split : int
        As of a `TokenGrid`.
    stretch : float
        How much wider than high a cell may be.
    bar : float
        What the scale of colours takes to the right.
    """
    size = sizes_of(style).tick
    for names in ((True, True), (True, False), (False, False)):
        grid = _sized(room, style, rows, columns, names, split, stretch, bar)
        flat = _are_flat(columns, grid.grid.across, size)
        rows_fit = not names[0] or grid.grid.down >= size * _NAMED
        if rows_fit and (not names[1] or flat or grid.grid.across >= size * _NAMED):
            break
    return grid


def _are_flat(columns: Side, across: float, size: float) -> bool:
    return all(text_width(name, size) <= across - size * 0.3 for name in columns.names)


def _sized(
    room: Room, style: Style, rows: Side, columns: Side, names: tuple[bool, bool], split: int,
    stretch: float, bar: float,
) -> TokenGrid:  # fmt: skip
    """Return the grid with names, or positions, of the rows and of the columns."""
    size, title = sizes_of(style).tick, sizes_of(style).title
    count, across_count = len(rows.names), len(columns.names)
    numbers = max(text_width(text, size) for text in (str(rows.places[-1]), rows.last))
    shown = rows.widest(size) if names[0] else numbers
    left = max(shown, words_width(rows.title + " ↓", title)) + size * 0.6
    apart = _SPLIT if split < count else 0.0
    width = room[2] - left - bar
    manner: Manner = "numbers"
    label = float(size)
    if names[1]:
        manner, label = "upright", columns.widest(size)
        guess = (room[3] - title * 1.4 - size * 1.6) / (count + apart)
        if _are_flat(columns, min(width / across_count, guess * stretch), size):
            manner, label = "flat", size
    above = title * 1.4 + label + size * 0.7
    height = room[3] - above - size * 0.3
    down = min(height / (count + apart), width / across_count, _LARGEST[style.size])
    # What is long in one direction does not become a sliver.
    across = min(width / across_count, max(down, min(down * stretch, _LARGEST[style.size])))
    down = min(height / (count + apart), max(down, across / 1.5))
    used = left + across * across_count + bar
    x = room[0] + (room[2] - used) / 2 + left
    y = room[1] + above + max(0.0, height - down * (count + apart)) * 0.35
    grid = Grid(x, y, across * across_count, down * split, across, down)
    return TokenGrid(grid, "flat" if names[0] else "numbers", manner, split)


class Sides:
    """Writes the two sides of a grid."""

    def __init__(self, canvas: Canvas, style: Style, grid: TokenGrid) -> None:
        self.canvas, self.style, self.plan = canvas, style, grid
        self.sizes, self.grid = sizes_of(style), grid.grid

    def rows(self, side: Side) -> None:
        """Write names or positions of the rows, and their title."""
        size, grid = self.sizes.tick, self.grid
        x = grid.left - size * 0.6
        for row, label in self._ticks(side, self.plan.rows, grid.down, size * 1.6):
            y = self.plan.top(row) + grid.down / 2
            chosen = row == side.chosen
            draw_tick(self.canvas, self.style, grid.left - _TICK, y, across=True)
            self.canvas.text(x, y, label, size, self._ink(chosen), bold=chosen, align="right")
        title, y = f"{side.title} ↓", grid.top - size * 0.9
        self.canvas.text(x, y, title, self.sizes.title, self.style.colours.muted, align="right")

    def columns(self, side: Side) -> None:
        """Write names or positions of the columns, and their title."""
        size, grid, upright = self.sizes.tick, self.grid, self.plan.columns == "upright"
        room = text_width(str(side.places[-1]), size) + size * 0.8
        label_height = side.widest(size) if upright else size
        for column, label in self._ticks(side, self.plan.columns, grid.across, room):
            x = grid.left + (column + 0.5) * grid.across
            chosen = column == side.chosen
            draw_tick(self.canvas, self.style, x, grid.top - _TICK, across=False)
            if self.plan.columns == "numbers":  # a number at the right edge stays inside
                x = min(x, grid.left + grid.width - text_width(label, size) / 2)
            y = grid.top - size * (0.5 if upright else 0.85)
            self.canvas.text(x, y, label, size, self._ink(chosen), bold=chosen,
                             align="left" if upright else "center", upright=upright)  # fmt: skip
        y = grid.top - size * 0.7 - label_height - self.sizes.title * 0.6
        colour = self.style.colours.muted
        title = f"{side.title} →"
        self.canvas.text(grid.left, y, title, self.sizes.title, colour, align="left")

    def _ink(self, chosen: bool) -> str:
        return self.style.colours.text if chosen else self.style.colours.muted

    def _ticks(self, side: Side, manner: Manner, step: float, room: float) -> list[tuple[int, str]]:
        """Return (index from 0, what is written there)."""
        if manner != "numbers":
            return list(enumerate(side.shown(self.sizes.tick)))
        last = side.places[-1]
        found = {place: index for index, place in enumerate(side.places)}
        wanted = [place + 1 for place, _ in positions(last, step * last, room)]
        ticks = [(found[place], str(place)) for place in wanted if place in found]
        kept = [] if side.chosen is None else [(side.chosen, str(side.places[side.chosen]))]
        if side.last:
            kept.append((len(side.places) - 1, side.last))
        free = [tick for tick in ticks if all(abs(tick[0] - at) * step >= room for at, _ in kept)]
        return sorted([*free, *kept])

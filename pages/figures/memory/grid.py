"""A table as a picture: headings, and rows of texts, fitted to the room there is."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.annotate import draw_words, words_width
from pages.figures.canvas import Canvas
from pages.figures.figure import Style
from pages.figures.measure import balance_text, widest_word
from pages.figures.palette import mix
from pages.figures.panel import SCREEN_PADDING, Screen, Words, open_plot, smallest_of
from pages.figures.slide import Room

SCREEN_FONT = 13
WIDE_HEIGHT = 380.0  # pixels: as high as the other figures of memory
_LINE = 1.2  # fonts between two lines of a heading
_PADDING = 0.9  # fonts beside a text, both sides together
_MOST_REST = 3.0  # fonts that a column has beyond what it needs
_TALLEST = {"screen": 36.0, "slide": 62.0, "half": 56.0, "square": 56.0}
_TINT = 0.12  # of a column's colour behind its cells
_STRONG = 0.3  # of it in the row that is looked at


@dataclass(frozen=True)
class Column:
    """One column: its heading, its colour or none, and whether its texts begin at its left."""

    heading: str
    colour: str = ""
    left: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; ``chosen`` are the rows that stand out, from 0."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()


def draw_grid(grid: Grid, style: Style, words: Words, screen: Screen) -> Canvas:
    """Draw a table in the middle of its room, and return the canvas."""
    canvas, room = open_plot(style, words, screen)
    _Drawing(canvas, grid, style, room).draw()
    return canvas


def screen_of(grid: Grid, width: float) -> Screen:
    """Return a screen of a width that is no higher than a table and its headings."""
    row, heading = _TALLEST["screen"], 3 * _LINE * SCREEN_FONT
    height = row * len(grid.rows) + heading + 2 * SCREEN_PADDING
    return Screen(width, min(WIDE_HEIGHT, height))


class _Drawing:
    """Draws one table."""

    def __init__(self, canvas: Canvas, grid: Grid, style: Style, room: Room) -> None:
        self.canvas, self.grid, self.style = canvas, grid, style
        self.left, self.top, self.width, self.height = room
        self.font = {"screen": SCREEN_FONT, "slide": 20}.get(style.size, 18)
        self.small = round(smallest_of(style))
        self.widths = self._widths()
        self.headings = [
            balance_text(column.heading, self.small, width - self.small * 0.5, bool(column.colour))
            for column, width in zip(grid.columns, self.widths, strict=True)
        ]
        lines = max(map(len, self.headings))
        self.head = (lines * _LINE + 0.6) * self.small
        self.row = min(_TALLEST[style.size], (self.height - self.head) / len(grid.rows))

    def _widths(self) -> list[float]:
        """Return the widths of the columns: what their texts need, and shares of the rest."""
        needs = [self._need(place) for place in range(len(self.grid.columns))]
        # Columns that are a little too wide give some of their padding.
        rest = (self.width - sum(needs)) / len(needs)
        most = rest if self.style.size == "screen" else self.font * _MOST_REST
        return [need + min(rest, most) for need in needs]

    def _need(self, place: int) -> float:
        texts = [
            words_width(row[place], self.font, index in self.grid.chosen, self.canvas.smallest)
            for index, row in enumerate(self.grid.rows)
        ]
        column = self.grid.columns[place]
        heading = widest_word(column.heading, self.small, bold=bool(column.colour))
        return max(*texts, heading) + self.font * _PADDING

    def draw(self) -> None:
        """Draw headings and rows."""
        x = self.left + (self.width - sum(self.widths)) / 2
        top = self.top + (self.height - self.head - self.row * len(self.grid.rows)) / 2
        for place, width in enumerate(self.widths):
            self._heading(place, x, top, width)
            for index in range(len(self.grid.rows)):
                self._cell(index, place, x, top + self.head + index * self.row, width)
            x += width

    def _heading(self, place: int, left: float, top: float, width: float) -> None:
        column, lines = self.grid.columns[place], self.headings[place]
        colour = column.colour or self.style.colours.muted
        last = top + self.head - self.small * 0.9
        x = left + self.font * _PADDING / 2 if column.left else left + width / 2
        for number, line in enumerate(reversed(lines)):
            y = last - number * self.small * _LINE
            draw_words(self.canvas, x, y, line, self.small, colour, bold=bool(column.colour),
                       align="left" if column.left else "center")  # fmt: skip

    def _cell(self, index: int, place: int, left: float, top: float, width: float) -> None:
        column, colours = self.grid.columns[place], self.style.colours
        gap, chosen = 1.0 if self.style.size == "screen" else 1.5, index in self.grid.chosen
        fill = colours.surface
        if column.colour or chosen:
            share = _STRONG if chosen else _TINT
            fill = mix(colours.background, column.colour or colours.muted, share)
        self.canvas.rect(left + gap, top + gap, width - 2 * gap, self.row - 2 * gap, fill=fill,
                         radius=3)  # fmt: skip
        x = left + self.font * _PADDING / 2 if column.left else left + width / 2
        text, side = self.grid.rows[index][place], "left" if column.left else "center"
        draw_words(self.canvas, x, top + self.row / 2, text, self.font, colours.text, bold=chosen,
                   align=side)  # fmt: skip

"""What fits into a figure of panels: how many decimals, names or positions, and what is left out.

The cells are as large as the names of the rows allow; numbers are written with as many decimals as
fit, and left out where two do not; what was left out is said in the note.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pages.figures.annotate import words_width
from pages.figures.figure import Style
from pages.figures.levels import Role, colours_of
from pages.figures.matrix import Grid, Matrix, grid_of
from pages.figures.matrix_axes import (
    LONGEST_LABEL,
    Ticks,
    column_ticks,
    names_rows,
    positions,
    row_ticks,
)
from pages.figures.matrix_cells import block_of, font_of, holds_numbers
from pages.figures.matrix_words import beyond_limit, shared_pixels
from pages.figures.measure import text_width
from pages.figures.panel import Screen, room_of, sizes_of
from pages.figures.panel_marks import BRACKET
from pages.figures.panel_model import SortedPanel
from pages.figures.panels_layout import lay_out
from pages.figures.panels_needs import Layout, Needs
from pages.figures.scale_bar import ScaleBar
from pages.figures.slide import Room
from pages.text import Translator, translator

FEWEST_DECIMALS = 2
_WHOLE_NAME = 4  # characters: a column's name that must be cut shorter gives way to its position
FONT_SHARE = 0.5  # of the height of a cell, for a number in it
RowNames = Literal["names", "numbered", "positions"]


@dataclass(frozen=True)
class Fitted:
    """A layout with what fits into it.

    Parameters
    ----------
    layout : Layout
    note : str
        With what was left out.
    decimals : int or None
        Of the numbers in the cells; None where there are none.
    font : int
        Of these numbers; 0 where there are none.
    rows : {"names", "numbered", "positions"}
        What stands beside the rows. Names are numbered where the columns have positions only, so
        that a reader finds the name of a column.
    """

    layout: Layout
    note: str
    decimals: int | None
    font: int
    rows: RowNames


class Fitter:
    """Finds what fits.

    Parameters
    ----------
    panels : tuple of SortedPanel
    style : Style
    screen : Screen
    row_title : str
    legend : float
        Pixels that the legend takes.
    """

    def __init__(
        self, panels: tuple[SortedPanel, ...], style: Style, screen: Screen, row_title: str,
        legend: float,
    ) -> None:  # fmt: skip
        self.panels, self.style, self.screen = panels, style, screen
        self.row_title, self.legend = row_title, legend
        self.sizes, self.t = sizes_of(style), translator(style.language)

    def fit(self, note: str) -> Fitted:
        """Return the layout for a note; a longer note leaves less room, so it is tried with it."""
        note = self.t.sentences(note, beyond(self.panels, self.t))
        said = note
        while True:
            fitted = self._rows_settled(said)
            full = self.t.sentences(note, *self._left_out(fitted))
            if len(full) <= len(said):
                return replace(fitted, note=full)
            said = full

    def _rows_settled(self, note: str) -> Fitted:
        """Settle what stands beside the rows: names, where they fit."""
        fitted = self._numbers_settled(note, "names")
        if not any(each.matrix.row_labels for each in self.panels):
            return fitted
        if not self._names_rows(fitted):
            return self._numbers_settled(note, "positions")
        pairs = zip(self.panels, self.grids(fitted.layout), strict=True)
        if any(
            _counts_columns(each.matrix, self.columns(each, grid, "names")) for each, grid in pairs
        ):
            numbered = self._numbers_settled(note, "numbered")
            # Numbers take room too: where rows become too low for it, names alone stay.
            return numbered if self._names_rows(numbered) else fitted
        return fitted

    def _names_rows(self, fitted: Fitted) -> bool:
        return names_rows(fitted.layout.down, self.sizes.tick)

    def _numbers_settled(self, note: str, rows: RowNames) -> Fitted:
        """Write the numbers with as many decimals as fit."""
        room, top = self._room(note)
        for decimals in self._decimals():
            number = self._number_room(decimals)
            layout = lay_out(self._needs(rows, number), self.style, room, top)
            font = self._font(layout, decimals)
            if font or decimals is None:
                break
        return Fitted(layout, note, decimals, font, rows)

    def _room(self, note: str) -> tuple[Room, float | None]:
        """Return what there is, and where the cells must begin."""
        room = room_of(self.style, note, self.screen)
        if self.style.size != "screen" or self.screen.edges is None:
            return room, None
        top, bottom = self.screen.edges
        foot = self.sizes.gap + self.legend if self.legend else self.sizes.tick * 0.5
        return (room[0], room[1], room[2], bottom + foot - room[1]), top

    def _decimals(self) -> tuple[int | None, ...]:
        """Return the decimals to try, the most first; None is without numbers."""
        if not any(each.numbered for each in self.panels):
            return (None,)
        fewest = min(FEWEST_DECIMALS, self.style.decimals)
        return (*range(self.style.decimals, fewest - 1, -1), None)

    def _number_room(self, decimals: int | None) -> tuple[float, float]:
        """Return the least width and height of a cell that holds the widest number."""
        if decimals is None:
            return 0.0, 0.0
        size = self.sizes.tick
        widest = max(
            text_width(text, 1.0)
            for each in self.panels if each.numbered
            for row in each.texts(decimals)
            for text in row
        )  # fmt: skip
        return math.ceil(size * (widest + 0.4) + 6), size / FONT_SHARE

    def _font(self, layout: Layout, decimals: int | None) -> int:
        """Return the font of the numbers; 0 where they do not fit."""
        if decimals is None or not holds_numbers(layout.across, layout.down, self.sizes.tick):
            return 0
        numbered = [each for each in self.panels if each.numbered]
        fonts = [
            font_of(each.texts(decimals), layout.across, layout.down, self.sizes.tick, FONT_SHARE)
            for each in numbered
        ]
        return math.floor(min(fonts)) if min(fonts) >= self.sizes.tick else 0

    def _needs(self, rows: RowNames, number: tuple[float, float]) -> Needs:
        columns = {(each.matrix.shape[1], each.matrix.column_labels) for each in self.panels}
        return Needs(
            tuple(each.matrix.shape for each in self.panels),
            tuple(self.gutter(each, rows) for each in self.panels),
            tuple(each.panel.title for each in self.panels),
            BRACKET if any(each.panel.bracket for each in self.panels) else 0.0,
            tuple(bar.width(self.style) for bar in self.scales()),
            number,
            self.legend,
            len(columns) == 1,
        )

    def scales(self) -> list[ScaleBar]:
        """Return one scale for each role but that of masks."""
        t = self.t
        found: dict[Role, ScaleBar] = {}
        words = {"weights": t("weight"), "scores": t("score"), "output": t("change")}
        for each in self.panels:
            matrix = each.matrix
            if matrix.role in words and matrix.role not in found:
                colours = colours_of(matrix.role, self.style, matrix.last)
                title = each.panel.measure or words[matrix.role]
                found[matrix.role] = ScaleBar(
                    matrix.role, matrix.limit, colours, matrix.last, title, self._foot(each)
                )
        return list(found.values())

    def _foot(self, each: SortedPanel) -> float:
        """Return where the scale of scores ends below, as a share of its limit."""
        limit = each.matrix.limit
        if not each.panel.trimmed or not limit:
            return -1.0
        alike = [other.panel.values for other in self.panels if other.matrix.role == "scores"]
        return min(0.0, *(float(np.nanmin(values)) / limit for values in alike))

    def gutter(self, each: SortedPanel, rows: RowNames) -> float:
        """Return what the names or positions of the rows take."""
        size, matrix = self.sizes.tick, each.matrix
        most = each.panel.row_numbers[-1] if each.panel.row_numbers else matrix.shape[0]
        position = text_width(str(most), size)
        widest = position
        if matrix.row_labels and rows != "positions":
            names = max(text_width(name, size) for name in matrix.row_labels)
            widest = min(names, size * LONGEST_LABEL)
            widest += position + size * 0.5 if rows == "numbered" else 0.0
        title = words_width(self.row_title + " ↓", self.sizes.title)
        return max(widest, title) + size * 0.6

    def grids(self, layout: Layout) -> list[Grid]:
        """Return where the cells of each panel stand."""
        pairs = zip(self.panels, layout.places, strict=True)
        return [grid_of(each.matrix, place.cells) for each, place in pairs]

    def columns(self, each: SortedPanel, grid: Grid, rows: RowNames) -> Ticks:
        """Return what stands above the columns, which is the same kind in all panels."""
        matrix = each.matrix if rows != "numbered" else replace(each.matrix, column_labels=())
        return column_ticks(matrix, grid, self.sizes.tick, _WHOLE_NAME)

    def rows(self, each: SortedPanel, grid: Grid, rows: RowNames) -> Ticks:
        """Return what stands beside the rows, but for the numbers after their names."""
        counts = each.panel.row_numbers
        if counts:
            ticks = positions(counts[-1], grid.height, self.sizes.tick * 1.6)
            places = np.interp([place + 1 for place, _ in ticks], counts, range(len(counts)))
            texts = [text for _, text in ticks]
            return list(zip(places.tolist(), texts, strict=True))
        matrix = each.matrix if rows != "positions" else replace(each.matrix, row_labels=())
        return row_ticks(matrix, grid, self.sizes.tick)

    def _left_out(self, fitted: Fitted) -> list[str]:
        """Return what does not fit, as sentences."""
        t, said = self.t, []
        if fitted.decimals is not None and fitted.decimals < self.style.decimals:
            said.append(
                t("Numbers are drawn with fewer decimals ({decimals}) to fit.",
                  decimals=fitted.decimals)
            )  # fmt: skip
        blocks = [
            block_of(each.matrix.shape, *place.cells[2:])
            for each, place in zip(self.panels, fitted.layout.places, strict=True)
        ]
        rows, columns = (max(sizes) for sizes in zip(*blocks, strict=True))
        return [*said, shared_pixels((rows, columns), t)]


def beyond(panels: tuple[SortedPanel, ...], t: Translator) -> str:
    """Return that some cells lie beyond their scale; empty where none does."""
    for each in panels:
        matrix = each.matrix
        shown = np.nan_to_num(
            np.abs(matrix.values[~matrix.masked & (matrix.levels <= matrix.last)])
        )
        if (shown > matrix.limit).any():
            return beyond_limit(matrix.limit, t)
    return ""


def _counts_columns(matrix: Matrix, ticks: Ticks) -> bool:
    """Return whether columns that have names show their positions."""
    labels = matrix.column_labels
    return bool(labels) and [text for _, text in ticks] == [str(index + 1) for index, _ in ticks]

"""One to four matrices side by side as colours, on one scale or on their own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pages.figures.annotate import draw_words
from pages.figures.canvas import Canvas
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, Style, Table
from pages.figures.legend import Entry, Legend, Sample, place_names
from pages.figures.levels import ABSENT
from pages.figures.matrix import Grid
from pages.figures.matrix_axes import MatrixAxes
from pages.figures.matrix_cells import MatrixCells, Numbers, block_of, font_of, holds_numbers
from pages.figures.measure import text_width
from pages.figures.panel import SCREEN_PADDING, Screen, Words, inside_width, open_plot, sizes_of
from pages.figures.panel_marks import (
    draw_alert,
    draw_bracket,
    draw_hidden,
    draw_muted,
    draw_wrong,
    sample_alert,
    sample_bracket,
    sample_masked,
    sample_muted,
    sample_visible,
    sample_wrong,
)
from pages.figures.panel_model import Panel, PanelRole, SortedPanel, sort_panels
from pages.figures.panels_cells import LINE
from pages.figures.panels_fit import FONT_SHARE, Fitted, Fitter
from pages.figures.panels_needs import Place
from pages.text import Translator, translator

__all__ = ["SCREEN", "Panel", "PanelRole", "panels_figure"]

SCREEN = Screen(868.0, 400.0)
MOST_PANELS = 4


def panels_figure(
    panels: tuple[Panel, ...],
    style: Style,
    words: Words,
    *,
    row_title: str,
    column_title: str,
    table: Table,
    screen: Screen = SCREEN,
    bracket_word: str = "",
    muted_word: str = "",
) -> Figure:
    """Draw the panels; those of one role share one scale of colours.

    Parameters
    ----------
    panels : tuple of Panel
        1 to 4.
    style : Style
        Theme, language, size, decimals.
    words : Words
        The note gains a sentence for what does not fit or lies beyond the scale.
    row_title, column_title : str
        What the rows and the columns are.
    table : Table
        The numbers, for CSV.
    screen : Screen
        The most that the figure takes on screen; it is no higher than it needs to be, unless the
        screen has edges: then the cells stand between them, and the height stays.
    bracket_word : str
        What the rows in a bracket are, for the legend.
    muted_word : str
        What the muted cells are.

    Raises
    ------
    FigureError
        When there is no panel or more than 4, and as `heatmap` does.
    """
    _require_few(panels)
    found = sort_panels(panels)
    t = translator(style.language)
    said = {"bracket": bracket_word, "muted": muted_word}
    names = [name for name, _ in _legend(found, said, t)]
    legend = place_names(names, style, inside_width(style, screen))[2]
    fitter = Fitter(found, style, screen, row_title, legend)
    fitted = fitter.fit(words.note)
    words = replace(words, note=fitted.note, alt=words.alt or words.title)
    canvas, _ = open_plot(style, words, _tight(screen, fitted))
    drawing = _Drawing(canvas, style, fitter, fitted, t)
    drawing.panels(row_title, column_title)
    drawing.scales()
    drawing.legend(said, inside_width(style, screen))
    return Figure(words.name, words.title, canvas.spec(words.alt), table, words.note, words.alt)


def _require_few(panels: tuple[Panel, ...]) -> None:
    if not 1 <= len(panels) <= MOST_PANELS:
        raise FigureError(
            "A figure holds 1 to {most} matrices side by side, got {count}.",
            most=MOST_PANELS,
            count=len(panels),
        )


def _tight(screen: Screen, fitted: Fitted) -> Screen:
    """Return a screen that is no higher than what stands on it, where nothing else is asked."""
    if screen.edges is not None:
        return screen
    return replace(screen, height=math.ceil(fitted.layout.bottom + SCREEN_PADDING))


def _legend(
    panels: tuple[SortedPanel, ...], said: Mapping[str, str], t: Translator
) -> list[tuple[str, str]]:
    """Return the names of the legend, each with the kind of its sample."""
    masks = [each for each in panels if each.panel.role == "mask"]
    entries = []
    if masks:
        entries.append((t("may look"), "visible"))
    if any(each.matrix.masked.any() for each in panels):
        entries.append((t("hidden by the mask"), "masked"))
    if any(each.alert.any() for each in panels):
        entries.append((t("not 0 although hidden"), "alert"))
    if any(each.wrong.any() for each in panels):
        entries.append((t("NaN, not a number"), "wrong"))
    if any(each.panel.bracket for each in panels):
        entries.append((said["bracket"], "bracket"))
    if any(each.muted.any() for each in panels):
        entries.append((said["muted"], "muted"))
    return entries


@dataclass(frozen=True)
class _Drawing:
    """Draws panels, scales and legend."""

    canvas: Canvas
    style: Style
    fitter: Fitter
    fitted: Fitted
    t: Translator

    def panels(self, row_title: str, column_title: str) -> None:
        """Draw every panel with its title and its sides."""
        grids = self.fitter.grids(self.fitted.layout)
        places = self.fitted.layout.places
        for each, grid, place in zip(self.fitter.panels, grids, places, strict=True):
            self._title(place)
            self._sides(each, grid, place, row_title, column_title)
            self._cells(each, grid)

    def _title(self, place: Place) -> None:
        size, heading = sizes_of(self.style).label, place.heading
        for index, line in enumerate(heading.lines):
            y = heading.middle + index * size * LINE
            colour = self.style.colours.text
            draw_words(self.canvas, heading.left, y, line, size, colour, bold=True)

    def _sides(
        self, each: SortedPanel, grid: Grid, place: Place, row_title: str, column_title: str
    ) -> None:
        axes, rows = MatrixAxes(self.canvas, self.style, grid), self.fitted.rows
        ticks = self.fitter.rows(each, grid, rows)
        inset = 0.0
        if rows == "numbered":
            size = sizes_of(self.style).tick
            axes.row_labels([(row, str(row + 1)) for row, _ in ticks])
            inset = text_width(str(each.matrix.shape[0]), size) + size * 0.5
        axes.row_marks(ticks)
        axes.row_labels(ticks, inset)
        if place.columns:
            axes.column_title(column_title)
            axes.row_title(row_title)
            axes.columns(self.fitter.columns(each, grid, rows), beyond=True)

    def _cells(self, each: SortedPanel, grid: Grid) -> None:
        numbers = None
        if self.fitted.font and self.fitted.decimals is not None and each.numbered:
            numbers = Numbers(each.texts(self.fitted.decimals), self.fitted.font)
        coloured = np.where(each.muted, ABSENT, each.matrix.levels).astype(np.uint8)
        matrix = replace(each.matrix, levels=coloured)
        cells = MatrixCells(self.canvas, self.style, matrix, grid, partial(each.tip, self.t))
        cells.draw(block_of(each.matrix.shape, grid.width, grid.height), numbers)
        draw_muted(self.canvas, self.style, cells, each.muted, numbers)
        draw_hidden(self.canvas, self.style, grid, each.matrix.masked)
        draw_wrong(self.canvas, self.style, grid, each.wrong, self._wrong_font(grid))
        draw_alert(self.canvas, self.style, grid, each.alert)
        if each.panel.bracket is not None:
            draw_bracket(self.canvas, self.style, grid, *each.panel.bracket)

    def _wrong_font(self, grid: Grid) -> int:
        """Return the font of the word NaN in a cell; 0 where it does not fit."""
        size = sizes_of(self.style).tick
        if not holds_numbers(grid.across, grid.down, size):
            return 0
        font = font_of([["NaN"]], grid.across, grid.down, size, FONT_SHARE)
        return min(math.floor(font), self.fitted.font or size) if font >= size else 0

    def scales(self) -> None:
        """Draw one scale for each role."""
        for scale, place in zip(self.fitter.scales(), self.fitted.layout.bars, strict=True):
            scale.draw(self.canvas, self.style, *place)

    def legend(self, said: Mapping[str, str], width: float) -> None:
        """Draw what each mark on the cells means."""
        names = _legend(self.fitter.panels, said, self.t)
        left, top = self.fitted.layout.legend
        taken = place_names([name for name, _ in names], self.style, width)[1]
        edge = SCREEN_PADDING if self.style.size == "screen" else (self.canvas.width - width) / 2
        left = max(edge, min(left, edge + width - taken))
        entries = tuple(Entry(name, "", "bar", 0, self._sample(kind)) for name, kind in names)
        Legend(self.canvas, self.style, entries, left, top, width).draw()

    def _sample(self, kind: str) -> Sample:
        """Return what draws the sample of a kind of cell."""
        if kind == "wrong":
            grid = self.fitter.grids(self.fitted.layout)[0]
            return partial(sample_wrong, self.style, grid, self._wrong_font(grid))
        samples = {
            "visible": sample_visible,
            "masked": sample_masked,
            "alert": sample_alert,
            "bracket": sample_bracket,
            "muted": sample_muted,
        }
        return partial(samples[kind], self.style)

"""One to three matrices side by side as colours, on one scale or on their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.shapes import Array
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import Screen, Words

PanelRole = Literal["weights", "scores", "output", "mask"]
SCREEN = Screen(868.0, 400.0)


@dataclass(frozen=True)
class Panel:
    """One matrix.

    Parameters
    ----------
    title : str
        A few words above it.
    values : np.ndarray
        (rows, columns); NaN is drawn as what went wrong, with its name.
    role : {"weights", "scores", "output", "mask"}
        Weights and output take the one hue of their role from 0 up, scores two hues around 0; a
        mask shows only which cells are hidden.
    masked : np.ndarray or None
        bool, True where the mask hides a cell.
    alert : np.ndarray or None
        bool, True where a cell is outlined, because it is not 0 although the mask hides it.
    row_labels, column_labels : tuple of str
        Names; positions from 1 stand where they do not fit.
    """

    title: str
    values: Array
    role: PanelRole = "weights"
    masked: Array | None = None
    alert: Array | None = None
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()


def panels_figure(
    panels: tuple[Panel, ...],
    style: Style,
    words: Words,
    *,
    row_title: str,
    column_title: str,
    table: Table,
    screen: Screen = SCREEN,
) -> Figure:
    """Draw the panels; those of one role share one scale of colours."""
    raise NotImplementedError

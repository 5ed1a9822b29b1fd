"""What a figure of panels needs, and where everything of it stands."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.slide import Room


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
class Way:
    """Panels in rows and columns; titles above them, or ``beside`` a single column of them."""

    rows: int
    columns: int
    beside: bool = False

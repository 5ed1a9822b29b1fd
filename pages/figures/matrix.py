"""A matrix that is drawn as colours, and where its cells stand."""

from __future__ import annotations

from dataclasses import dataclass

from pages.figures.levels import ABSENT, LAST, Flags, Levels, Role, Values
from pages.figures.slide import Room


@dataclass(frozen=True)
class Matrix:
    """A matrix with its levels of colour.

    Parameters
    ----------
    values : np.ndarray, (rows, columns)
    masked : np.ndarray of bool
        True where a cell is drawn as hidden.
    levels : np.ndarray of uint8
        As `levels_of` returns them.
    limit : float
        The value with the strongest colour.
    role : {"weights", "scores", "output", "mask"}
    row_labels, column_labels : tuple of str
        Empty where there are none.
    last : int
        The last level of the ramp.
    """

    values: Values
    masked: Flags
    levels: Levels
    limit: float
    role: Role
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    last: int = LAST

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.values.shape
        return rows, columns

    @property
    def clear(self) -> int | None:
        """The level of cells that are not there, where the matrix has one."""
        return None if self.last == LAST else ABSENT


@dataclass(frozen=True)
class Grid:
    """Where the cells of a matrix stand, in pixels; ``across`` by ``down`` is one cell."""

    left: float
    top: float
    width: float
    height: float
    across: float
    down: float

    @property
    def gap(self) -> float:
        """What stays free around a cell; small ones overlap, so that no seam shows."""
        smallest = min(self.across, self.down)
        return 1.0 if smallest >= 14 else 0.5 if smallest >= 8 else -0.15

    def cell(self, row: int, column: int) -> Room:
        """Return left, top, width and height of a cell without what stays free around it."""
        gap = self.gap
        return (
            self.left + column * self.across + gap,
            self.top + row * self.down + gap,
            self.across - 2 * gap,
            self.down - 2 * gap,
        )


def grid_of(matrix: Matrix, box: Room) -> Grid:
    """Return the grid of a matrix whose cells fill a box."""
    rows, columns = matrix.shape
    return Grid(*box, across=box[2] / columns, down=box[3] / rows)

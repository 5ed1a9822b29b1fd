"""One matrix beside others: what it shows, and how its cells are sorted before they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.shapes import Array
from pages.figures.board import named
from pages.figures.levels import ABSENT, LAST_OF_FEWER, WRONG, Flags, Role, Values, levels_of
from pages.figures.matrix import Matrix
from pages.figures.matrix_cells import MOST_TIPS, Texts
from pages.figures.matrix_checks import (
    as_flags,
    as_matrix,
    require_labels,
    require_limit,
    require_values,
)
from pages.figures.numerals import measured_number, number, number_in_full
from pages.text import Translator

PanelRole = Literal["weights", "scores", "output", "mask"]


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
    absent : np.ndarray or None
        bool, True where there is nothing to show: the cell is left out, whatever its value.
    bracket : tuple of (int, int) or None
        First and last row, from 0, that are set apart; the figure says why.
    measure : str
        What its values are, above their scale; empty takes the word of the role.
    limit : float or None
        The value with the strongest colour; None is the largest of all panels of its role.
    row_numbers : tuple of int
        Rising; what rows without names count, where it is not their positions.
    trimmed : bool
        Whether the scale of scores ends below where they do, not as far below 0 as above; a colour
        means the same.
    rounded : bool
        Whether the number of a score in its cell is rounded to 0 where it is next to it, as that of
        a weight is.
    muted : np.ndarray or None
        bool, True where a cell has no colour and its number is pale; the figure says why.
    """

    title: str
    values: Array
    role: PanelRole = "weights"
    masked: Array | None = None
    alert: Array | None = None
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    absent: Array | None = None
    bracket: tuple[int, int] | None = None
    measure: str = ""
    limit: float | None = None
    row_numbers: tuple[int, ...] = ()
    trimmed: bool = False
    rounded: bool = False
    muted: Array | None = None


@dataclass(frozen=True)
class _Sorted:
    """The values of a panel, and which of them are not there, no number, outlined, hidden."""

    values: Values
    absent: Flags
    wrong: Flags
    alert: Flags
    hidden: Flags

    @property
    def shown(self) -> Values:
        """The values that take a colour of the ramp."""
        return np.asarray(self.values[~(self.absent | self.wrong | self.hidden)])


@dataclass(frozen=True)
class SortedPanel:
    """A panel with its matrix as it is drawn.

    ``wrong`` are the cells that are no number, ``alert`` those that are outlined.
    """

    panel: Panel
    matrix: Matrix
    wrong: Flags
    alert: Flags

    @property
    def numbered(self) -> bool:
        """Whether its cells may hold numbers."""
        return self.panel.role != "mask" and self.matrix.values.size <= MOST_TIPS

    @property
    def muted(self) -> Flags:
        """The cells that have no colour."""
        given = self.panel.muted
        return np.zeros(self.matrix.shape, dtype=np.bool_) if given is None else np.asarray(given)

    def tip(self, t: Translator, row: int, column: int) -> str:
        """Return what the pointer says over a cell."""
        matrix = self.matrix
        where = {
            "row": named(row, matrix.row_labels, t),
            "column": named(column, matrix.column_labels, t),
            "value": self._said(row, column, t),
        }
        title = self.panel.title
        if not title:
            return t("row {row}, column {column}: {value}", **where)
        return t("{matrix}, row {row}, column {column}: {value}", matrix=title, **where)

    def _said(self, row: int, column: int, t: Translator) -> str:
        if self.matrix.masked[row, column]:
            return t("hidden by the mask")
        if self.panel.role == "mask":
            return t("may look")
        if self.wrong[row, column]:
            return t("NaN, not a number")
        value = number_in_full(float(self.matrix.values[row, column]))
        if self.alert[row, column]:
            return t("{value}, although the mask hides it", value=value)
        return value

    def texts(self, decimals: int) -> Texts:
        """Return the number of each cell; empty where it is no number or not there."""
        matrix = self.matrix
        texts = [[self._text(value, decimals) for value in row] for row in matrix.values.tolist()]
        for row, column in np.argwhere(self.wrong | (matrix.levels == ABSENT)).tolist():
            texts[row][column] = ""
        for row, column in np.argwhere(matrix.masked).tolist():
            # A hidden 0 is exact, which is not the same as a small weight.
            texts[row][column] = "0" if matrix.values[row, column] == 0 else ""
        return texts

    def _text(self, value: float, decimals: int) -> str:
        if self.panel.role == "weights" or self.panel.rounded:
            return number(value, decimals)
        return measured_number(value, decimals)


def sort_panels(panels: tuple[Panel, ...]) -> tuple[SortedPanel, ...]:
    """Return panels as they are drawn, those of one role on one scale.

    Raises
    ------
    FigureError
        When values, masks, labels or limits are not what can be drawn.
    """
    cells = [_sorted(panel) for panel in panels]
    limits = _limits(panels, [each.shown for each in cells])
    return tuple(
        _drawn(panel, each, limits[panel.role]) for panel, each in zip(panels, cells, strict=True)
    )


def _sorted(panel: Panel) -> _Sorted:
    """Sort the cells: one that should be 0 and is not, or is no number, is not drawn as hidden."""
    given = panel.values if panel.role != "mask" else np.zeros(np.shape(panel.values))
    values = as_matrix(given)
    require_labels(panel.row_labels, values.shape[0])
    require_labels(panel.column_labels, values.shape[1])
    absent = _flags(panel.absent, values.shape)
    wrong = np.isnan(values) & ~absent
    alert = _flags(panel.alert, values.shape) & ~absent & ~wrong
    hidden = _flags(panel.masked, values.shape) & ~absent & ~wrong & ~alert
    require_values(values, absent | wrong | hidden, panel.role)
    return _Sorted(values, absent, wrong, alert, hidden)


def _flags(given: Array | None, shape: tuple[int, ...]) -> Flags:
    return np.zeros(shape, dtype=np.bool_) if given is None else as_flags(given, shape)


def _limits(panels: tuple[Panel, ...], shown: list[Values]) -> dict[Role, float]:
    """Return the limit of each role's scale: the largest that a panel of it names, or holds."""
    limits: dict[Role, float] = {}
    for role in dict.fromkeys(panel.role for panel in panels):
        pairs = [pair for pair in zip(panels, shown, strict=True) if pair[0].role == role]
        asked = [panel.limit for panel, _ in pairs if panel.limit is not None]
        held = [float(np.abs(values).max(initial=0.0)) for _, values in pairs]
        limits[role] = max(asked or held)
        require_limit(limits[role])
    return limits


def _drawn(panel: Panel, cells: _Sorted, limit: float) -> SortedPanel:
    values = np.where(cells.absent | cells.wrong, 0.0, cells.values)
    levels = levels_of(values, cells.hidden, panel.role, limit, LAST_OF_FEWER)
    levels[cells.wrong], levels[cells.absent] = WRONG, ABSENT
    labels = panel.row_labels, panel.column_labels
    matrix = Matrix(cells.values, cells.hidden, levels, limit, panel.role, *labels, LAST_OF_FEWER)
    return SortedPanel(panel, matrix, cells.wrong, cells.alert)

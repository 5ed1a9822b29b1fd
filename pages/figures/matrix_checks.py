"""What a matrix must be so that its cells can be drawn as colours."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pages.figures.errors import FigureError
from pages.figures.levels import Flags, Role, Values


def as_matrix(values: npt.ArrayLike) -> Values:
    """Return a matrix of float64.

    Raises
    ------
    FigureError
        When it is empty or not two-dimensional.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise FigureError(
            "A heatmap needs a matrix with at least one cell, got shape {shape}.",
            shape=array.shape,
        )
    return array


def as_flags(given: npt.ArrayLike, shape: tuple[int, ...]) -> Flags:
    """Return booleans, one a cell.

    Raises
    ------
    FigureError
        When they have another shape than the matrix.
    """
    flags = np.asarray(given, dtype=np.bool_)
    if flags.shape != shape:
        raise FigureError(
            "The mask must have the shape of the matrix, got {mask} for {shape}.",
            mask=flags.shape,
            shape=shape,
        )
    return flags


def require_labels(labels: tuple[str, ...], count: int) -> None:
    """Refuse labels that are not one for each row or column.

    Raises
    ------
    FigureError
        When their number is another one, and not 0.
    """
    if labels and len(labels) != count:
        raise FigureError(
            "There must be one label for each of the {count} rows or columns, got {labels}.",
            count=count,
            labels=len(labels),
        )


def require_values(array: Values, exempt: Flags, role: Role) -> None:
    """Refuse what no colour can show, but in cells that are ``exempt``.

    Raises
    ------
    FigureError
        When a value is not finite, or one is negative that must not be.
    """
    wrong = ~exempt & ~np.isfinite(array)
    if role != "scores":
        wrong |= ~exempt & (array < 0)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise FigureError(
            "A heatmap cannot show {value} at row {row}, column {column}: scores must be finite, "
            "and weights 0 or more.",
            value=float(array[row, column]),
            row=row + 1,
            column=column + 1,
        )


def require_limit(limit: float) -> None:
    """Refuse a limit that no scale can have.

    Raises
    ------
    FigureError
        When it is negative or not finite.
    """
    if not (math.isfinite(limit) and limit >= 0):
        raise FigureError(
            "The limit of a heatmap must be a finite number of 0 or more, got {limit}.",
            limit=limit,
        )

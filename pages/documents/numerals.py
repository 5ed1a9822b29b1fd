"""Numbers as documents write them: rounded as on screen, in plain ASCII."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pages.figures.numerals import MINUS, decimals_needed, number, rounding_noise


@dataclass(frozen=True)
class WrittenMatrix:
    """A matrix as text.

    Attributes
    ----------
    cells : tuple of tuple of str
        Rounded; all with the same decimals. Minus infinity is ``-∞``.
    is_exact : bool
        Whether nothing was lost, so that an equals sign is true.
    """

    cells: tuple[tuple[str, ...], ...]
    is_exact: bool


def written(matrix: npt.ArrayLike, decimals: int, *, typed: bool = False) -> WrittenMatrix:
    """Round a matrix to ``decimals``, or to fewer where fewer write every cell exactly."""
    given = np.asarray(matrix)
    array = given.astype(np.float64)
    places = decimals_needed(given, decimals, typed=typed)
    cells = tuple(
        tuple(number(value, places).replace(MINUS, "-") for value in row) for row in array.tolist()
    )
    read_back = np.array([[float(cell.replace("∞", "inf")) for cell in row] for row in cells])
    finite = np.isfinite(array)
    gaps = np.abs(np.where(finite, read_back, 0.0) - np.where(finite, array, 0.0))
    return WrittenMatrix(cells, bool(np.all(gaps <= rounding_noise(given, typed=typed))))

"""Softmax along the rows of the scores, as attention has it, beside softmax down the columns.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends import Backend
from engine.experiments.masks.inputs import InputParams
from engine.shapes import Array

__all__ = ["MOST_TOKENS", "AxesParams", "AxesResult", "compare_axes"]

MOST_TOKENS = 24
AxesParams = InputParams


@dataclass(frozen=True)
class AxesResult:
    """The same scores, normalised along either axis.

    Attributes
    ----------
    tokens : tuple of str
        T labels.
    scores : np.ndarray
        (T, T), scaled.
    rows, columns : np.ndarray
        (T, T), weights: each row adds up to 1; each column does.
    row_sums, column_sums_of_rows : np.ndarray
        (T,), sums of ``rows`` along its rows, and down its columns.
    row_sums_of_columns, column_sums : np.ndarray
        (T,), the same of ``columns``.
    output_rows, output_columns : np.ndarray
        (T, E), either weights times the values.
    difference_weights, difference_output : float
        Largest absolute difference of the two.
    largest_output : float
        Largest absolute number of ``output_rows``.
    """

    params: InputParams
    tokens: tuple[str, ...]
    scores: Array
    rows: Array
    columns: Array
    row_sums: Array
    column_sums_of_rows: Array
    row_sums_of_columns: Array
    column_sums: Array
    output_rows: Array
    output_columns: Array
    difference_weights: float
    difference_output: float
    largest_output: float
    backend_name: str
    precision: str
    seconds: float


def compare_axes(params: InputParams, *, backend: Backend | str | None = None) -> AxesResult:
    """Normalise the scaled scores of one head along rows and down columns."""
    raise NotImplementedError

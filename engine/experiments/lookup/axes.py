"""Softmax along the rows of the scores, as attention has it, beside softmax down the columns.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend, softmax, trace_attention
from engine.backends import Backend
from engine.experiments.masks.inputs import LEAST_RANDOM, InputParams, head_of
from engine.experiments.masks.tokens import tokens_of
from engine.experiments.read_only import close_fields
from engine.experiments.whole_number import require_whole
from engine.shapes import Array

__all__ = ["MOST_TOKENS", "AxesParams", "AxesResult", "compare_axes", "validate"]

MOST_TOKENS = 24


@dataclass(frozen=True)
class AxesParams(InputParams):
    """Where the scores come from, at most ``MOST_TOKENS`` tokens; see `InputParams`."""


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
    """Normalise the scaled scores of one head along rows and down columns.

    Raises
    ------
    EngineError
        As `head_of` does; also when there are more than ``MOST_TOKENS`` tokens.
    """
    validate(params)
    head = head_of(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    trace = trace_attention(head.x, head.w_q, head.w_k, head.w_v, backend=chosen)
    columns, output, sums = chosen.run(_down_columns, trace.scaled, trace.weights, trace.v)
    seconds = time.perf_counter() - started
    result = AxesResult(
        params=params,
        tokens=head.tokens,
        scores=trace.scaled,
        rows=trace.weights,
        columns=columns,
        **sums,
        output_rows=trace.output,
        output_columns=output,
        difference_weights=_largest(columns - trace.weights),
        difference_output=_largest(output - trace.output),
        largest_output=_largest(trace.output),
        backend_name=chosen.name,
        precision=chosen.precision,
        seconds=seconds,
    )
    close_fields(result)
    return result


def validate(params: InputParams) -> None:
    """Refuse an input of more tokens than fit side by side; raises as `compare_axes` does."""
    if params.source == "sentence":
        tokens_of(params.sentence, MOST_TOKENS)
    if params.source == "random":
        require_whole("T", params.T, LEAST_RANDOM, MOST_TOKENS)


def _down_columns(xp: Any, scores: Any, rows: Any, values: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Return the weights of columns, the output with them, and the sums of both either way."""
    columns = xp.swapaxes(softmax(xp, xp.swapaxes(scores, 0, 1)), 0, 1)
    sums = {
        "row_sums": xp.sum(rows, axis=1),
        "column_sums_of_rows": xp.sum(rows, axis=0),
        "row_sums_of_columns": xp.sum(columns, axis=1),
        "column_sums": xp.sum(columns, axis=0),
    }
    return columns, xp.matmul(columns, values), sums


def _largest(matrix: Array) -> float:
    return float(np.abs(matrix).max())

"""The same scores under two masks.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from engine.attention import AttentionTrace, choose_backend, trace_attention
from engine.backends import Backend
from engine.experiments.concentration import effective_keys
from engine.experiments.masks.inputs import Head, InputParams, head_of
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.masks.spec import MaskSpec, Pattern, build
from engine.experiments.read_only import close_fields, read_only
from engine.shapes import Array


@dataclass(frozen=True)
class Params(InputParams):
    """One input, and the two masks ``a`` and ``b``; the fields are those of `MaskSpec`."""

    a_pattern: Pattern = "none"
    a_window: int = 3
    a_prefix: int = 2
    a_length: int | None = None
    a_drawn: str = ""
    b_pattern: Pattern = "causal"
    b_window: int = 3
    b_prefix: int = 2
    b_length: int | None = None
    b_drawn: str = ""

    @property
    def a(self) -> MaskSpec:
        """The first mask."""
        return MaskSpec(self.a_pattern, self.a_window, self.a_prefix, self.a_length, self.a_drawn)

    @property
    def b(self) -> MaskSpec:
        """The second mask."""
        return MaskSpec(self.b_pattern, self.b_window, self.b_prefix, self.b_length, self.b_drawn)


@dataclass(frozen=True)
class Side:
    """One of the two masks with what attention makes of it.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T), True = may look.
    trace : AttentionTrace
        All six steps; ``trace.weights`` (T, T), ``trace.output`` (T, E).
    """

    spec: MaskSpec
    visible: Array
    trace: AttentionTrace

    @property
    def empty_rows(self) -> tuple[int, ...]:
        """Queries, from 0, that may look nowhere: zero weights and a zero output in this engine."""
        return tuple(np.flatnonzero(~self.visible.any(axis=1)).tolist())

    @property
    def mean_keys(self) -> float:
        """Effective keys, the mean over the queries that see any; 0 where none does."""
        rows = [effective_keys(row) for row in self.trace.weights[self.visible.any(axis=1)]]
        return float(np.mean(rows)) if rows else 0.0


@dataclass(frozen=True)
class Result:
    """Two masks compared.

    Attributes
    ----------
    difference : np.ndarray
        (T, T), weights of b minus weights of a.
    moved : np.ndarray
        (T,), the largest absolute change of a component of each output, from a to b.
    precision : str
        ``"float64"`` or ``"float32"``.
    seconds : float
        How long both passes took.
    """

    params: Params
    head: Head
    a: Side
    b: Side
    difference: Array
    moved: Array
    backend_name: str
    device: str
    precision: str
    seconds: float

    @property
    def rounding(self) -> float:
        """By how much an output may move through rounding alone."""
        return rounding_of(self.a.trace.v)

    @property
    def moves(self) -> bool:
        """Whether an output moves beyond rounding."""
        return bool(self.moved.max() > self.rounding)


def run(params: Params, *, backend: Backend | str | None = None) -> Result:
    """Compute the head under both masks.

    Raises
    ------
    EngineError
        As `head_of` and `build` do; BackendError when the backend is missing.
    """
    head = head_of(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    a, b = (_side(head, spec, chosen) for spec in (params.a, params.b))
    seconds = time.perf_counter() - started
    difference = b.trace.weights - a.trace.weights
    moved = np.abs(b.trace.output - a.trace.output).max(axis=1)
    read_only(difference, moved)
    made_by = (chosen.name, chosen.device, chosen.precision)
    return Result(params, head, a, b, difference, moved, *made_by, seconds)


def _side(head: Head, spec: MaskSpec, backend: Backend) -> Side:
    visible = build(spec, len(head.tokens))
    trace = trace_attention(head.x, head.w_q, head.w_k, head.w_v, mask=visible, backend=backend)
    read_only(visible)
    close_fields(trace)
    return Side(spec, visible, trace)

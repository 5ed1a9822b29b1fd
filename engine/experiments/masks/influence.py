"""Measured influence: one token changes, and every output is compared with what it was.

Shape legend: T positions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.masks.compare import Params
from engine.experiments.masks.inputs import Head, head_of
from engine.experiments.masks.spec import build
from engine.experiments.read_only import read_only
from engine.shapes import Array, as_scale

CHANGE = 1.0  # added to every component of the vector of the token that changes
# One block of work: this many tokens change in turn, and this many outputs are computed of each
# pass. It stays in cache, and its products are small enough for OpenBLAS to keep each on one
# thread: on a busy machine, handing out thousands of them takes many times as long as doing them.
PASSES = 64
ROWS = 15


@dataclass(frozen=True)
class Influence:
    """What moved under one mask.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T).
    moves : np.ndarray
        (T, T): entry (i, j) is the largest absolute change of a component of output i when token j
        changes. The diagonal may move under any mask, since the query itself changes there.
    """

    visible: Array
    moves: Array

    @property
    def leak(self) -> float:
        """The largest move of an output whose query may not see the token that changed."""
        unseen = ~self.visible & ~np.eye(len(self.visible), dtype=np.bool_)
        return float(self.moves[unseen].max(initial=0.0))


@dataclass(frozen=True)
class InfluenceResult:
    """Influence under both masks of the comparison."""

    params: Params
    head: Head
    a: Influence
    b: Influence
    backend_name: str
    precision: str
    seconds: float


def measure_influence(params: Params, *, backend: Backend | str | None = None) -> InfluenceResult:
    """Change each token in turn and measure every output.

    The unchanged pass is computed in the same batch shape as the changed ones, so that an output
    that cannot depend on a token is equal to the last bit.

    Raises
    ------
    EngineError
        As `head_of` and `build` do; BackendError when the backend is missing.
    """
    head = head_of(params)
    masks = [build(spec, len(head.tokens)) for spec in (params.a, params.b)]
    chosen = choose_backend(backend)
    started = time.perf_counter()
    matrices = (each.astype(chosen.precision) for each in (head.x, head.w_q, head.w_k, head.w_v))
    hidden = (_as_bias(visible, chosen.precision) for visible in masks)
    moves = chosen.run(_moves, *matrices, *hidden, scale=as_scale(None, head.w_q.shape[1]))
    seconds = time.perf_counter() - started
    read_only(*masks, *moves)
    a, b = (Influence(visible, each) for visible, each in zip(masks, moves, strict=True))
    return InfluenceResult(params, head, a, b, chosen.name, chosen.precision, seconds)


def _as_bias(visible: Array, precision: str) -> Array:
    """Return what is added to the scores: 0 where a query may look, minus infinity elsewhere."""
    return np.where(visible, 0.0, -np.inf).astype(precision)


def _moves(
    xp: Any, x: Any, w_q: Any, w_k: Any, w_v: Any, *biases: Any, scale: float
) -> tuple[Any, ...]:
    """Return the moves (T, T) under each bias; every changed pass is a whole pass of attention."""
    T = x.shape[0]
    before = _projected(xp, x, w_q, w_k, w_v, scale)
    after = _projected(xp, x + CHANGE, w_q, w_k, w_v, scale)
    columns = [
        _moves_by(xp, tokens, before, after, biases)
        for tokens in (range(first, min(first + PASSES, T)) for first in range(0, T, PASSES))
    ]
    return tuple(
        xp.swapaxes(xp.concatenate(found, axis=0), 0, 1) for found in zip(*columns, strict=True)
    )


def _moves_by(
    xp: Any, tokens: range, before: tuple[Any, ...], after: tuple[Any, ...], biases: tuple[Any, ...]
) -> list[Any]:
    """Return (tokens, T) under each bias: how far each output moves when one of these changes."""
    T = before[0].shape[0]
    # The first pass changes nothing; each of the others changes the row of one token.
    changed = xp.array([-1, *tokens])[:, None, None] == xp.arange(T)[None, :, None]
    keys, values = (xp.where(changed, after[n], before[n]) for n in (1, 2))  # (passes, T, D)
    keys = xp.swapaxes(keys, -1, -2)
    moves: list[list[Any]] = [[] for _ in biases]
    for first in range(0, T, ROWS):
        rows = slice(first, first + ROWS)
        queries = xp.where(changed[:, rows], after[0][rows], before[0][rows])
        scores = xp.matmul(queries, keys)  # (passes, rows, T)
        for found, bias in zip(moves, biases, strict=True):
            output = _output(xp, scores + bias[rows], values)
            found.append(xp.max(xp.abs(output[1:] - output[:1]), axis=-1))
    return [xp.concatenate(found, axis=1) for found in moves]


def _projected(xp: Any, x: Any, w_q: Any, w_k: Any, w_v: Any, scale: float) -> tuple[Any, ...]:
    """Return the scaled queries, the keys, and the values with a column of ones."""
    v = xp.matmul(x, w_v)
    ones = xp.ones_like(v[:, :1])
    return xp.matmul(x, w_q) * scale, xp.matmul(x, w_k), xp.concatenate([v, ones], axis=1)


def _output(xp: Any, masked: Any, v: Any) -> Any:
    """Return softmax(masked) times the values; the column of ones gives the sum of each row."""
    peak = xp.max(masked, axis=-1, keepdims=True)
    # Where a row may look nowhere its peak is -inf, and -inf - -inf would be NaN.
    masked -= xp.where(peak == -float("inf"), xp.zeros_like(peak), peak)
    summed = xp.matmul(xp.exp(masked), v)
    total = summed[..., -1:]
    return summed[..., :-1] / xp.where(total == 0, xp.ones_like(total), total)

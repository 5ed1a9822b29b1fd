"""The scores of both ways as they are timed: all T x T of them in float32.

Shape legend: T positions, D = d_k, which is also the hidden width of additive attention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.backends import Backend
from engine.experiments.lookup.cost_counts import Way
from engine.shapes import Array

# Numbers inside tanh that are held at once: a processor keeps them in its cache, a GPU wants many.
BLOCKS = {"cpu": 2**16, "gpu": 2**21}
# Dot products of NumPy that are timed together: about as long as additive attention takes, so that
# other programs disturb both alike. On MLX a run has a fixed cost, which both ways bear once.
IN_A_ROW = 32


def work_of(way: Way, backend: Backend) -> tuple[Callable[..., Any], dict[str, int], int]:
    """Return what computes a way, its options, and how often one timed run does so."""
    if way == "additive":
        return additive_scores, {"block": BLOCKS[backend.kind]}, 1
    times = IN_A_ROW if backend.name == "numpy" else 1
    return dot_scores, {"times": times}, times


def inputs_of(T: int, d_k: int, way: Way, seed: int) -> tuple[Array, ...]:
    """Return queries and keys, alike for both ways; then W_q, W_k and w of additive attention."""
    drawn = np.random.default_rng((seed, T, d_k))
    q, k = (drawn.standard_normal((T, d_k), np.float32) for _ in range(2))
    if way == "dot":
        return q, k
    shapes = ((d_k, d_k), (d_k, d_k), (d_k,))
    weights = (drawn.standard_normal(shape, np.float32) for shape in shapes)
    return q, k, *(each / np.float32(math.sqrt(d_k)) for each in weights)


def dot_scores(xp: Any, q: Any, k: Any, *, times: int) -> Any:
    """Return q·k of every pair, (T, T), computed so many times in a row."""
    if xp is not np:
        return xp.matmul(q, xp.swapaxes(k, -1, -2))
    scores = np.empty((len(q), len(k)), q.dtype)
    for _ in range(times):
        np.matmul(q, k.T, out=scores)
    return scores


def additive_scores(
    xp: Any, q: Any, k: Any, w_query: Any, w_key: Any, w: Any, *, block: int
) -> Any:
    """Return w·tanh(W_q q + W_k k) of every pair, (T, T), in blocks of about so many numbers.

    Query and key are projected once; what remains of every pair is a sum, a tanh and a dot product
    in d_k dimensions. All T·T·d_k of them at once would take d_k times the memory of the scores.
    """
    T, D = q.shape
    queries, keys = xp.matmul(q, w_query.T), xp.matmul(k, w_key.T)
    rows = max(1, block // (T * D))
    if xp is np:
        return _additive_in_place(queries, keys, w, rows)
    return xp.concatenate(
        [
            xp.matmul(xp.tanh(queries[first : first + rows, None] + keys[None]), w)
            for first in range(0, T, rows)
        ]
    )


def _additive_in_place(queries: Array, keys: Array, w: Array, rows: int) -> Array:
    """Return the same; to ask for new memory for each block costs as much as its tangents."""
    T, D = queries.shape
    scores = np.empty((T, T), queries.dtype)
    buffer = np.empty((min(rows, T), T, D), queries.dtype)
    for first in range(0, T, rows):
        part = scores[first : first + rows]
        hidden = np.add(queries[first : first + rows, None], keys[None], out=buffer[: len(part)])
        np.tanh(hidden, out=hidden)
        np.matmul(hidden.reshape(-1, D), w, out=part.reshape(-1))
    return scores

"""Attention in NumPy over blocks of queries and keys: the T x S matrix never exists.

Online softmax (Milakov and Gimelshein 2018, arXiv:1805.02867; used by FlashAttention): for each
query keep the largest score so far, the sum of exponentials and the weighted sum of values, and
rescale them when a later block holds a larger score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import NumberError
from engine.shapes import Array

QUERY_BLOCK = 256
KEY_BLOCK = 512
# Scores held at once: with 4 bytes each, about what a core's own cache holds.
BLOCK_ENTRIES = QUERY_BLOCK * KEY_BLOCK


# batch, key-value heads, all their query heads, query positions
_Where = tuple[int, slice, slice, slice]


@dataclass(frozen=True)
class _Problem:
    """One call, seen with the query heads grouped by the key-value head that serves them."""

    q: Array  # (B, H_kv, G, T, D), scaled
    k: Array  # (B, H_kv, S, D)
    v: Array  # (B, H_kv, S, E + 1); the last column is 1, so its weighted sum is the row sum
    mask: Array | None  # broadcast view, (B, H_kv, G, T, S)
    bias: Array | None
    causal: bool
    key_block: int

    @property
    def offset(self) -> int:
        """Keys that come before the first query."""
        return int(self.k.shape[2] - self.q.shape[3])


def blocked_attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
    query_block: int = QUERY_BLOCK,
    key_block: int = KEY_BLOCK,
) -> Array:
    """Compute attention on checked arrays.

    Parameters
    ----------
    q, k, v : np.ndarray
        (B, H, T, D), (B, H_kv, S, D), (B, H_kv, S, E).
    mask, bias : np.ndarray or None
        Four axes, each of full size or 1.
    causal : bool
    scale : float
    query_block, key_block : int
        Largest block of queries and of keys.

    Returns
    -------
    np.ndarray
        (B, H, T, E), in float64 if any input is float64, else in float32.

    Raises
    ------
    NumberError
        If a score overflows.
    """
    B, H, T, _ = q.shape
    dtype = np.result_type(q, k, v, np.float32)
    problem = _prepare(q, k, v, mask, bias, causal, scale, key_block, dtype)
    output = np.empty((*problem.q.shape[:4], v.shape[3]), dtype)
    heads = k.shape[1]
    tall = min(T, query_block) * (H // heads)
    chunk = max(1, BLOCK_ENTRIES // (tall * min(k.shape[2], key_block)))
    for batch in range(B):
        for head in range(0, heads, chunk):
            for first in range(0, T, query_block):
                rows = slice(first, first + query_block)
                where = (batch, slice(head, head + chunk), slice(None), rows)
                output[where] = _query_block(problem, where)
    if not np.isfinite(output).all():
        raise NumberError(
            "The scores overflow {precision}; use smaller numbers.", precision=dtype.name
        )
    return output.reshape(B, H, T, v.shape[3])


def _prepare(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
    key_block: int,
    dtype: np.dtype[Any],
) -> _Problem:
    B, H, T, D = q.shape
    heads, S = k.shape[1:3]
    grouped = (B, heads, H // heads, T, D)
    values = np.ones((*v.shape[:3], v.shape[3] + 1), dtype)
    values[..., :-1] = v
    return _Problem(
        q=(q.astype(dtype, copy=False) * dtype.type(scale)).reshape(grouped),
        k=k.astype(dtype, copy=False),
        v=values,
        mask=_grouped(mask, (*grouped[:4], S)),
        bias=_grouped(bias, (*grouped[:4], S)),
        causal=causal,
        key_block=key_block,
    )


def _grouped(array: Array | None, shape: tuple[int, ...]) -> Array | None:
    """View (B, H, T, S) as (B, H_kv, G, T, S) without copying, whatever has size 1."""
    if array is None:
        return None
    heads = shape[1:3] if array.shape[1] > 1 else (1, 1)
    split = array.reshape(array.shape[0], *heads, *array.shape[2:])
    return np.broadcast_to(split, shape)


def _query_block(problem: _Problem, where: _Where) -> Array:
    queries = problem.q[where]  # (h, G, t, D)
    h, G, t, D = queries.shape
    E = problem.v.shape[3] - 1
    queries = queries.reshape(h, G * t, D)
    peak = np.full((h, G * t, 1), -np.inf, queries.dtype)
    total = np.zeros((h, G * t, E + 1), queries.dtype)
    batch, heads = where[:2]
    first = where[3].start
    stop = problem.k.shape[2]
    if problem.causal:
        stop = min(stop, first + t + problem.offset)
    for start in range(0, stop, problem.key_block):
        keys = slice(start, min(start + problem.key_block, stop))
        scores = np.matmul(queries, problem.k[batch, heads, keys].swapaxes(-1, -2))
        _hide(problem, scores.reshape(h, G, t, -1), where, keys)
        higher = np.maximum(peak, scores.max(axis=-1, keepdims=True))
        # A row that has seen nothing yet has a peak of -inf, and -inf - -inf would be NaN.
        shift = np.where(higher == -np.inf, 0, higher)
        scores -= shift
        np.exp(scores, out=scores)
        total *= np.exp(peak - shift)
        total += np.matmul(scores, problem.v[batch, heads, keys])
        peak = higher
    row_sum = total[..., -1:]
    row_sum[row_sum == 0] = 1  # nothing visible: the weighted sum is 0 as well
    return (total[..., :-1] / row_sum).reshape(h, G, t, E)


def _hide(problem: _Problem, scores: Array, where: _Where, keys: slice) -> None:
    """Add the bias and hide keys, in place; scores (h, G, t, s)."""
    if problem.bias is not None:
        scores += problem.bias[where][..., keys]
    if problem.mask is not None:
        np.copyto(scores, -np.inf, where=~problem.mask[where][..., keys])
    first = where[3].start + problem.offset
    if problem.causal and keys.stop - 1 > first:
        positions = np.arange(first, first + scores.shape[2])[:, None]
        np.copyto(scores, -np.inf, where=np.arange(keys.start, keys.stop) > positions)

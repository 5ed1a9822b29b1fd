"""Attention in NumPy over blocks of queries and keys: the T x S matrix never exists.

Online softmax (Milakov and Gimelshein 2018, arXiv:1805.02867; used by FlashAttention): for each
query keep the largest score so far, the sum of exponentials and the weighted sum of values, and
rescale them when a later block holds a larger score. In NumPy a pass over the scores costs about
as much as a product, so passes are saved where that is safe: the scale is applied to the queries,
a column of ones in V makes the product give the row sums, and small scores need no shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.backends.bounds import safe_limit, score_bound
from engine.errors import NumberError
from engine.shapes import Array

QUERY_BLOCK = 256
KEY_BLOCK = 512
# Scores held at once when heads are few and small: about what a core's own cache holds.
BLOCK_ENTRIES = QUERY_BLOCK * KEY_BLOCK
# exp of such a score, times such a value, summed over any S, is far from both ends of float32.
PLAIN_SCORE = 20.0
PLAIN_VALUE = 1e20

# batch, key-value heads, all of their query heads, query positions
_Where = tuple[int, slice, slice, slice]


@dataclass(frozen=True)
class _Problem:
    """One call, with the query heads grouped by the key-value head that serves them."""

    q: Array  # (B, H_kv, G, T, D), already scaled
    k: Array  # (B, H_kv, S, D)
    v: Array  # (B, H_kv, S, E + 1), the last column is 1
    mask: Array | None  # (B, H_kv, G, T, S), any size may be 1
    bias: Array | None  # the same
    causal: bool
    room: float  # what the values were divided by, so that their sum does not overflow
    shifted: bool  # subtract the largest score before exp
    checked: bool  # look for overflow in every block

    @property
    def offset(self) -> int:
        """How many keys come before the first query's own."""
        return int(self.k.shape[2] - self.q.shape[3])


class _Buffers:
    """Memory for one block of scores and of weighted sums, used again for every block."""

    def __init__(self, rows: int, key_block: int, columns: int, dtype: np.dtype[Any]) -> None:
        self._scores = np.empty(rows * key_block, dtype)
        self._sums = np.empty(rows * columns, dtype)

    def scores(self, shape: tuple[int, ...]) -> Array:
        return self._scores[: int(np.prod(shape))].reshape(shape)

    def sums(self, shape: tuple[int, ...]) -> Array:
        return self._sums[: int(np.prod(shape))].reshape(shape)


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
        Lower-right aligned; T <= S.
    scale : float
        What the scores are multiplied by.
    query_block, key_block : int
        Largest block of queries and of keys.

    Returns
    -------
    np.ndarray
        (B, H, T, E), in float64 if any of q, k and v is, else in float32.

    Raises
    ------
    NumberError
        If a score overflows.
    """
    problem = _prepare(q, k, v, mask, bias, causal, scale)
    B, heads, G, T, _ = problem.q.shape
    S, columns = problem.v.shape[2:]
    output = np.empty((B, heads, G, T, columns - 1), problem.q.dtype)
    t, s = min(T, query_block), min(S, key_block)
    together = min(heads, max(1, BLOCK_ENTRIES // (G * t * s)))  # heads in one block
    buffers = _Buffers(together * G * t, s, columns, output.dtype)
    for batch in range(B):
        for head in range(0, heads, together):
            for first in range(0, T, t):
                queries = slice(first, min(first + t, T))
                where = (batch, slice(head, head + together), slice(None), queries)
                output[where] = _attend_queries(problem, where, s, buffers)
    output *= problem.room
    if not np.isfinite(output).all():
        raise NumberError(
            "The output overflows {precision}; use smaller numbers in `v`.",
            precision=output.dtype.name,
        )
    return output.reshape(B, heads * G, T, columns - 1)


def _prepare(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
) -> _Problem:
    dtype = np.result_type(q, k, v, np.float32)
    groups = (k.shape[1], q.shape[1] // k.shape[1])
    largest = float(np.abs(v).max())
    S = v.shape[2]
    room = 1.0 if largest < float(np.finfo(dtype).max) / (2 * S) else 2.0 ** S.bit_length()
    bound = score_bound(q, k, scale)
    plain = bias is None and bound <= PLAIN_SCORE and largest <= PLAIN_VALUE
    widened = bias is not None and bias.dtype.itemsize > dtype.itemsize
    return _Problem(
        q=(q.astype(dtype, copy=False) * dtype.type(scale)).reshape(
            q.shape[0], *groups, *q.shape[2:]
        ),
        k=k.astype(dtype, copy=False),
        v=_with_ones(v, room, dtype),
        mask=None if mask is None else _grouped(mask, groups),
        bias=None if bias is None else _grouped(bias, groups),
        causal=causal,
        room=room,
        shifted=not plain,
        checked=widened or not bound < safe_limit(dtype),
    )


def _with_ones(v: Array, room: float, dtype: np.dtype[Any]) -> Array:
    values = np.ones((*v.shape[:3], v.shape[3] + 1), dtype)
    np.divide(v, room, out=values[..., :-1], dtype=dtype)  # room is a power of two: exact
    return values


def _grouped(array: Array, groups: tuple[int, int]) -> Array:
    """View (B, H, T, S) as (B, H_kv, G, T, S); a head axis of size 1 stays that small."""
    heads = groups if array.shape[1] > 1 else (1, 1)
    return array.reshape(array.shape[0], *heads, *array.shape[2:])


def _attend_queries(problem: _Problem, where: _Where, key_block: int, buffers: _Buffers) -> Array:
    """Attend with one block of queries: (h, G, t, E)."""
    queries = problem.q[where]
    h, G, t, D = queries.shape
    queries = queries.reshape(h, G * t, D)
    sums = np.zeros((h, G * t, problem.v.shape[3]), queries.dtype)
    peak = np.full((h, G * t, 1), -np.inf, queries.dtype)
    stop = problem.k.shape[2]
    if problem.causal:  # the keys after the last query of the block are hidden from all of it
        stop = min(stop, where[3].stop + problem.offset)
    for start in range(0, stop, key_block):
        keys = slice(start, min(start + key_block, stop))
        allowed = _cut(problem.mask, where, keys)
        if allowed is not None and not allowed.any():
            continue
        scores = _scores(problem, queries, where, keys, allowed, buffers)
        if problem.shifted:
            peak = _shift(scores, sums, peak)
        np.exp(scores, out=scores)
        values = problem.v[where[0], where[1], keys]
        sums += np.matmul(scores, values, out=buffers.sums(sums.shape))
    total = sums[..., -1:]
    total[total == 0] = 1  # nothing was visible, and the weighted sum is 0 as well
    return (sums[..., :-1] / total).reshape(h, G, t, -1)


def _scores(
    problem: _Problem,
    queries: Array,
    where: _Where,
    keys: slice,
    allowed: Array | None,
    buffers: _Buffers,
) -> Array:
    """Return one block of scores with its bias, minus infinity where hidden: (h, G t, s)."""
    transposed = problem.k[where[0], where[1], keys].swapaxes(-1, -2)
    shape = (*queries.shape[:2], keys.stop - keys.start)
    scores = np.matmul(queries, transposed, out=buffers.scores(shape))
    heads, t = queries.shape[0], where[3].stop - where[3].start
    block = scores.reshape(heads, -1, t, shape[-1])  # (h, G, t, s), the same memory
    bias = _cut(problem.bias, where, keys)
    if problem.checked:
        _refuse_overflow(block, bias)
    if bias is not None:
        block += bias
    if allowed is not None and not allowed.all():
        np.copyto(block, -np.inf, where=~allowed)
    first = where[3].start + problem.offset
    if problem.causal and keys.stop - 1 > first:
        own = np.arange(first, first + t)[:, None]
        np.copyto(block, -np.inf, where=np.arange(keys.start, keys.stop) > own)
    return scores


def _shift(scores: Array, sums: Array, peak: Array) -> Array:
    """Subtract the largest score so far, in place; rescale the sums; return the new peak."""
    higher: Array = np.maximum(peak, scores.max(axis=-1, keepdims=True))
    # A row that has seen nothing yet has a peak of -inf, and -inf - -inf would be NaN.
    shift = np.where(higher == -np.inf, 0, higher)
    scores -= shift
    sums *= np.exp(peak - shift)
    return higher


def _cut(array: Array | None, where: _Where, keys: slice) -> Array | None:
    """Return the block of a mask or bias, (h, G, t, s); an axis of size 1 stays as it is."""
    if array is None:
        return None
    batch, heads, groups, queries = where
    parts: tuple[slice, ...] = (slice(batch, batch + 1), heads, groups, queries, keys)
    sizes = zip(array.shape, parts, strict=True)
    block: Array = array[tuple(part if size > 1 else slice(None) for size, part in sizes)]
    first: Array = block[0]
    return first


def _refuse_overflow(scores: Array, bias: Array | None) -> None:
    if not np.isfinite(scores).all():
        raise NumberError(
            "The scores overflow {precision}; use smaller numbers.", precision=scores.dtype.name
        )
    if bias is None:
        return
    sums = np.add(scores, bias, dtype=scores.dtype, casting="same_kind")
    if np.any(np.isfinite(bias) & ~np.isfinite(sums)):
        raise NumberError(
            "The scores with `bias` overflow {precision}; use a smaller bias, or minus infinity "
            "to hide a key.",
            precision=scores.dtype.name,
        )

"""Attention in NumPy over blocks of queries and keys: the T x S matrix never exists.

What is decided for a whole call is decided here: how the queries are divided, which short cuts
are safe, and how much memory it takes. `engine.backends.blocked_rows` computes one block of
queries, and `engine.backends.threads` spreads the blocks over the cores. A block is computed alike
on any thread, so the output is the same to the last bit for any number of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from engine.backends.blocked_rows import Buffers, Part, Problem, Rows
from engine.backends.bounds import safe_limit, score_bound
from engine.backends.threads import available_cores, run_all
from engine.shapes import Array

QUERY_BLOCK = 256
KEY_BLOCK = 512
# Scores held at once when heads are few and small: about what a core's own cache holds.
BLOCK_ENTRIES = QUERY_BLOCK * KEY_BLOCK
PART_ENTRIES = 2**21  # Scores of one part in all: enough parts for every core
SHARED_OPERATIONS = 2**25  # Multiplications from which threads gain more than they cost
# exp of such a score, times such a value, summed over any S, is far from both ends of float32.
PLAIN_SCORE = 30.0
PLAIN_VALUES = (1e-18, 1e18)


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
    threads: int | None = None,
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
    threads : int, optional
        At most so many; as many as there are cores when None.

    Returns
    -------
    np.ndarray
        (B, H, T, E), in float64 if any of q, k and v is, else in float32.

    Raises
    ------
    NumberError
        If a score overflows, or the output does.
    """
    B, H, T, _ = q.shape
    H_kv, S, E = v.shape[1:]
    problem = _prepare(q, k, v, mask, bias, causal, scale, min(S, key_block))
    output = np.empty((B, H_kv, H // H_kv, T, E), problem.k.dtype)
    heads, t = _divide(problem.q.shape, S, query_block, problem.key_block)

    def worker() -> Any:
        buffers = Buffers(heads * problem.q.shape[2] * t, problem.key_block, E, output.dtype)
        return lambda part: Rows(problem, part, buffers).attend(output[part])

    parts = list(_parts(problem.q.shape, heads, t))
    if len(parts) == 1 or B * H * T * S * (q.shape[3] + E) < SHARED_OPERATIONS:
        do = worker()
        for part in parts:
            do(part)
    else:
        run_all(reversed(parts), worker, threads=threads or available_cores())
    return output.reshape(B, H, T, E)


def _divide(shape: tuple[int, ...], S: int, query_block: int, key_block: int) -> tuple[int, int]:
    """Return how many key-value heads, and how many query positions, make one part."""
    _, heads, G, T, _ = shape
    t = min(T, max(1, query_block // G))
    most = min(BLOCK_ENTRIES // (G * t * key_block), PART_ENTRIES // (G * t * S))
    return min(heads, max(1, most)), t


def _parts(shape: tuple[int, ...], heads: int, t: int) -> Iterator[Part]:
    B, H_kv, _, T, _ = shape
    for batch in range(B):
        for head in range(0, H_kv, heads):
            for first in range(0, T, t):
                queries = slice(first, min(first + t, T))
                yield Part(batch, slice(head, head + heads), slice(None), queries)


def _prepare(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
    key_block: int,
) -> Problem:
    dtype = np.result_type(q, k, v, np.float32)
    groups = (k.shape[1], q.shape[1] // k.shape[1])
    plain, checked = False, True
    # For so few scores the bounds would cost more than they save.
    if math.prod(q.shape[:3]) * k.shape[2] > BLOCK_ENTRIES:
        bound = score_bound(q, k, scale)
        plain = bias is None and bound <= PLAIN_SCORE and _values_are_plain(v)
        widened = bias is not None and bias.dtype.itemsize > dtype.itemsize
        checked = widened or not bound < safe_limit(dtype)
    by_two = plain and dtype == np.float32 and exp2_is_faster()
    return Problem(
        q=q.reshape(q.shape[0], *groups, *q.shape[2:]),
        k=_ready(k, dtype),
        v=_ready(v, dtype),
        mask=None if mask is None else _grouped(mask, groups),
        bias=None if bias is None else _grouped(bias, groups),
        causal=causal,
        factor=dtype.type(scale * math.log2(math.e) if by_two else scale),
        plain=plain,
        checked=checked,
        exponential=np.exp2 if by_two else np.exp,
        key_block=key_block,
    )


@cache
def exp2_is_faster() -> bool:
    """Return whether NumPy computes 2^x of float32 with AVX-512, at twice the speed of e^x.

    Elsewhere it takes 2^x one number at a time, and e^x several at once.
    """
    found: Any = np.show_config(mode="dicts")
    return "X86_V4" in found["SIMD Extensions"]["found"]


def _values_are_plain(v: Array) -> bool:
    """Return whether each column's largest value is neither huge nor tiny (or is 0)."""
    largest = np.maximum(v.max(axis=2), -v.min(axis=2))
    least, most = PLAIN_VALUES
    return bool(largest.max() <= most and largest[largest > 0].min(initial=1) >= least)


def _ready(array: Array, dtype: np.dtype[Any]) -> Array:
    """Return ``array`` as a product can read it at full speed: itself, wherever that is so."""
    rows, columns = array.strides[-2:]
    if array.dtype == dtype and columns == dtype.itemsize and rows >= columns * array.shape[-1]:
        return array
    return np.array(array, dtype, order="C")


def _grouped(array: Array, groups: tuple[int, int]) -> Array:
    """View (B, H, T, S) as (B, H_kv, G, T, S); a head axis of size 1 stays that small."""
    heads = groups if array.shape[1] > 1 else (1, 1)
    return array.reshape(array.shape[0], *heads, *array.shape[2:])

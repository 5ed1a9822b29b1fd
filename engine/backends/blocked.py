"""Attention in NumPy over blocks of queries and keys: the T x S matrix never exists.

`blocked_problem` decides which short cuts are safe, `blocked_plan` how the queries are divided into
parts, `blocked_rows` computes one part, and `threads` spreads the parts over the cores. A part is
computed alike on any thread, so the output is the same to the last bit for any number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from engine.backends.blocked_plan import KEY_BLOCK, QUERY_BLOCK, Part, divide
from engine.backends.blocked_problem import prepare
from engine.backends.blocked_rows import Buffers, Rows
from engine.backends.threads import run_all
from engine.shapes import TESTED_AT_ONCE, Array

__all__ = ["KEY_BLOCK", "QUERY_BLOCK", "blocked_attention", "working_bytes"]


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
    B, H, T, D = q.shape
    H_kv, S, E = v.shape[1:]
    problem = prepare(q, k, v, mask, bias, causal, scale, min(S, key_block))
    output = np.empty((B, H_kv, H // H_kv, T, E), problem.k.dtype)
    division = divide((B, H_kv, H // H_kv, T, S), query_block, problem.key_block)

    def worker() -> Callable[[Part], None]:
        buffers = Buffers(division.rows, problem.key_block, E, output.dtype)
        return lambda part: Rows(problem, part, buffers).attend(output[part])

    most = division.threads(S, D, E, problem.key_block, threads)
    if most == 0:
        do = worker()
        for part in division.parts():
            do(part)
    else:
        run_all(reversed([*division.parts()]), worker, threads=most)
    return output.reshape(B, H, T, E)


def working_bytes(
    B: int,
    H: int,
    H_kv: int,
    T: int,
    S: int,
    D: int,
    E: int,
    dtype: DTypeLike,
    *,
    threads: int | None = None,
) -> int:
    """Return how many bytes `engine.attend` holds at most beyond its inputs, the output included.

    Parameters
    ----------
    B, H, H_kv, T, S, D, E : int
        Sizes, without a mask or a bias; contiguous inputs.
    dtype : dtype-like
        Of the inputs; float16 is computed in float32.
    threads : int, optional
        At most so many; as many as there are cores when None.

    Returns
    -------
    int
        The largest of what is held together before, during and after the blocks.
    """
    given, used = np.dtype(dtype), np.result_type(dtype, np.float32)
    key_block = min(S, KEY_BLOCK)
    division = divide((B, H_kv, H // H_kv, T, S), QUERY_BLOCK, key_block)
    sharing = max(1, min(division.length, division.threads(S, D, E, key_block, threads)))
    # Scaled queries, scores, weighted sums so far and of one block; totals and shifts; ones.
    row = D + key_block + 2 * E + 4
    inside = min(np.getbufsize(), division.rows * E)  # what NumPy's loop over a division takes
    blocks = sharing * (division.rows * row + key_block + inside) * used.itemsize
    blocks += sharing * _test_bytes(division.rows * E, used)
    copies = 0 if given == used else B * H_kv * S * (D + E) * used.itemsize
    outputs = B * H * T * E
    lengths = max(B * H * T, B * H_kv * S)  # of queries and keys, for a bound of the scores
    largest = max(B * H * T * D, B * H_kv * S * max(D, E))
    before = max(lengths * used.itemsize + copies, _test_bytes(largest, given))
    during = outputs * used.itemsize + copies + blocks
    returned = 0 if given == used else outputs * given.itemsize
    after = outputs * used.itemsize + returned + _test_bytes(outputs, given)
    return max(before, during, after)


def _test_bytes(entries: int, dtype: np.dtype[Any]) -> int:
    """Return what a test for infinity holds: a byte for each entry, unless there are many."""
    return entries if entries <= TESTED_AT_ONCE or dtype.itemsize == 2 else 0

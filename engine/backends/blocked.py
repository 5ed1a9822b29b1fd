"""Attention in NumPy over blocks of queries and keys: the T x S matrix never exists.

What is decided for a whole call is decided here: how the queries are divided, which short cuts
are safe, and how much memory it takes. `engine.backends.blocked_rows` computes one block of
queries, and `engine.backends.threads` spreads the blocks over the cores. A block is computed alike
on any thread, so the output is the same to the last bit for any number of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from engine.backends.blocked_rows import Buffers, Part, Problem, Rows
from engine.backends.bounds import columns_within, safe_limit, score_bound
from engine.backends.threads import available_cores, run_all
from engine.shapes import TESTED_AT_ONCE, Array

QUERY_BLOCK = 256
KEY_BLOCK = 512
# Scores held at once when heads are few and small: about what a core's own cache holds.
BLOCK_ENTRIES = QUERY_BLOCK * KEY_BLOCK
PART_ENTRIES = 2**18  # Scores of one part in all: enough parts for every core
SMALL_PRODUCT = 2**18  # Multiplications that BLAS does on one thread anyway
EXP_PRODUCTS = 32  # Multiplications that cost as much as the exponential of a score
SHARED_PRODUCTS = 2**25  # Multiplications from which threads gain more than they cost
# exp of such a score, times such a value, summed over S, is far from both ends of float32.
PLAIN_SCORE = 30.0
PLAIN_VALUES = (1e-18, 1e18)
# Normal scores that reach this far somewhere soon outgrow those of the first keys by much.
STEADY_SCORE = 256.0


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
    problem = _prepare(q, k, v, mask, bias, causal, scale, min(S, key_block))
    output = np.empty((B, H_kv, H // H_kv, T, E), problem.k.dtype)
    division = _divide((B, H_kv, H // H_kv, T, S), query_block, problem.key_block)

    def worker() -> Callable[[Part], None]:
        buffers = Buffers(division.rows, problem.key_block, E, output.dtype)
        return lambda part: Rows(problem, part, buffers).attend(output[part])

    most = _threads(division, S, D, E, problem.key_block, threads)
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
    division = _divide((B, H_kv, H // H_kv, T, S), QUERY_BLOCK, key_block)
    sharing = max(1, min(division.length, _threads(division, S, D, E, key_block, threads)))
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


def _threads(
    division: _Division, S: int, D: int, E: int, key_block: int, threads: int | None
) -> int:
    """Return on how many threads to compute; 0 means here, as BLAS takes one thread anyway."""
    if division.G * division.t * key_block * max(D, E) <= SMALL_PRODUCT:
        return 0
    B, H_kv, G, T = division[:4]
    shared = B * H_kv * G * T * S * (D + E + EXP_PRODUCTS) >= SHARED_PRODUCTS
    return (threads or available_cores()) if shared else 1


class _Division(NamedTuple):
    """How the queries are divided into parts."""

    B: int
    H_kv: int
    G: int
    T: int
    heads: int  # key-value heads in a part
    t: int  # positions in a part

    @property
    def rows(self) -> int:
        """Queries in a part, at most."""
        return self.heads * self.G * self.t

    @property
    def length(self) -> int:
        """How many parts there are."""
        return self.B * -(-self.H_kv // self.heads) * -(-self.T // self.t)

    def parts(self) -> Iterator[Part]:
        for batch in range(self.B):
            for head in range(0, self.H_kv, self.heads):
                heads = slice(head, min(head + self.heads, self.H_kv))
                for first in range(0, self.T, self.t):
                    queries = slice(first, min(first + self.t, self.T))
                    yield Part(batch, heads, slice(None), queries)


def _divide(shape: tuple[int, ...], query_block: int, key_block: int) -> _Division:
    """Choose blocks that fill a core's cache, and parts that are enough for every core."""
    B, H_kv, G, T, S = shape
    t = min(T, max(1, query_block // G))
    most = min(BLOCK_ENTRIES // (G * t * key_block), PART_ENTRIES // (G * t * S))
    return _Division(B, H_kv, G, T, heads=min(H_kv, max(1, most)), t=t)


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
    k, v = _ready(k, dtype), _ready(v, dtype)
    plain, strict, checked = False, False, True
    # For so few scores the bounds would cost more than they save.
    if math.prod(q.shape[:3]) * k.shape[2] > BLOCK_ENTRIES:
        bound = score_bound(q, k, scale)
        plain = bias is None and bound <= PLAIN_SCORE and columns_within(v, *PLAIN_VALUES)
        strict = bound > STEADY_SCORE
        widened = bias is not None and bias.dtype.itemsize > dtype.itemsize
        checked = widened or not bound < safe_limit(dtype)
    by_two = plain and dtype == np.float32 and exp2_is_faster()
    return Problem(
        q=q.reshape(q.shape[0], *groups, *q.shape[2:]),
        k=k,
        v=v,
        mask=None if mask is None else _grouped(mask, groups),
        bias=None if bias is None else _grouped(bias, groups),
        causal=causal,
        factor=dtype.type(scale * math.log2(math.e) if by_two else scale),
        plain=plain,
        strict=strict,
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

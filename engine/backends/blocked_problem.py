"""What holds for a whole call of attention in blocks: its arrays, and which short cuts are safe."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.backends.bounds import columns_within, safe_limit, score_bound
from engine.shapes import Array

FEW_SCORES = 2**17  # For no more than these, bounds would cost more than they save
# exp of such a score, times such a value, summed over S, is far from both ends of float32.
PLAIN_SCORE = 30.0
PLAIN_VALUES = (1e-18, 1e18)
# Normal scores that reach this far somewhere soon outgrow those of the first keys by much.
STEADY_SCORE = 256.0


class Problem(NamedTuple):
    """One call, with the query heads grouped by the key-value head that serves them.

    Attributes
    ----------
    q, k, v : np.ndarray
        (B, H_kv, G, T, D), (B, H_kv, S, D), (B, H_kv, S, E).
    mask, bias : np.ndarray or None
        (B, H_kv, G, T, S), any size may be 1.
    causal : bool
    factor : float
        What the queries are multiplied by, so that the scores are scaled.
    plain : bool
        No score is large: no shift.
    strict : bool
        Scores are so large that they may grow much from block to block.
    checked : bool
        Look for overflow in every block.
    exponential : np.ufunc
        Turns a score into its share before normalising: `numpy.exp`, or `numpy.exp2` if
        ``factor`` holds log2(e).
    key_block : int
    """

    q: Array
    k: Array
    v: Array
    mask: Array | None
    bias: Array | None
    causal: bool
    factor: float
    plain: bool
    strict: bool
    checked: bool
    exponential: Callable[..., Array]
    key_block: int

    @property
    def offset(self) -> int:
        """How many keys come before the first query's own."""
        return int(self.k.shape[2] - self.q.shape[3])


def prepare(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
    key_block: int,
) -> Problem:
    """Choose the precision and the short cuts; see `blocked_attention` for the parameters."""
    dtype = np.result_type(q, k, v, np.float32)
    groups = (k.shape[1], q.shape[1] // k.shape[1])
    k, v = _ready(k, dtype), _ready(v, dtype)
    plain, strict, checked = False, False, True
    if math.prod(q.shape[:3]) * k.shape[2] > FEW_SCORES:
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
    config: Any = np.show_config(mode="dicts")
    features = config.get("SIMD Extensions", {})  # NumPy leaves out what is empty
    return any("X86_V4" in features.get(kind, ()) for kind in ("baseline", "found"))


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

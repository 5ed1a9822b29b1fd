"""What one way of computing attention needs: as a formula predicts it, and at the very most.

Shape legend: B batch, H heads, T tokens (as many keys), D = d_k = d_v.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.backends import blocked, fused
from engine.backends.blocked_plan import Division, divide
from engine.backends.threads import available_cores
from engine.experiments.memory.params import Params
from engine.experiments.memory.tensors import tensors_of

Way = Literal["materialised", "attend"]
Kernel = Literal["formula", "blocked", "fused", "fallback"]
Stored = Literal["all", "head", "part"]
WAYS: tuple[Way, ...] = ("materialised", "attend")
ITEMSIZES = {"float32": 4, "float16": 2}
# Matrices of (B, H, T, T) that are held at once where every step makes a new one, in
# `engine.attention.softmax`: the scores, the exponentials, and the weights made of them.
HELD = 3


class Sizes(NamedTuple):
    """The sizes of one computation."""

    B: int
    H: int
    T: int
    D: int
    dtype: str

    @property
    def itemsize(self) -> int:
        """Bytes of one number."""
        return ITEMSIZES[self.dtype]

    @property
    def queries(self) -> int:
        """Numbers in q, as many as in k, v and the output."""
        return self.B * self.H * self.T * self.D

    @property
    def pairs(self) -> int:
        """Pairs of a query and a key, in all heads: the numbers in the scores."""
        return self.B * self.H * self.T * self.T

    @property
    def operations(self) -> int:
        """Multiplications and additions of scores and weighted sum, of all pairs."""
        return 4 * self.pairs * self.D


def predicted_bytes(kernel: Kernel, sizes: Sizes) -> int:
    """Return what is held beyond q, k and v by the formula: scores, weights and output.

    In blocks, the scores and weights of one block; in the fused kernel, none of them. What NumPy
    computes in blocks is told by `engine.backends.blocked` itself.
    """
    if kernel == "blocked":
        return _blocked_bytes(sizes)
    if kernel == "fallback":
        return 2 * block_pairs(sizes) * sizes.itemsize + sizes.queries * sizes.itemsize
    method = "materialised" if kernel == "formula" else "fused"
    held = tensors_of(_params(sizes), method)
    return sum(each.bytes for each in held if each.name not in ("q", "k", "v"))


def most_bytes(kernel: Kernel, sizes: Sizes) -> int:
    """Return the most that is held at once beyond q, k and v, with what a formula leaves out."""
    size, rows = sizes.itemsize, sizes.B * sizes.H * sizes.T
    output, mask = sizes.queries * size, 2 * sizes.T**2
    if kernel == "formula":
        return HELD * sizes.pairs * size + output + 4 * rows * size + mask
    if kernel == "fallback":
        return HELD * block_pairs(sizes) * size + output + 4 * rows * size + mask
    if kernel == "fused":  # and a copy of each input, should it be laid out in another way
        return 4 * output
    return _blocked_bytes(sizes) + mask_bytes(sizes) * available_cores()


def working_bytes(kernel: Kernel, sizes: Sizes) -> int:
    """Return all that a measurement holds at once, inputs included.

    They are drawn in float32 and turned into the dtype, or copied by a backend.
    """
    drawn = 3 * sizes.queries * (ITEMSIZES["float32"] + sizes.itemsize)
    return drawn + most_bytes(kernel, sizes)


def block_pairs(sizes: Sizes) -> int:
    """Return the scores that `engine.backends.fused` lets MLX hold at once, in all heads."""
    B, H, T, D, _ = sizes
    return B * H * fused.block_rows(B, H, T, T, D, D) * T


def threads_of(sizes: Sizes, cores: int) -> int:
    """Return on how many threads NumPy computes attend, of so many cores."""
    division, key_block = _division(sizes)
    most = division.threads(sizes.T, sizes.D, sizes.D, key_block, cores)
    return max(1, min(division.length, most))


def stored(sizes: Sizes, cores: int) -> Stored:
    """Return what the blocks of NumPy's attend hold: all scores, a head's matrix, or a part."""
    division, key_block = _division(sizes)
    if threads_of(sizes, cores) * division.rows * key_block >= sizes.pairs:
        return "all"
    return "head" if division.t == key_block == sizes.T else "part"


def mask_bytes(sizes: Sizes) -> int:
    """Return the bytes of the causal mask of a block, and of its opposite, at most."""
    division, key_block = _division(sizes)
    return 2 * division.t * key_block


def _division(sizes: Sizes) -> tuple[Division, int]:
    B, H, T, _, _ = sizes
    key_block = min(T, blocked.KEY_BLOCK)
    return divide((B, H, 1, T, T), blocked.QUERY_BLOCK, key_block), key_block


def _blocked_bytes(sizes: Sizes) -> int:
    B, H, T, D, dtype = sizes
    return blocked.working_bytes(B, H, H, T, T, D, D, dtype)


def _params(sizes: Sizes) -> Params:
    B, H, T, D, dtype = sizes
    return Params(T=T, batch=B, layers=1, heads=H, kv_heads=H, d_k=D, dtype=dtype)

"""What one way of computing attention needs: as a formula predicts it, and at the very most."""

from __future__ import annotations

import math
from typing import Literal

from engine.backends import fused
from engine.experiments.memory.materialised import HELD

Way = Literal["materialised", "attend"]
Kernel = Literal["formula", "blocked", "fused", "fallback"]
WAYS: tuple[Way, ...] = ("materialised", "attend")
SIZES = {"float32": 4, "float16": 2}


def input_bytes(B: int, H: int, T: int, D: int, dtype: str) -> int:
    """Return the bytes of q, k and v together."""
    return 3 * B * H * T * D * SIZES[dtype]


def predicted_bytes(kernel: Kernel, B: int, H: int, T: int, D: int, dtype: str) -> int:
    """Return what the formula says is held beyond q, k and v.

    Scores, weights and output; in blocks, those of one block.
    """
    size, output = SIZES[dtype], B * H * T * D * SIZES[dtype]
    if kernel == "formula":
        return 2 * B * H * T * T * size + output
    if kernel == "fallback":
        return 2 * B * H * _rows(B, H, T, D) * T * size + output
    if kernel == "fused":
        return output
    return blocked_bytes(B, H, T, D)


def blocked_bytes(B: int, H: int, T: int, D: int) -> int:
    """Return what `engine.backends.blocked` allocates beyond q, k and v, its output included."""
    whole = 4 * B * H * T * D
    return 3 * whole + 4 * 256 * 512 * 2


def most_bytes(kernel: Kernel, B: int, H: int, T: int, D: int, dtype: str) -> int:
    """Return the most that is held at once beyond q, k and v, small arrays included."""
    size, row = SIZES[dtype], B * H * T
    if kernel == "formula":
        return HELD * row * T * size + 4 * row * size + row * D * size + 2 * T * T
    if kernel == "fallback":
        part = _rows(B, H, T, D) * B * H * T
        return HELD * part * size + row * D * size + row * size
    return predicted_bytes(kernel, B, H, T, D, dtype)


def working_bytes(kernel: Kernel, B: int, H: int, T: int, D: int, dtype: str) -> int:
    """Return all that a measurement holds at once: inputs too, twice where a backend copies them.

    NumPy computes on the inputs as they are; MLX on copies of its own.
    """
    drawn = input_bytes(B, H, T, D, "float32") + input_bytes(B, H, T, D, dtype)
    return drawn + most_bytes(kernel, B, H, T, D, dtype)


def operations(B: int, H: int, T: int, D: int) -> float:
    """Return the multiplications and additions of scores and weighted sum."""
    return 4.0 * B * H * math.pow(T, 2) * D


def _rows(B: int, H: int, T: int, D: int) -> int:
    """Return how many queries `engine.backends.fused` hands to MLX at once."""
    return fused.block_rows(B, H, T, T, D, D)

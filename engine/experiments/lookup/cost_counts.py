"""What the scores take in operations, counted from their formulas."""

from __future__ import annotations

from typing import Literal, get_args

Way = Literal["dot", "additive"]
WAYS: tuple[Way, ...] = get_args(Way)


def operations_of(T: int, d_k: int, way: Way) -> int:
    """Return additions and multiplications of all scores; a tanh counts apart.

    A dot product in d_k dimensions has 2 d_k of them. Additive attention projects T queries and T
    keys, then has a sum of d_k numbers and a dot product with w for every pair.
    """
    if way == "dot":
        return 2 * T * T * d_k
    return 2 * 2 * T * d_k * d_k + T * T * d_k + 2 * T * T * d_k


def tanhs_of(T: int, d_k: int, way: Way) -> int:
    """Return the hyperbolic tangents of all scores: d_k for every pair, or none."""
    return T * T * d_k if way == "additive" else 0

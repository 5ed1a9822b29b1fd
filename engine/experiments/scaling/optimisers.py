"""Plain stochastic gradient descent, and Adam, in the names that NumPy and mlx.core share."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from engine.shapes import Array

Optimiser = Literal["sgd", "adam"]
OPTIMISERS: tuple[Optimiser, ...] = ("adam", "sgd")
# As in "Adam: a Method for Stochastic Optimization", section 2.
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


def memory_of(optimiser: Optimiser, weights: list[Array]) -> list[Array]:
    """Return what an optimiser remembers at its start: for Adam a mean and a mean square each."""
    if optimiser == "sgd":
        return []
    return [np.zeros_like(each) for each in (*weights, *weights)]


def update(
    optimiser: Optimiser,
    xp: Any,
    weights: list[Any],
    memory: list[Any],
    gradients: list[Any],
    *,
    step: int,
    rate: float,
) -> None:
    """Move the weights against their gradients, in place.

    Parameters
    ----------
    step : int
        Counted from 0.
    """
    if optimiser == "sgd":
        for number, gradient in enumerate(gradients):
            weights[number] -= rate * gradient
        return
    for number, gradient in enumerate(gradients):
        _adam(xp, weights, memory, gradient, number=number, step=step + 1, rate=rate)


def _adam(
    xp: Any,
    weights: list[Any],
    memory: list[Any],
    gradient: Any,
    *,
    number: int,
    step: int,
    rate: float,
) -> None:
    """Update one weight matrix; ``step`` counts from 1 as in the paper."""
    square = number + len(weights)
    memory[number] *= BETA_1
    memory[number] += (1 - BETA_1) * gradient
    memory[square] *= BETA_2
    memory[square] += (1 - BETA_2) * xp.square(gradient)
    # Both means begin at 0, and are too small by these factors.
    spread = xp.sqrt(memory[square]) * (1 / math.sqrt(1 - BETA_2**step))
    weights[number] -= (rate / (1 - BETA_1**step)) * memory[number] / (spread + EPSILON)

"""One run of training, taken in blocks of steps: what it has learned and recorded so far."""

from __future__ import annotations

import math
from dataclasses import astuple
from typing import Any

import numpy as np

from engine.backends import Backend
from engine.experiments.scaling.optimisers import Optimiser, memory_of, update
from engine.experiments.scaling.recall import Lesson, Weights, gradient_norm, learn
from engine.experiments.scaling.task import Batches, Start
from engine.shapes import Array

PRECISION = "float32"  # on every backend, so that they learn from the same numbers
DIVERGED = 1e6  # a loss or a gradient beyond it has nothing more to tell
MEASURES = 3  # loss, accuracy, norm of the gradient


class Course:
    """One seed, one way.

    Attributes
    ----------
    records : np.ndarray
        float64, (steps so far, 3): loss, accuracy and norm of the gradient, before each update.
    diverged_at : int or None
        The step at which it ended, because a number was not finite or beyond ``DIVERGED``.
    """

    def __init__(self, start: Start, *, scaled: bool, optimiser: Optimiser, rate: float) -> None:
        self._keys, *weights = (each.astype(PRECISION) for each in astuple(start))
        self._state = [*weights, *memory_of(optimiser, weights)]
        self._static = {
            "scale": 1 / math.sqrt(start.keys.shape[1]) if scaled else 1.0,
            "optimiser": optimiser,
            "rate": rate,
        }
        self.records: Array = np.empty((0, MEASURES))
        self.diverged_at: int | None = None

    def advance(self, batches: Batches, backend: Backend) -> None:
        """Take one step for each batch, or as many as stay finite."""
        if self.diverged_at is not None:
            return
        first = len(self.records)
        shown = (self._keys, batches.symbols, batches.asked, batches.right)
        records, self._state = backend.run(
            _steps, *shown, *self._state, first=first, **self._static
        )
        records = records.astype(np.float64)
        lost = ~(np.abs(records) <= DIVERGED).all(axis=1)  # NaN is not below anything
        if lost.any():
            self.diverged_at = first + int(lost.argmax())
            records = records[: lost.argmax()]
            self._state = []
        self.records = np.concatenate([self.records, records])


def _steps(
    xp: Any,
    keys: Any,
    symbols: Any,
    asked: Any,
    right: Any,
    *state: Any,
    scale: float,
    optimiser: Optimiser,
    rate: float,
    first: int,
) -> tuple[Any, list[Any]]:
    """Take a step for each batch; return what was measured (n, 3), and the new state."""
    size = len(Weights._fields)
    weights, memory = list(state[:size]), list(state[size:])
    records = []
    for n in range(asked.shape[0]):
        lesson = Lesson(keys, symbols[n], asked[n], right[n])
        loss, accuracy, gradients = learn(xp, Weights(*weights), lesson, scale)
        records.append(xp.stack([loss, accuracy, gradient_norm(xp, gradients)]))
        update(optimiser, xp, weights, memory, list(gradients), step=first + n, rate=rate)
    return xp.stack(records), [*weights, *memory]

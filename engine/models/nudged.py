"""What rounding alone can make of a model's final vectors, measured: every number is nudged.

A run on other hardware, or beside other runs, rounds its sums in another way. How far that carries
depends on the model: a sharp softmax in an early layer can make a thousand times as much of it as
another. So whole runs are made in which each number that enters a layer is moved to the next one
that float32 has, up or down by chance (Monte Carlo arithmetic: Parker, 1997).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import choose_backend
from engine.backends import Backend
from engine.backends.threads import run_all
from engine.experiments.read_only import read_only
from engine.models.config import ModelConfig
from engine.models.memory import division, require_free
from engine.models.parameters import Parameters
from engine.models.steps import Steps, as_tokens
from engine.shapes import Array

RUNS = 8


def run_nudged(
    config: ModelConfig,
    parameters: Parameters,
    ids: ArrayLike,
    *,
    start: int = 0,
    runs: int = RUNS,
    backend: Backend | str | None = None,
) -> Array:
    """Run a model on one text with nudges before each layer from one on, and after the last.

    Parameters
    ----------
    config, parameters, ids, backend : see `engine.models.forward.run_model`
    start : int
        The first layer before which numbers are nudged, from 0.
    runs : int
        How many runs; the same nudges every time for the same number.

    Returns
    -------
    np.ndarray
        (runs, T, width) float32: the final vectors.

    Raises
    ------
    ModelError, BackendError
        As `engine.models.forward.run_cuts` does.
    """
    chosen, tokens = choose_backend(backend), as_tokens(config, ids)
    require_free(config, tokens.size, runs, chosen)
    steps = Steps(config, parameters, tokens, chosen)
    entering = steps.embedded()
    for layer in range(start):
        entering, _weights = steps.layer(layer, entering, steps.visible)
    spread = division(config, tokens.size, chosen)
    batches = tuple(
        range(begin, min(begin + spread.at_once, runs)) for begin in range(0, runs, spread.at_once)
    )
    final = np.empty((runs, tokens.size, config.width), np.float32)

    def run(batch: range) -> None:
        draws = [np.random.default_rng(number) for number in batch]
        x = _nudged(np.repeat(entering, len(batch), axis=0), draws)
        for layer in range(start, config.layers):
            x, _weights = steps.layer(layer, x, steps.visible)
            x = _nudged(x, draws)
        final[list(batch)] = steps.finished(x)

    run_all(batches, lambda: run, threads=spread.threads)
    return read_only(final)[0]


def _nudged(x: Array, draws: list[np.random.Generator]) -> Array:
    """Return each number of x (N, T, W) moved to a neighbour in float32, drawn run by run."""
    up = np.stack([draw.integers(0, 2, x.shape[1:], np.int8) for draw in draws])
    towards = np.where(up, np.float32(np.inf), np.float32(-np.inf))
    near: Array = np.nextafter(x, towards)
    return near

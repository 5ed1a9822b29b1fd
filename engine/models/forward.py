"""A forward pass through a whole model: every attention weight, and the final vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.read_only import close_fields, read_only
from engine.models.config import ModelConfig
from engine.models.cut_runs import CutRuns
from engine.models.cuts import Cut, require_cuts
from engine.models.memory import division, require_free
from engine.models.parameters import Parameters
from engine.models.steps import Steps, as_tokens
from engine.models.telling import Listener, Told
from engine.shapes import Array


@dataclass(frozen=True, eq=False)
class Passed:
    """What a forward pass gives; L layers, H heads, T tokens.

    Attributes
    ----------
    attention : np.ndarray
        (L, H, T, T) float32: the weight of each key (last axis) for each query.
    final : np.ndarray
        (T, width) float32: BERT's last hidden state; GPT-2's after its final normalisation.
    """

    attention: Array
    final: Array


def run_model(
    config: ModelConfig,
    parameters: Parameters,
    ids: ArrayLike,
    *,
    backend: Backend | str | None = None,
    progress: Listener | None = None,
) -> Passed:
    """Run a model on one text.

    Parameters
    ----------
    config : ModelConfig
    parameters : Parameters
    ids : array-like of int, (T,)
        The tokens' numbers in the vocabulary; T from 1 to ``config.positions``.
    backend : Backend, str or None
        Where to compute, in float32; None is the best for this machine.
    progress : callable, optional
        Told the share that is done, from 0 to 1, after each layer; it may raise to stop.

    Returns
    -------
    Passed

    Raises
    ------
    ModelError
        If ``ids`` are no tokens of this model, or its numbers overflow.
    BackendError
        If the named backend is missing, or memory runs out.
    """
    chosen, tokens = choose_backend(backend), as_tokens(config, ids)
    require_free(config, tokens.size, 0, chosen)
    steps = Steps(config, parameters, tokens, chosen)
    shape = (config.layers, config.heads, tokens.size, tokens.size)
    attention = np.empty(shape, np.float32)
    told, x = Told(progress, config.layers), steps.embedded()
    for layer in range(config.layers):
        x, weights = steps.layer(layer, x, steps.visible)
        attention[layer] = weights[0]
        told.add(1)
    passed = Passed(attention, steps.finished(x)[0])
    close_fields(passed)
    return passed


def run_cuts(
    config: ModelConfig,
    parameters: Parameters,
    ids: ArrayLike,
    cuts: Sequence[Cut],
    *,
    backend: Backend | str | None = None,
    progress: Listener | None = None,
) -> Array:
    """Run a model once for each cut and return the final vectors.

    The score of the key that is cut becomes minus infinity before softmax, so that the rest of
    the row is a distribution again. Layers before a cut are computed once for all of them.

    Parameters
    ----------
    config, parameters, ids, backend : see `run_model`
    cuts : sequence of Cut
        One run each.
    progress : callable, optional
        Told the share that is done, from 0 to 1; it may raise to stop.

    Returns
    -------
    np.ndarray
        (len(cuts), T, width) float32.

    Raises
    ------
    ModelError
        If a cut names what the text or the model does not have, or leaves a query with no key.
    """
    chosen, tokens = choose_backend(backend), as_tokens(config, ids)
    require_cuts(config, tokens.size, cuts)
    require_free(config, tokens.size, len(cuts), chosen)
    if not cuts:
        return read_only(np.empty((0, tokens.size, config.width), np.float32))[0]
    spread = division(config, tokens.size, chosen)
    steps = Steps(config, parameters, tokens, chosen)
    runs = CutRuns(config, steps, tokens.size, cuts, progress)
    return read_only(runs.run(at_once=spread.at_once, threads=spread.threads))[0]

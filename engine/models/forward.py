"""A forward pass through a whole model: every attention weight, and the final vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.read_only import close_fields, read_only
from engine.models.config import ModelConfig
from engine.models.cuts import Cut, first_layer, require_cuts, visible_with
from engine.models.memory import cuts_at_once, require_free
from engine.models.parameters import Parameters
from engine.models.steps import Steps, as_tokens
from engine.shapes import Array

Listener = Callable[[float], None]


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
    x = steps.embedded()
    for layer in range(config.layers):
        x, weights = steps.layer(layer, x, steps.visible)
        attention[layer] = weights[0]
        _tell(progress, layer + 1, config.layers)
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
    steps = Steps(config, parameters, tokens, chosen)
    starts = [first_layer(cut) for cut in cuts]
    whole = max(starts, default=0)
    total = whole + sum(config.layers - start for start in starts)
    final = np.empty((len(cuts), tokens.size, config.width), np.float32)
    entering, done = [steps.embedded()], 0
    for layer in range(whole):
        entering.append(steps.layer(layer, entering[layer], steps.visible)[0])
        done += 1
        _tell(progress, done, total)
    for start, places in _batches(starts, cuts_at_once(config, tokens.size)):
        batch = [cuts[place] for place in places]
        x = np.repeat(entering[start], len(batch), axis=0)
        for layer in range(start, config.layers):
            visible = visible_with(steps.visible, batch, layer, config.heads)
            x, _weights = steps.layer(layer, x, visible)
            done += len(batch)
            _tell(progress, done, total)
        final[places] = steps.finished(x)
    return read_only(final)[0]


def _batches(starts: Sequence[int], most: int) -> Iterator[tuple[int, list[int]]]:
    """Yield a first layer, and the places of at most ``most`` cuts that begin in it."""
    for start in sorted(set(starts)):
        places = [place for place, each in enumerate(starts) if each == start]
        for begin in range(0, len(places), most):
            yield start, places[begin : begin + most]


def _tell(progress: Listener | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done / total)

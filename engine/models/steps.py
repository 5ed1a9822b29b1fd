"""The steps of a forward pass on a backend: embeddings, one layer after the other, the end."""

from __future__ import annotations

from contextlib import nullcontext
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.backends import Backend
from engine.backends.base import Compute
from engine.backends.threads import one_blas_thread
from engine.errors import ModelError
from engine.masks import causal_mask
from engine.models import bert, gpt2
from engine.models.config import ModelConfig
from engine.models.parameters import Parameters
from engine.shapes import Array, all_finite


class Steps:
    """Runs the parts of one model on one text; each call is one piece of work of the backend.

    Arrays are (N, T, width): N runs at once. ``visible`` is bool (1, 1, T, T), True = may look.

    Parameters
    ----------
    config : ModelConfig
    parameters : Parameters
    tokens : np.ndarray of int, (T,)
        As `as_tokens` returns them.
    backend : Backend
    """

    def __init__(
        self, config: ModelConfig, parameters: Parameters, tokens: Array, backend: Backend
    ) -> None:
        self._config, self._parameters = config, parameters
        self._tokens, self._backend = tokens, backend
        self._family: ModuleType = bert if config.family == "bert" else gpt2
        T = tokens.size
        seen = causal_mask(T) if config.family == "gpt2" else np.ones((T, T), np.bool_)
        self.visible: Array = seen[None, None]

    def embedded(self) -> Array:
        """Return the vectors that enter the first layer, (1, T, width)."""
        weights = self._parameters
        # Rows are picked here: a backend need not be given the whole vocabulary for a few.
        words, places = weights.words[self._tokens][None], weights.places[: self._tokens.size]
        if weights.segments is None:
            found = self._run(gpt2.embed, words, places)
        else:
            outside = (weights.segments[0], weights.gain, weights.shift)
            found = self._run(bert.embed, words, places, *outside, epsilon=self._config.epsilon)
        return _finite(found, 0)

    def layer(self, layer: int, x: Array, visible: Array) -> tuple[Array, Array]:
        """Return the vectors after a layer, (N, T, width), and its weights, (N, H, T, T)."""
        config = self._config
        found: dict[str, Any] = self._run(
            self._family.run_layer,
            x,
            visible,
            *self._parameters.layers[layer].arrays(),
            heads=config.heads,
            epsilon=config.epsilon,
            activation=config.activation,
        )
        return _finite(found["x"], layer + 1), found["weights"]

    def finished(self, x: Array) -> Array:
        """Return the final vectors, (N, T, width): GPT-2 normalises once more."""
        if self._config.family == "bert":
            return x
        weights, epsilon = self._parameters, self._config.epsilon
        found = self._run(gpt2.finish, x, weights.gain, weights.shift, epsilon=epsilon)
        return _finite(found, self._config.layers)

    def _run(self, compute: Compute, *arrays: Array, **static: Any) -> Any:
        # One thread is as quick for products of this size, and keeps its speed on a busy machine.
        held = one_blas_thread() if self._backend.name == "numpy" else nullcontext()
        with held:
            return self._backend.run(compute, *arrays, **static)


def as_tokens(config: ModelConfig, ids: ArrayLike) -> Array:
    """Return the numbers of tokens as whole numbers, (T,).

    Raises
    ------
    ModelError
        If they are none, are too many, or are not in the vocabulary.
    """
    tokens = np.asarray(ids)
    if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "iu"):
        raise ModelError(
            "The tokens of a text must be whole numbers in one row, got {dtype} of shape {shape}.",
            dtype=tokens.dtype,
            shape=tokens.shape,
        )
    if not 1 <= tokens.size <= config.positions:
        raise ModelError(
            "This model takes texts of 1 to {most} tokens, got {count}.",
            most=config.positions,
            count=tokens.size,
        )
    strange = (tokens < 0) | (tokens >= config.vocabulary)
    if strange.any():
        place = int(np.argmax(strange))
        raise ModelError(
            "Token {place} is number {number} of the vocabulary, and the model has vectors for "
            "numbers 0 to {last}; the tokenizer belongs to another model.",
            place=place + 1,
            number=int(tokens[place]),
            last=config.vocabulary - 1,
        )
    return tokens


def _finite(x: Array, layer: int) -> Array:
    """Return ``x``; refuse what has left the finite numbers."""
    if all_finite(x):
        return x
    if layer == 0:
        raise ModelError(
            "The vectors of this model overflow float32 before its first layer; its weights "
            "cannot be used."
        )
    raise ModelError(
        "The vectors of this model overflow float32 in layer {layer}; its weights cannot be used.",
        layer=layer,
    )

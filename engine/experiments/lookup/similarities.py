"""Five ways to say how alike a query and a key are.

They work in the names that NumPy and mlx.core share, for use inside ``Backend.run``. Shape legend:
n keys, d the width of query and keys, which is the hidden width of additive attention as well.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError, NumberError
from engine.experiments.lookup.table import LIMITS, Params, Similarity
from engine.shapes import Array

_WIDEST = LIMITS["key"][1]
UNITS = 8  # in the last place: what a sum of some products may be off by


class Additive(NamedTuple):
    """The weights of additive attention: (d, d), (d, d) and (d,)."""

    w_query: Any
    w_key: Any
    w: Any


def additive_weights(seed: int, d: int) -> Additive:
    """Return weights as they are before training, float64: normal with variance 1/d.

    Each depends on the seed and on its own place only, so that a wider network begins with every
    narrower one, but for the factor.
    """
    w_query, w_key, w = (_drawn(seed, stream, d) for stream in range(3))
    return Additive(w_query, w_key, w[0])


def _drawn(seed: int, stream: int, d: int) -> Array:
    """Return one of the independent matrices (d, d) that are drawn from a seed."""
    widest = np.random.default_rng([seed, stream]).standard_normal((_WIDEST, _WIDEST))
    return np.asarray(widest[:d, :d] / math.sqrt(d))


def scores_of(xp: Any, similarity: Similarity, query: Any, keys: Any, additive: Additive) -> Any:
    """Return the scores (n,) of the keys.

    ========  ==================================================================================
    dot       q·k
    scaled    q·k/√d (Vaswani et al. 2017, 3.2.1)
    cosine    q·k/(|q||k|); neither may be zero
    gaussian  -|q - k|²/2: softmax of it at temperature σ² is the regression of Nadaraya and
              Watson (1964) with a Gaussian kernel of width σ
    additive  w·tanh(W_q q + W_k k) (Bahdanau et al. 2015)
    ========  ==================================================================================

    Parameters
    ----------
    query, keys : (d,), (n, d)
    """
    if similarity == "gaussian":
        # Taken from 0, since minus 0 would be shown as such.
        return 0.0 - 0.5 * xp.sum(xp.square(query[None, :] - keys), axis=-1)
    if similarity == "additive":
        hidden = xp.matmul(additive.w_query, query)[None, :] + keys @ additive.w_key.T
        return xp.matmul(xp.tanh(hidden), additive.w)
    if similarity == "cosine":
        query, keys = unit(xp, query), unit(xp, keys)
    dots = xp.matmul(keys, query)
    return dots / math.sqrt(query.shape[0]) if similarity == "scaled" else dots


def unit(xp: Any, vectors: Any) -> Any:
    """Return vectors (..., d) of length 1; one of length 0 stays as it is."""
    lengths = xp.sqrt(xp.sum(xp.square(vectors), axis=-1, keepdims=True))
    return vectors / xp.where(lengths == 0, xp.ones_like(lengths), lengths)


def refusal_of(similarity: Similarity, params: Params) -> EngineError | None:
    """Return why a checked table has no scores of a similarity; None where it has."""
    if similarity != "cosine":
        return None
    if not any(params.query):
        return NumberError(
            "The query is a zero vector and has no direction, so that it has no cosine; move it, "
            "or choose another similarity."
        )
    for row, key in enumerate(params.keys):
        if not any(key):
            return NumberError(
                "The key of {name} is a zero vector and has no direction, so that it has no "
                "cosine; change row {row}, or choose another similarity.",
                name=params.names[row],
                row=row + 1,
            )
    return None


def rounding_of(
    similarity: Similarity, query: Array, keys: Array, additive: Additive, precision: str
) -> Array:
    """Return by how much each score (n,) may be off through rounding alone, of float64 inputs."""
    size = np.abs(query) + np.abs(keys)  # (n, d)
    if similarity == "gaussian":
        reached = (size * np.abs(query - keys)).sum(axis=1)
    elif similarity == "additive":
        inside = np.abs(keys) @ np.abs(additive.w_key).T
        inside += np.abs(additive.w_query) @ np.abs(query)
        reached = (1 + inside) @ np.abs(additive.w)
    elif similarity == "cosine":
        reached = np.ones(len(keys))
    else:
        reached = (
            np.abs(keys) @ np.abs(query) / (math.sqrt(len(query)) if similarity == "scaled" else 1)
        )
    return np.asarray(UNITS * float(np.finfo(precision).eps) * reached)

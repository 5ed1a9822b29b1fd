"""Why one layer cannot tell whom "it" means: the ratio of two of its weights does not move.

Each word has one vector, whatever stands around it. The last word of the sentence then changes
neither the query of "it" nor the keys of "animal" and "street", so that neither of the two scores
changes. Softmax divides both by the same sum: the weights change, their ratio does not, whatever
the matrices are, in any number of heads.

Shape legend: H heads, T words, D = d_k.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.errors import NumberError
from engine.experiments.context.two_endings import ANIMAL, ENDINGS, IT, LAST, STREET, TOKENS
from engine.experiments.masks.inputs import word_vectors
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.properties.heads import require_switch
from engine.experiments.properties.sinusoids import sinusoids
from engine.experiments.read_only import close_fields
from engine.experiments.scaling.inputs import is_within, require_count, require_seed, shown
from engine.shapes import Array

MOST_WIDTH = 256
MOST_HEADS = 64
MOST_SPREAD = 4.0


@dataclass(frozen=True)
class SingleLayerParams:
    """One layer of random heads.

    Attributes
    ----------
    d_model, d_k : int
        1 to 256.
    heads : int
        1 to 64.
    seed : int
        0 to 999,999: words and matrices are drawn from it.
    positions : bool
        Whether sinusoidal positions, counted from 0, are added to the vectors of the words.
    spread : float
        Standard deviation of the entries of W_Q and W_K in units of 1/sqrt(d_model), 0 to 4; at 1
        queries and keys have components of variance near 1.
    """

    d_model: int = 16
    d_k: int = 16
    heads: int = 8
    seed: int = 1
    positions: bool = True
    spread: float = 1.0


@dataclass(frozen=True)
class SingleLayerResult:
    """What "it" attends to with either ending; axes of 2 hold "tired", then "wide".

    Attributes
    ----------
    tokens : tuple of tuples of str
        The T words with either ending.
    query, animal, street, last : int
        Places in both, counted from 0: of "it", of the two nouns, and of the word that changes.
    weights : np.ndarray
        (2, H, T), the row of "it" in each head.
    log_ratio : np.ndarray
        (2, H), log(w_animal / w_street), of logarithms that do not underflow where weights do.
    difference : np.ndarray
        (H,), the absolute difference of the two log-ratios.
    largest_difference : float
        Of all heads.
    rounding : float
        How far the log-ratios may differ through rounding alone.
    movement : np.ndarray
        (H,), half the sum of the absolute differences of the two rows: the share of the weight that
        has gone elsewhere.
    """

    params: SingleLayerParams
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    query: int
    animal: int
    street: int
    last: int
    weights: Array
    log_ratio: Array
    difference: Array
    largest_difference: float
    rounding: float
    movement: Array
    backend_name: str
    precision: str
    seconds: float

    @property
    def ratio_is_kept(self) -> bool:
        """Whether no head changes the ratio, to rounding."""
        return self.largest_difference <= self.rounding


def compare_in_one_layer(
    params: SingleLayerParams, *, backend: Backend | str | None = None
) -> SingleLayerResult:
    """Attend from "it" with both endings, in every head.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    _require_usable(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    found = _attended(params, chosen)
    nouns = found["logs"][..., [ANIMAL, STREET]]
    log_ratio = nouns[..., 0] - nouns[..., 1]
    difference = np.abs(log_ratio[0] - log_ratio[1])
    result = SingleLayerResult(
        params=params,
        tokens=(TOKENS["tired"], TOKENS["wide"]),
        query=IT,
        animal=ANIMAL,
        street=STREET,
        last=LAST,
        weights=found["weights"],
        log_ratio=log_ratio,
        difference=difference,
        largest_difference=float(difference.max()),
        rounding=rounding_of(np.append(nouns, nouns.dtype.type(1))),  # of what is subtracted
        movement=np.abs(found["weights"][0] - found["weights"][1]).sum(axis=-1) / 2,
        backend_name=chosen.name,
        precision=chosen.precision,
        seconds=time.perf_counter() - started,
    )
    close_fields(result)
    return result


def inputs_of(params: SingleLayerParams) -> tuple[Array, Array, Array]:
    """Return the words of both endings (2, T, d_model), and W_Q and W_K (H, d_model, D), float64.

    A word has the same vector wherever it stands, but for its position, and a head the same
    matrices beside any others.
    """
    x = np.stack([word_vectors(TOKENS[name], params.seed, params.d_model) for name in ENDINGS])
    if params.positions:
        x = x + sinusoids(*x.shape[1:])
    return x, *_projections(params)


def _attended(params: SingleLayerParams, backend: Backend) -> dict[str, Array]:
    """Return the weights of "it" and their logarithms, (2, H, T) each."""
    arrays = (each.astype(backend.precision) for each in inputs_of(params))
    found: dict[str, Array] = backend.run(_row, *arrays, query=IT)
    return found


def _row(xp: Any, x: Any, w_q: Any, w_k: Any, *, query: int) -> dict[str, Any]:
    """Compute one row of weights in each sentence and head.

    Parameters
    ----------
    x : (2, T, d_model)
    w_q, w_k : (H, d_model, D)
    """
    q = xp.matmul(x[:, None, query : query + 1, :], w_q)  # (2, H, 1, D)
    k = xp.matmul(x[:, None], w_k)  # (2, H, T, D)
    scaled = xp.matmul(q, xp.swapaxes(k, -1, -2))[:, :, 0, :] / math.sqrt(w_q.shape[-1])
    shifted = scaled - xp.max(scaled, axis=-1, keepdims=True)
    logs = shifted - xp.log(xp.sum(xp.exp(shifted), axis=-1, keepdims=True))
    return {"weights": softmax(xp, scaled), "logs": logs}


def _projections(params: SingleLayerParams) -> tuple[Array, Array]:
    """Return W_Q and W_K of every head, (H, d_model, D)."""
    size = params.spread / math.sqrt(params.d_model)
    shape = (params.d_model, params.d_k)
    w_q, w_k = (
        size * np.stack([_drawn(params.seed, role, head, shape) for head in range(params.heads)])
        for role in ("w_q", "w_k")
    )
    return w_q, w_k


def _drawn(seed: int, role: str, head: int, shape: tuple[int, int]) -> Array:
    return np.random.default_rng([seed, head, *role.encode()]).standard_normal(shape)


def _require_usable(params: SingleLayerParams) -> None:
    for name in ("d_model", "d_k"):
        require_count(name, getattr(params, name), 1, MOST_WIDTH)
    require_count("heads", params.heads, 1, MOST_HEADS)
    require_seed(params.seed)
    require_switch("positions", params.positions)
    if not is_within(params.spread, 0, MOST_SPREAD):
        raise NumberError(
            "The spread of the matrices must be a number from {least} to {most}, got {value}.",
            least=0,
            most=shown(MOST_SPREAD),
            value=shown(params.spread),
        )

"""How sharp softmax is before training, with scores of the dot product and of additive attention.

Vaswani et al. (2017, 3.2.1) suspect that dot products grow large with d_k, so that softmax
saturates, and that additive attention is ahead of them there for this reason. This measures the
first half, at the start of training; how well either learns is not measured by it.

Shape legend: N networks, R queries for each, S keys for each query, D = d_k.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.backends.threads import one_blas_thread
from engine.errors import OptionError
from engine.experiments.masks.inputs import require_seed
from engine.experiments.memory.measurable import require_different
from engine.experiments.scaling.progress import Progress
from engine.experiments.whole_number import is_whole
from engine.shapes import Array

__all__ = ["SCORES", "Start", "StartParams", "StartResult", "measure_start"]

Scores = Literal["dot", "scaled", "additive"]
SCORES: tuple[Scores, ...] = get_args(Scores)
MOST_D_K = 256
NETWORKS = (2, 50)
QUERIES, KEYS = 16, 16  # of each network, and of each query


@dataclass(frozen=True)
class StartParams:
    """What is drawn.

    Attributes
    ----------
    d_ks : tuple of int
        1 to 12 different widths, 1 to 256.
    networks : int
        N, 2 to 50: weights of additive attention, each for 16 queries with 16 keys of their own.
    seed : int
        0 to 999,999.
    """

    d_ks: tuple[int, ...] = (4, 16, 64, 256)
    networks: int = 24
    seed: int = 1


@dataclass(frozen=True)
class Start:
    """One kind of scores at one d_k.

    Attributes
    ----------
    deviation : float
        Standard deviation of all scores.
    largest, error : float
        Mean of the largest weight of a query, and its standard error over the networks.
    """

    d_k: int
    scores: Scores
    deviation: float
    largest: float
    error: float


@dataclass(frozen=True)
class StartResult:
    """Every kind of scores at every width.

    Attributes
    ----------
    even : float
        1/16, the largest weight where all keys share alike.
    """

    params: StartParams
    found: tuple[Start, ...]
    even: float
    backend_name: str
    precision: str
    seconds: float

    def of(self, scores: Scores) -> tuple[Start, ...]:
        """Return what was found of one kind, d_k rising."""
        return tuple(each for each in self.found if each.scores == scores)


def measure_start(
    params: StartParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> StartResult:
    """Draw queries, keys and networks, and measure softmax of their scores.

    Queries and keys are standard normal; W_q, W_k and w of additive attention are normal with
    variance 1/d_k, as is usual before training. All are drawn in float64, on every backend alike.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    _validate(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    d_ks = sorted(params.d_ks)
    report = Progress(sum(d_ks), progress)
    found: list[Start] = []
    for d_k in d_ks:
        # Hundreds of small products: on a busy machine, to hand them out takes longer than they do.
        with one_blas_thread():
            every = chosen.run(_scores_and_weights, *_drawn(params, d_k))
        found += [_start(d_k, kind, *each) for kind, each in zip(SCORES, every, strict=True)]
        report.add(d_k)
    seconds = time.perf_counter() - started
    return StartResult(params, tuple(found), 1 / KEYS, chosen.name, chosen.precision, seconds)


def _validate(params: StartParams) -> None:
    require_different("d_k", params.d_ks, MOST_D_K)
    least, most = NETWORKS
    if not is_whole(params.networks, least, most):
        raise OptionError(
            "The number of networks must be a whole number from {least} to {most}, got {size}.",
            least=least,
            most=most,
            size=params.networks,
        )
    require_seed(params.seed)


def _drawn(params: StartParams, d_k: int) -> tuple[Array, ...]:
    """Return queries (N, R, D), keys (N, R, S, D), W_q and W_k (N, D, D), and w (N, D)."""
    drawn = np.random.default_rng([params.seed, d_k])
    N, deviation = params.networks, 1 / math.sqrt(d_k)
    q = drawn.standard_normal((N, QUERIES, d_k))
    k = drawn.standard_normal((N, QUERIES, KEYS, d_k))
    shapes = ((N, d_k, d_k), (N, d_k, d_k), (N, d_k))
    return q, k, *(drawn.standard_normal(shape) * deviation for shape in shapes)


def _scores_and_weights(
    xp: Any, q: Any, k: Any, w_query: Any, w_key: Any, w: Any
) -> list[tuple[Any, Any]]:
    """Return scores and weights (N, R, S) of every kind."""
    dots = xp.matmul(k, q[..., None])[..., 0]
    queries = xp.matmul(q, w_query)[:, :, None]  # (N, R, 1, D)
    hidden = xp.tanh(queries + xp.matmul(k, w_key[:, None]))
    additive = xp.matmul(hidden, w[:, None, :, None])[..., 0]
    every = (dots, dots / math.sqrt(q.shape[-1]), additive)
    return [(scores, softmax(xp, scores)) for scores in every]


def _start(d_k: int, kind: Scores, scores: Array, weights: Array) -> Start:
    largest = weights.max(axis=-1).astype(np.float64).mean(axis=1)  # (N,)
    return Start(
        d_k=d_k,
        scores=kind,
        deviation=float(scores.astype(np.float64).std()),
        largest=float(largest.mean()),
        error=float(largest.std(ddof=1) / math.sqrt(len(largest))),
    )

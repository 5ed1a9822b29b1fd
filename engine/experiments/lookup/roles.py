"""What a token gives to itself: queries and keys of one projection, and of two.

Shape legend: T positions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.masks.inputs import require_seed
from engine.experiments.read_only import read_only
from engine.experiments.scaling.progress import Progress
from engine.experiments.whole_number import is_whole, require_whole
from engine.shapes import Array

__all__ = [
    "LIMITS",
    "WAYS",
    "Role",
    "RolesParams",
    "RolesResult",
    "Way",
    "measure_roles",
    "validate",
]

Way = Literal["free", "tied"]
WAYS: tuple[Way, ...] = get_args(Way)
LIMITS = {"T": (1, 64), "d_model": (1, 256), "d_k": (1, 256), "draws": (2, 1_000)}
BLOCK = 2**18  # numbers of one matrix held at once, one draw at the least


@dataclass(frozen=True)
class RolesParams:
    """What is drawn.

    Attributes
    ----------
    T : int
        Tokens of a sequence, 1 to 64.
    d_model, d_k : int
        Width of the tokens, and of queries and keys, 1 to 256.
    draws : int
        Sequences, each with its own projections, 2 to 1,000.
    seed : int
        0 to 999,999.
    """

    T: int = 16
    d_model: int = 64
    d_k: int = 64
    draws: int = 200
    seed: int = 1


@dataclass(frozen=True)
class Role:
    """What was measured with two projections or with one.

    Attributes
    ----------
    way : {"free", "tied"}
        W_Q and W_K drawn apart, or W_K = W_Q.
    diagonal : tuple of float
        (draws,), the mean weight that a token gives to itself, in each draw.
    mean, deviation, error : float
        Of ``diagonal``: mean, standard deviation (with N - 1), standard error of the mean.
    asymmetry : float
        Largest difference of a score and its mirror image, over the largest score, in all draws;
        0 to rounding where the scores are symmetric.
    first, first_scores : np.ndarray
        (T, T), weights and scaled scores of the first draw.
    """

    way: Way
    diagonal: tuple[float, ...]
    mean: float
    deviation: float
    error: float
    asymmetry: float
    first: Array
    first_scores: Array


@dataclass(frozen=True)
class RolesResult:
    """Both ways on the same tokens.

    Attributes
    ----------
    even : float
        1/T, what every token gives to every one where it looks at all alike.
    """

    params: RolesParams
    free: Role
    tied: Role
    even: float
    backend_name: str
    precision: str
    seconds: float


def measure_roles(
    params: RolesParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> RolesResult:
    """Draw sequences and projections, and measure the diagonal of the weights.

    Tokens are standard normal (T, d_model), projections normal with variance 1/d_model, scores are
    divided by sqrt(d_k). NumPy draws them in float64, on every backend the same; fewer draws are
    the first of more. ``progress`` hears the share that is done; what it raises ends the run.

    Free projections leave the diagonal a little above 1/T all the same: a long vector makes both
    its query and its key long, so that its own score spreads more than others. The less wide the
    tokens, the more their lengths differ; no correlation of query and key is needed for it.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    validate(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    report = Progress(params.draws, progress)
    blocks: dict[Way, list[tuple[Array, ...]]] = {way: [] for way in WAYS}
    for drawn in _drawn(params):
        found = chosen.run(_weights, *drawn, scale=1 / math.sqrt(params.d_k))
        for way, (weights, scores) in zip(WAYS, found, strict=True):
            blocks[way].append(_measured(weights, scores))
        report.add(len(drawn[0]))
    free, tied = (_role(way, blocks[way]) for way in WAYS)
    seconds = time.perf_counter() - started
    return RolesResult(params, free, tied, 1 / params.T, chosen.name, chosen.precision, seconds)


def validate(params: RolesParams) -> None:
    """Refuse parameters out of their range; raises as `measure_roles` does."""
    for name in ("T", "d_model", "d_k"):
        require_whole(name, getattr(params, name), *LIMITS[name])
    least, most = LIMITS["draws"]
    if not is_whole(params.draws, least, most):
        raise OptionError(
            "The number of draws must be a whole number from {least} to {most}, got {size}.",
            least=least,
            most=most,
            size=params.draws,
        )
    require_seed(params.seed)


def _drawn(params: RolesParams) -> Iterator[tuple[Array, Array, Array]]:
    """Yield tokens (n, T, d_model), W_Q and W_K (n, d_model, d_k), in blocks of bounded size."""
    T, d_model, d_k = params.T, params.d_model, params.d_k
    tokens, queries, keys = (np.random.default_rng([params.seed, place]) for place in range(3))
    most = max(1, BLOCK // (d_model * max(T, d_k)))
    for first in range(0, params.draws, most):
        n = min(most, params.draws - first)
        x = tokens.standard_normal((n, T, d_model))
        w_q, w_k = (
            each.standard_normal((n, d_model, d_k)) / math.sqrt(d_model) for each in (queries, keys)
        )
        yield x, w_q, w_k


def _weights(xp: Any, x: Any, w_q: Any, w_k: Any, *, scale: float) -> list[tuple[Any, Any]]:
    """Return weights and scaled scores (n, T, T) with W_K apart from W_Q, and equal to it."""
    q = xp.matmul(x, w_q)
    found = []
    for k in (xp.matmul(x, w_k), q):
        scores = xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale
        found.append((softmax(xp, scores), scores))
    return found


def _measured(weights: Array, scores: Array) -> tuple[Array, ...]:
    """Return the mean diagonal (n,) of weights (n, T, T), and of the scores what is kept."""
    diagonal = np.diagonal(weights, axis1=1, axis2=2).astype(np.float64).mean(axis=1)
    apart = np.abs(scores - np.swapaxes(scores, 1, 2)).max()
    return diagonal, apart, np.abs(scores).max(), weights[0], scores[0]


def _role(way: Way, blocks: list[tuple[Array, ...]]) -> Role:
    diagonals, apart, largest, weights, scores = zip(*blocks, strict=True)
    diagonal = np.concatenate(diagonals)
    deviation = float(diagonal.std(ddof=1))
    first, first_scores = read_only(weights[0].copy(), scores[0].copy())
    return Role(
        way=way,
        diagonal=tuple(diagonal.tolist()),
        mean=float(diagonal.mean()),
        deviation=deviation,
        error=deviation / math.sqrt(len(diagonal)),
        asymmetry=float(max(apart) / max(largest)),
        first=first,
        first_scores=first_scores,
    )

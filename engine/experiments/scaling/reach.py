"""How much gradient reaches the queries, the keys and their projections, with and without scaling.

The Jacobian of softmax, through which it passes, is measured in the same heads.

Shape legend: T positions, D = d_k.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.experiments.read_only import read_only
from engine.experiments.scaling.inputs import require_count, require_seed, stream, widths_of
from engine.experiments.scaling.progress import Progress
from engine.experiments.scaling.strips import product_in_strips
from engine.gradients import backward, jacobian_norm, softmax_jacobian
from engine.shapes import Array

MOST_WIDE = 1024  # d_k
LEAST_T, MOST_T = 2, 64
LEAST_REPEATS, MOST_REPEATS = 2, 50
WAYS = (True, False)  # scaled, unscaled
NAMES = ("scores", "q", "k", "v", "w_q", "w_k", "w_v")


@dataclass(frozen=True)
class ReachParams:
    """A head at its start.

    x is standard normal (T, d_model), each W is normal / sqrt(d_model), and the gradient of the
    output is standard normal.

    Attributes
    ----------
    d_ks : tuple of int
        As in `variance.Params`, each at most 1,024; d_model = d_v = d_k.
    T : int
        2 to 64.
    repeats : int
        Independent draws, 2 to 50: one alone has no standard error.
    seed : int
        0 to 999,999.
    """

    d_ks: tuple[int, ...] = (2, 4, 8, 16, 32, 64, 128, 256)
    T: int = 16
    repeats: int = 12
    seed: int = 1


@dataclass(frozen=True)
class Reach:
    """How large gradients are at one width.

    Attributes
    ----------
    sizes : dict
        "scores", "q", "k", "v", "w_q", "w_k", "w_v" -> root mean square of the components of that
        gradient: its mean over the repeats, and the standard error of that mean. "scores" are
        those before scaling.
    norm : tuple of float
        Frobenius norm of the Jacobian of softmax: its mean over the T rows and the repeats, and the
        standard error of that mean. Rows of one repeat share their keys, so that repeats count.
    """

    d_k: int
    scaled: bool
    sizes: dict[str, tuple[float, float]]
    norm: tuple[float, float]


@dataclass(frozen=True)
class ReachResult:
    """Both ways at every width.

    Attributes
    ----------
    found : dict
        (d_k, scaled) -> Reach, the widths rising.
    weights : dict
        scaled -> (T, T), the weights of the first draw at the largest d_k.
    ratios : dict
        d_k -> name of a gradient -> how many times as large it is unscaled, and the standard error
        of that: a ratio of means over the repeats.
    """

    params: ReachParams
    found: dict[tuple[int, bool], Reach]
    weights: dict[bool, Array]
    ratios: dict[int, dict[str, tuple[float, float]]]
    backend_name: str
    precision: str
    seconds: float

    def jacobian(self, scaled: bool, row: int) -> Array:
        """Return the Jacobian of softmax (T, T) of one row of the weights, from 1."""
        return softmax_jacobian(self.weights[scaled][row - 1])


def measure_reach(
    params: ReachParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> ReachResult:
    """Run the backward pass of `engine.gradients` at every width, scaled and not.

    Both ways see the same draws, and a width draws the same whatever the others are. ``progress``
    hears the share that is done; what it raises ends the run.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    d_ks = _checked(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    # A draw costs as much as its projections are large.
    report = Progress(params.repeats * sum(d_k**2 for d_k in d_ks), progress)
    found: dict[tuple[int, bool], Reach] = {}
    weights: dict[bool, Array] = {}
    ratios: dict[int, dict[str, tuple[float, float]]] = {}
    for d_k in d_ks:
        sizes, norms, weights = _measure(params, d_k, chosen, report)
        for way, scaled in enumerate(WAYS):
            found[d_k, scaled] = Reach(
                d_k, scaled, _by_name(*_means(sizes[:, way])), _pair(*_means(norms[:, way]))
            )
        ratios[d_k] = _ratios(*(sizes[:, WAYS.index(scaled)] for scaled in (False, True)))
    read_only(*weights.values())
    seconds = time.perf_counter() - started
    return ReachResult(params, found, weights, ratios, chosen.name, chosen.precision, seconds)


def _measure(
    params: ReachParams, d_k: int, backend: Backend, report: Progress
) -> tuple[Array, Array, dict[bool, Array]]:
    """Return the sizes of the gradients (repeats, 2, 7), norms (repeats, 2), and first weights."""
    scales = tuple(1 / math.sqrt(d_k) if scaled else 1.0 for scaled in WAYS)
    squares: list[Array] = []
    weights: list[Array] = []
    for drawn in draws(params, d_k):
        arrays = [each.astype(backend.precision) for each in drawn]
        found, both = backend.run(_both_ways, *arrays, scales=scales)
        squares.append(found.astype(np.float64))
        weights.append(both)
        report.add(d_k**2)
    norms = np.stack([jacobian_norm(both).mean(axis=-1) for both in weights])
    first = dict(zip(WAYS, weights[0].astype(np.float64), strict=True))
    return np.sqrt(np.stack(squares)), norms, first


def _means(values: Array) -> tuple[Array, Array]:
    """Return the mean over the repeats, which are the first axis, and its standard error."""
    return values.mean(axis=0), values.std(axis=0, ddof=1) / math.sqrt(len(values))


def _pair(mean: Array, error: Array) -> tuple[float, float]:
    return float(mean), float(error)


def _ratios(unscaled: Array, scaled: Array) -> dict[str, tuple[float, float]]:
    """Return the ratio of two means over the repeats (repeats, 7), and its standard error.

    To first order; both ways see the same draws, so that what they share does not count.
    """
    below = scaled.mean(axis=0)
    ratio = unscaled.mean(axis=0) / below
    strays = (unscaled - ratio * scaled).std(axis=0, ddof=1) / math.sqrt(len(scaled))
    return _by_name(ratio, strays / below)


def _by_name(means: Array, errors: Array) -> dict[str, tuple[float, float]]:
    pairs = zip(means.tolist(), errors.tolist(), strict=True)
    return dict(zip(NAMES, pairs, strict=True))


def draws(params: ReachParams, d_k: int) -> Iterator[list[Array]]:
    """Yield x (T, D), the three projections (D, D) and the gradient of the output (T, D)."""
    random = stream(params.seed, d_k, "reach")
    for _ in range(params.repeats):
        x = random.standard_normal((params.T, d_k))
        projections = random.standard_normal((3, d_k, d_k)) / math.sqrt(d_k)
        yield [x, *projections, random.standard_normal((params.T, d_k))]


def _both_ways(
    xp: Any, x: Any, w_q: Any, w_k: Any, w_v: Any, d_output: Any, *, scales: tuple[float, ...]
) -> tuple[Any, Any]:
    """Return the mean squares of the gradients (2, 7), and the weights (2, T, T)."""
    q, k, v = (product_in_strips(xp, each.T, x.T).T for each in (w_q, w_k, w_v))  # (T, D)
    scores = xp.matmul(q, k.T)  # (T, T)
    sizes, both = [], []
    for scale in scales:
        weights = softmax(xp, scores * scale)
        d_q, d_k, d_v, d_scores, _ = backward(xp, q, k, v, weights, d_output, scale)
        projections = (product_in_strips(xp, x.T, each) for each in (d_q, d_k, d_v))
        gradients = (d_scores, d_q, d_k, d_v, *projections)
        sizes.append(xp.stack([xp.mean(xp.square(each)) for each in gradients]))
        both.append(weights)
    return xp.stack(sizes), xp.stack(both)


def _checked(params: ReachParams) -> tuple[int, ...]:
    d_ks = widths_of(params.d_ks, MOST_WIDE)
    require_count("T", params.T, LEAST_T, MOST_T)
    require_count("repeats", params.repeats, LEAST_REPEATS, MOST_REPEATS)
    require_seed(params.seed)
    return d_ks

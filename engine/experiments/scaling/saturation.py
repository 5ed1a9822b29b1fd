"""What softmax makes of scores that grow with d_k.

Shape legend: N queries, S keys, D = d_k.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.errors import NumberError, OptionError
from engine.experiments.read_only import read_only
from engine.experiments.scaling.inputs import (
    is_within,
    require_count,
    require_seed,
    shown,
    stream,
    widths_of,
)
from engine.experiments.scaling.pair import Pair, pair_of
from engine.experiments.scaling.progress import Progress
from engine.gradients import jacobian_norm
from engine.shapes import Array

__all__ = [
    "EXPONENTS",
    "NEARLY_ONE",
    "RULES",
    "TABLE",
    "Pair",
    "Rule",
    "SaturationParams",
    "SaturationResult",
    "Sharpness",
    "measure_saturation",
    "pair_of",
]

Rule = Literal["unscaled", "sqrt", "linear", "own"]
RULES: tuple[Rule, ...] = ("unscaled", "sqrt", "linear", "own")
EXPONENTS: dict[Rule, float] = {
    "unscaled": 0.0,
    "sqrt": 0.5,
    "linear": 1.0,
}  # of d_k in the divisor
TABLE = (16, 64, 256, 1024)  # the widths of the text's table
NEARLY_ONE = 0.99
LEAST_KEYS, MOST_KEYS = 2, 1024
MOST_SAMPLES = 10_000
MOST_EXPONENT = 2.0
MOST_NUMBERS = 500_000_000  # random numbers of one run: seconds, not minutes
MOST_SHARING = 16  # queries that see the same keys, as the tokens of one sequence do
BLOCK = 2**18  # components of keys held at once, one set of keys at the least


@dataclass(frozen=True)
class SaturationParams:
    """What is drawn: N queries against S keys each, standard normal components.

    Up to 16 queries share one set of keys, as the tokens of a sequence do.

    Attributes
    ----------
    d_ks : tuple of int
        As in `variance.Params`; the four of the text's table are always among those computed.
    keys : int
        S, 2 to 1,024.
    samples : int
        N, 2 to 10,000.
    exponent : float
        The person's own rule divides by d_k to this power, 0 to 2.
    seed : int
        0 to 999,999.
    """

    d_ks: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
    keys: int = 16
    samples: int = 1_000
    exponent: float = 0.25
    seed: int = 1


@dataclass(frozen=True)
class Sharpness:
    """One rule at one d_k, each a mean over N rows with its standard error.

    The errors allow for rows that share their keys.

    Attributes
    ----------
    largest, largest_error : float
        The largest weight of a row.
    effective, effective_error : float
        Keys that share the weight: exp of the entropy of a row.
    saturated : float
        Share of the rows whose largest weight is above 0.99.
    jacobian, jacobian_error : float
        Frobenius norm of the Jacobian of softmax.
    """

    d_k: int
    rule: Rule
    largest: float
    largest_error: float
    effective: float
    effective_error: float
    saturated: float
    jacobian: float
    jacobian_error: float


@dataclass(frozen=True)
class SaturationResult:
    """Every rule at every width, and one row to look at.

    Attributes
    ----------
    found : dict
        (d_k, rule) -> Sharpness.
    row_scores : dict
        d_k -> (S,) raw scores of the first query.
    """

    params: SaturationParams
    d_ks: tuple[int, ...]
    found: dict[tuple[int, Rule], Sharpness]
    row_scores: dict[int, Array]
    backend_name: str
    precision: str
    seconds: float


def measure_saturation(
    params: SaturationParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> SaturationResult:
    """Draw queries and keys, and apply softmax under every rule to the same scores.

    The components are drawn by NumPy in float64, on every backend the same; scores and softmax
    are the backend's, and what they amount to is taken in float64. ``progress``
    hears the share that is done; what it raises ends the run.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    d_ks = _checked(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    report = Progress(_sets(params) * sum(d_ks), progress)
    found: dict[tuple[int, Rule], Sharpness] = {}
    row_scores: dict[int, Array] = {}
    for d_k in d_ks:
        row_scores[d_k], rows = _measure_width(params, d_k, chosen, report)
        for rule, measures in rows.items():
            found[d_k, rule] = _sharpness(d_k, rule, measures, sharing_of(params))
    seconds = time.perf_counter() - started
    return SaturationResult(params, d_ks, found, row_scores, chosen.name, chosen.precision, seconds)


def sharing_of(params: SaturationParams) -> int:
    """Return how many queries share their keys: so few that at least 16 sets are drawn."""
    return max(1, min(MOST_SHARING, params.samples // MOST_SHARING))


def draw_blocks(params: SaturationParams, d_k: int) -> Iterator[tuple[Array, Array]]:
    """Yield queries (n, sharing, D) and the n sets of keys (n, S, D) that they see."""
    queries, keys = (stream(params.seed, d_k, name) for name in ("queries", "keys"))
    sharing = sharing_of(params)
    most = max(1, BLOCK // (params.keys * max(d_k, sharing)))
    for first in range(0, _sets(params), most):
        n = min(most, _sets(params) - first)
        yield (
            queries.standard_normal((n, sharing, d_k)),
            keys.standard_normal((n, params.keys, d_k)),
        )


def _sets(params: SaturationParams) -> int:
    return -(-params.samples // sharing_of(params))


def _measure_width(
    params: SaturationParams, d_k: int, backend: Backend, report: Progress
) -> tuple[Array, dict[Rule, Array]]:
    """Return the scores of the first query, and for each rule what is measured of N rows."""
    exponents = EXPONENTS | {"own": params.exponent}
    divisors = [float(d_k) ** exponents[rule] for rule in RULES]
    parts: list[list[Array]] = []
    first: list[Array] = []
    for q, k in draw_blocks(params, d_k):
        scores, *weights = backend.run(_scores_and_weights, q, k, divisors=divisors)
        first = first or [scores[0, 0].astype(np.float64)]
        parts.append([_measures(each.reshape(-1, params.keys)) for each in weights])
        report.add(len(q) * d_k)
    # The last set of keys may be seen by fewer queries than were drawn for it.
    whole = [np.concatenate(each, axis=1)[:, : params.samples] for each in zip(*parts, strict=True)]
    return read_only(*first)[0], dict(zip(RULES, whole, strict=True))


def _scores_and_weights(xp: Any, q: Any, k: Any, *, divisors: list[float]) -> list[Any]:
    scores = xp.matmul(q, xp.swapaxes(k, -1, -2))
    return [scores, *(softmax(xp, scores / divisor) for divisor in divisors)]


def _measures(weights: Array) -> Array:
    """Return the largest weight, effective keys and norm of the Jacobian of each row, (3, n)."""
    rows = weights.astype(np.float64)
    logs = np.log(np.where(rows > 0, rows, 1.0))  # a weight of 0 adds nothing to the entropy
    effective = np.exp(-(rows * logs).sum(axis=-1))
    return np.stack([rows.max(axis=-1), effective, jacobian_norm(weights)])


def _sharpness(d_k: int, rule: Rule, measures: Array, sharing: int) -> Sharpness:
    largest, effective, jacobian = (float(each.mean()) for each in measures)
    errors = [standard_error(each, sharing) for each in measures]
    return Sharpness(
        d_k=d_k,
        rule=rule,
        largest=largest,
        largest_error=errors[0],
        effective=effective,
        effective_error=errors[1],
        saturated=float((measures[0] > NEARLY_ONE).mean()),
        jacobian=jacobian,
        jacobian_error=errors[2],
    )


def standard_error(values: Array, sharing: int) -> float:
    """Return the standard error of the mean of rows of which ``sharing`` at a time share keys.

    Rows with the same keys are not independent; sets of rows are.
    """
    sets = np.add.reduceat(values - values.mean(), np.arange(0, len(values), sharing))
    return math.sqrt((sets**2).sum() * len(sets) / (len(sets) - 1)) / len(values)


def _checked(params: SaturationParams) -> tuple[int, ...]:
    """Return the widths with those of the table, once every parameter is in its range."""
    d_ks = tuple(sorted({*widths_of(params.d_ks), *TABLE}))
    require_count("S", params.keys, LEAST_KEYS, MOST_KEYS)
    require_count("N", params.samples, 2, MOST_SAMPLES)
    if not is_within(params.exponent, 0, MOST_EXPONENT):
        raise NumberError(
            "The exponent of d_k must be a number from {least} to {most}, got {value}.",
            least=0,
            most=shown(MOST_EXPONENT),
            value=shown(params.exponent),
        )
    require_seed(params.seed)
    numbers = (params.samples + _sets(params) * params.keys) * sum(d_ks)
    if numbers > MOST_NUMBERS:
        raise OptionError(
            "This needs {numbers} random numbers, and at most {most} are drawn; "
            "take fewer queries, fewer keys or smaller d_k.",
            numbers=f"{numbers:.2g}",
            most=f"{MOST_NUMBERS:.2g}",
        )
    return d_ks

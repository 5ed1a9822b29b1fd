"""How one query divides its attention when its scores are multiplied by a factor.

Shape legend: S key positions, F factors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.errors import NumberError, OptionError
from engine.experiments.concentration import effective_keys
from engine.experiments.worked_example import Result

Array = npt.NDArray[np.float64]

# The factors that are asked when none are given: even steps, and ever finer ones towards 0. A gap
# g between two scores turns the row near c = 1/g; steps that grow by a tenth follow every such
# turn to within 0.001, wherever it lies.
LARGEST_FACTOR = 2.0
_EVEN_STEPS = 80
_GROWTH = 1.1
_STRAIGHT = 0.02  # below this product of factor and gap a weight is as good as linear in the factor
_SMALLEST_FACTOR = 1e-9  # keeps the number of factors below some 300


@dataclass(frozen=True)
class OneRow:
    """One row of weights, at many factors.

    Attributes
    ----------
    row : int
        The query, from 0.
    visible : ndarray of bool, (S,)
        The keys that the query may look at.
    factors : ndarray, (F,)
        What the raw scores are multiplied by before softmax, in rising order.
    weights : ndarray, (F, S)
        The weights at each factor; exactly 0 where a key is hidden.
    effective : ndarray, (F,)
        The effective number of keys at each factor.
    leaders : tuple of int
        The visible keys with the largest score, more than one where scores are equal.
    factor_scaled : float
        1 / sqrt(d_k).
    scaled, unscaled : ndarray, (S,)
        The weights at ``factor_scaled`` and at 1.
    effective_scaled, effective_unscaled : float
        Their effective numbers of keys.
    """

    row: int
    visible: npt.NDArray[np.bool_]
    factors: Array
    weights: Array
    effective: Array
    leaders: tuple[int, ...]
    factor_scaled: float
    scaled: Array
    unscaled: Array
    effective_scaled: float
    effective_unscaled: float


def one_row(result: Result, row: int, *, factors: Iterable[float] | None = None) -> OneRow:
    """Work out the weights of one query at each factor, from its scores as they were computed.

    Parameters
    ----------
    result : Result
        A computed worked example; whether it was scaled makes no difference.
    row : int
        The query, from 0.
    factors : iterable of float, optional
        Not negative. None takes `usual_factors`; 0 gives every visible key the same weight.

    Returns
    -------
    OneRow
        In float64, whatever precision the scores were computed in. A query that may look nowhere
        has only zeros.

    Raises
    ------
    OptionError
        When there is no such row.
    NumberError
        When a factor is negative, or not a finite number.
    """
    _require_row(row, result.sizes.T)
    scores = np.asarray(result.trace.scores[row], dtype=np.float64)
    mask = result.trace.mask
    visible = np.ones(scores.size, dtype=np.bool_) if mask is None else np.asarray(mask[row])
    factor_scaled = 1 / math.sqrt(result.sizes.d_k)
    asked = usual_factors(scores[visible], factor_scaled) if factors is None else _checked(factors)
    weights = weights_at(scores, visible, asked)
    scaled, unscaled = weights_at(scores, visible, np.array([factor_scaled, 1.0]))
    return OneRow(
        row,
        visible,
        asked,
        weights,
        np.array([effective_keys(each) for each in weights]),
        _leaders(scores, visible, result.precision),
        factor_scaled,
        scaled,
        unscaled,
        effective_keys(scaled),
        effective_keys(unscaled),
    )


def weights_at(scores: Array, visible: npt.NDArray[np.bool_], factors: Array) -> Array:
    """Return softmax(factor * scores) over the visible keys, one row for each factor.

    Parameters
    ----------
    scores : ndarray, (S,)
        Finite.
    visible : ndarray of bool, (S,)
    factors : ndarray, (F,)
        Finite and not negative.

    Returns
    -------
    ndarray, (F, S)
    """
    weights = np.zeros((factors.size, scores.size))
    if not visible.any():
        return weights
    with np.errstate(over="ignore", under="ignore"):
        # Taking the peak off before multiplying keeps every exponent at 0 or below. Two finite
        # scores can lie further apart than a float holds, and 0 times minus infinity is NaN.
        gaps = np.maximum(scores[visible] - scores[visible].max(), -np.finfo(np.float64).max)
        exponentials = np.exp(factors[:, None] * gaps)
    weights[:, visible] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights


def usual_factors(scores: Array, factor_scaled: float) -> Array:
    """Return factors from 0 to 2 that show where the row turns, 1/sqrt(d_k) and 1 among them.

    Parameters
    ----------
    scores : ndarray, (S,)
        The visible scores of the row. The further they lie apart, the sooner one key has all.
    """
    even = np.linspace(0, LARGEST_FACTOR, _EVEN_STEPS + 1)
    with np.errstate(over="ignore"):
        spread = float(np.ptp(scores)) if scores.size else 0.0
    first = max(_STRAIGHT / spread, _SMALLEST_FACTOR) if spread > 0 else LARGEST_FACTOR
    steps = max(0, math.ceil(math.log(LARGEST_FACTOR / first, _GROWTH)))
    fine = first * _GROWTH ** np.arange(steps)
    return np.unique(np.concatenate([even, fine, [factor_scaled, 1.0]]))


def _leaders(scores: Array, visible: npt.NDArray[np.bool_], precision: str) -> tuple[int, ...]:
    """Return the visible keys with the largest score; those that differ by rounding are equal."""
    if not visible.any():
        return ()
    seen = scores[visible]
    noise = 8 * float(np.finfo(precision).eps) * float(np.abs(seen).max())
    return tuple(np.flatnonzero(visible & (scores >= seen.max() - noise)).tolist())


def _require_row(row: int, count: int) -> None:
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < count:
        raise OptionError(
            "The row must be a whole number from {least} to {most}, got {row}.",
            least=0,
            most=count - 1,
            row=row,
        )


def _checked(factors: Iterable[float]) -> Array:
    asked = np.array(sorted(factors), dtype=np.float64)
    wrong = asked[~(np.isfinite(asked) & (asked >= 0))]
    if wrong.size:
        raise NumberError(
            "A factor of the scores must be a finite number of 0 or more, got {factor}.",
            factor=float(wrong[0]),
        )
    return asked

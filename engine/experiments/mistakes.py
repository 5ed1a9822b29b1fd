"""The usual mistakes of a hand calculation, each carried through to the step that is asked.

Each mistake is computed here in float64 by its own few lines, from the values of the trace
before the mistake; a row that comes out as the right one does is left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from engine.experiments.worked_example import STEPS, Result, matrix_of

Array = npt.NDArray[np.float64]

# In the order in which the calculation can go wrong.
MISTAKES = (
    "key_not_transposed",
    "no_scale",
    "mask_after_softmax",
    "softmax_columns",
    "not_normalised",
)


def mistake_rows(result: Result, step: str, row: int) -> dict[str, tuple[float, ...]]:
    """Return what each usual mistake would give in one row of a step.

    Parameters
    ----------
    step : str
        One of ``STEPS``; ``"project"`` has no usual mistake.
    row : int
        Counted from 0.

    Returns
    -------
    dict
        Keys from ``MISTAKES``. A mistake is missing where it does not apply (no scale where
        d_k is 1), cannot be computed (Q K without a transpose needs S = d_k), overflows, or
        changes nothing in this row.
    """
    right = matrix_of(result, step)[row] if step != "project" else None
    if right is None:
        return {}
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = {name: _CARRY[name](result, step) for name in MISTAKES}
    return {
        name: tuple(matrix[row].tolist())
        for name, matrix in wrong.items()
        if matrix is not None and _tells(matrix[row], right)
    }


def _tells(wrong: Array, right: npt.NDArray[np.floating]) -> bool:
    """Say whether a wrong row is usable: its shape fits, and it is visibly another row."""
    if wrong.shape != right.shape or (np.isfinite(wrong) != np.isfinite(right)).any():
        return False  # only a hidden score may be infinite, and a mistake hides no others
    tolerance = 16 * float(np.finfo(right.dtype).eps)
    return not np.allclose(wrong, right.astype(np.float64), rtol=tolerance, atol=tolerance)


def _key_not_transposed(result: Result, step: str) -> Array | None:
    """Q K instead of Q K^T: (T, d_k) times (S, d_k), possible only where S = d_k."""
    q, k = _float64(result.trace.q), _float64(result.trace.k)
    if q.shape[1] != k.shape[0]:
        return None
    scores = q @ k
    scaled = scores / np.sqrt(result.sizes.d_k) if result.params.scaled else scores
    masked = _hide(scaled, result)
    weights = _softmax(masked)
    return _at(step, "score", (scores, scaled, masked, weights, weights @ _values(result)))


def _no_scale(result: Result, step: str) -> Array | None:
    """Scores go into the softmax as they are."""
    if not result.params.scaled or result.sizes.d_k == 1:
        return None
    scores = _float64(result.trace.scores)
    masked = _hide(scores, result)
    weights = _softmax(masked)
    return _at(step, "scale", (scores, masked, weights, weights @ _values(result)))


def _mask_after_softmax(result: Result, step: str) -> Array | None:
    """Softmax over all keys, then zeros where the mask hides: rows sum to less than 1."""
    if not result.params.causal:
        return None
    weights = np.where(_visible(result), _softmax(_float64(result.trace.scaled)), 0.0)
    return _at(step, "softmax", (weights, weights @ _values(result)))


def _softmax_columns(result: Result, step: str) -> Array | None:
    """Softmax down the columns: they sum to 1, rows do not."""
    weights = _softmax(_float64(result.trace.masked).T).T
    return _at(step, "softmax", (weights, weights @ _values(result)))


def _not_normalised(result: Result, step: str) -> Array | None:
    """Exponentials that were never divided by their row sum."""
    weights = np.exp(_float64(result.trace.masked))
    return _at(step, "softmax", (weights, weights @ _values(result)))


_CARRY: dict[str, Callable[[Result, str], Array | None]] = {
    "key_not_transposed": _key_not_transposed,
    "no_scale": _no_scale,
    "mask_after_softmax": _mask_after_softmax,
    "softmax_columns": _softmax_columns,
    "not_normalised": _not_normalised,
}


def _at(step: str, first: str, matrices: tuple[Array, ...]) -> Array | None:
    """Pick the matrix of ``step`` from those of ``first`` and the steps after it."""
    position = STEPS.index(step) - STEPS.index(first)
    return matrices[position] if position >= 0 else None


def _float64(array: npt.NDArray[np.floating]) -> Array:
    return array.astype(np.float64)


def _values(result: Result) -> Array:
    return _float64(result.trace.v)


def _visible(result: Result) -> npt.NDArray[np.bool_]:
    mask = result.trace.mask
    shape = result.trace.scores.shape
    return np.ones(shape, dtype=bool) if mask is None else np.asarray(mask, dtype=bool)


def _hide(scores: Array, result: Result) -> Array:
    return np.where(_visible(result), scores, -np.inf)


def _softmax(scores: Array) -> Array:
    """Normalise each row; a row of minus infinities becomes zeros."""
    largest = scores.max(axis=1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    sums = exponentials.sum(axis=1, keepdims=True)
    weights: Array = exponentials / np.where(sums > 0, sums, 1.0)
    return weights

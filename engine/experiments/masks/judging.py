"""What a variant computed, measured against the right weights, with what rounding accounts for.

How far a right answer may be off follows from the arithmetic, u = eps / 2 of the dtype. The
reference errs by u relatively (its softmax is rounded once). Zeroed and renormalised weights err by
3 u: rounded once, divided by a sum that is off by as much, and rounded again. Together that is
4 u = 2 eps. Exponentials add the roundings of the format in which the steps work, which grow
with the span of a row's scores. Two passes of a variant that hides nothing wrongly may
differ by twice that, in the size of the values that a row averages. A key that is hidden must
weigh exactly nothing.

Rows whose intended mask leaves nothing to see are NaN in the reference too: they are left out of
every number here.

Shape legend: T positions, C changed tokens, N = 1 + C passes, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.experiments.masks.plan import Plan
from engine.experiments.masks.precision import Precision
from engine.experiments.masks.variants import FAR
from engine.shapes import Array

FullRow = Literal["nan", "uniform", "zero", "unmasked", "other"]
WORK_ROUNDINGS = 8  # in a softmax: subtraction, exponential, sum and division, twice
LOST = 0.1  # scores that are rounded off by more than this no longer decide the weights


@dataclass(frozen=True)
class Judgement:
    """The numbers of one outcome; see `Outcome`."""

    row_sums: tuple[float, float]
    difference: float
    leak: float
    leaks: bool
    nan_rows: int
    right: bool


@dataclass(frozen=True)
class Tolerance:
    """By how much a right weight may be off: relatively, and plus a floor."""

    relative: float
    floor: float


def judge(
    found: dict[str, Any],
    reference: Array,
    values: Array,
    plan: Plan,
    name: str,
    tolerance: Tolerance,
) -> Judgement:
    """Measure one variant.

    Parameters
    ----------
    found : dict
        Its ``weights`` (T, T) and ``output`` (N, T, E).
    reference : np.ndarray
        (T, T), the right weights.
    values : np.ndarray
        (T, E), what they average.
    tolerance : Tolerance
        From `tolerance_of`.
    """
    intended = plan.intended[name]
    seeing = intended.any(axis=1)
    lost = np.isnan(found["weights"]).any(axis=1)
    lost_later = lost | np.isnan(found["output"]).any(axis=(0, 2))
    judged = seeing & ~lost
    weights, right = found["weights"][judged], reference[judged]
    leak, leaks = _leak(found["output"], intended, reference, values, plan.changed, tolerance)
    nan_rows = int((seeing & lost_later).sum())
    same = _same_weights(weights, right, intended[judged], tolerance)
    return Judgement(
        _least_and_most(weights.sum(axis=1)),
        _largest(np.abs(weights - right)),
        leak,
        leaks,
        nan_rows,
        bool(judged.any() and same and not leaks and not nan_rows),
    )


def tolerance_of(precision: Precision, scores: Array, intended: Array, name: str) -> Tolerance:
    """Return by how much a right weight may be off in one variant; see the top of this file."""
    seeing = intended.any(axis=1)
    if not seeing.any():
        return Tolerance(0.0, 0.0)
    lowest = np.where(intended, scores, np.inf).min(axis=1)[seeing]
    span = float((scores.max(axis=1)[seeing] - lowest).max()) + FAR.get(name, 0.0)
    work = precision.work_eps * (WORK_ROUNDINGS + 2 * span)
    return Tolerance(2 * precision.eps + work, precision.smallest)


def full_row_of(found: dict[str, Any], precision: Precision) -> FullRow:
    """Name what became of a row that is hidden whole; equal weights are named first."""
    full, free = found["full"][0], found["free"][0]
    if np.isnan(full).any():
        return "nan"
    if not full.any():
        return "zero"
    if np.abs(full * full.size - 1).max() <= precision.eps:
        return "uniform"
    masked = found["masked"][0]
    # Half the spacing at the size of the filled scores is what each of them was rounded by.
    off = precision.eps * float(np.abs(masked[np.isfinite(masked)]).max(initial=1.0))
    allowed = min(LOST, 4 * precision.eps + off)
    close = np.abs(full - free) <= allowed * free + 4 * precision.smallest
    return "unmasked" if close.all() else "other"


def _same_weights(weights: Array, right: Array, intended: Array, tolerance: Tolerance) -> bool:
    off = np.abs(weights - right)
    allowed = tolerance.relative * right + tolerance.floor
    return bool((off <= np.where(intended, allowed, 0.0)).all())


def _leak(
    output: Array,
    intended: Array,
    reference: Array,
    values: Array,
    changed: tuple[int, ...],
    tolerance: Tolerance,
) -> tuple[float, bool]:
    """Return the largest move of an output whose query may not see the changed token."""
    tokens = np.array(changed)
    watched = ~intended[:, tokens].T & intended.any(axis=1)  # (C, T)
    watched &= tokens[:, None] != np.arange(len(intended))
    moves = np.abs(output[1:] - output[0]).max(axis=2)  # (C, T)
    watched &= ~np.isnan(moves)
    size = (np.nan_to_num(reference) @ np.abs(values)).max(axis=1)  # (T,)
    beyond = moves > 2 * (tolerance.relative * size + tolerance.floor * np.abs(values).max())
    return _largest(moves[watched]), bool((watched & beyond).any())


def _largest(numbers: Array) -> float:
    return float(numbers.max()) if numbers.size else float("nan")


def _least_and_most(numbers: Array) -> tuple[float, float]:
    if not numbers.size:
        return float("nan"), float("nan")
    return float(numbers.min()), float(numbers.max())

"""What a variant computed, measured against the right weights, with what rounding accounts for.

How far a right answer may be off follows from the arithmetic, u = eps / 2 of the dtype. The
reference errs by u relatively (its softmax is rounded once). Zeroed and renormalised weights err by
3 u: rounded once, divided by a sum that is off by as much, and rounded again. Together that is
4 u = 2 eps. The format in which the steps work adds its own roundings: exponentials err in
proportion to the span of a row's scores, sums in proportion to their T terms. A key that is hidden
must weigh exactly nothing.

An output may not move at all when a hidden token changes, with one exception: renormalised weights
depend on hidden scores through two roundings, of which nothing else is left. There two passes may
differ by twice the error of one, in the size of the values that a row averages.

Rows whose intended mask leaves nothing to see are NaN in the reference too: they are left out of
every number here but those of `EmptyRows`.

Shape legend: T positions, C changed tokens, N = 1 + C passes, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.experiments.masks.plan import Plan
from engine.experiments.masks.precision import Precision
from engine.experiments.masks.variants import CANCELLING
from engine.shapes import Array

FullRow = Literal["nan", "uniform", "zero", "unmasked", "other"]
WORK_ROUNDINGS = 8  # subtraction, exponential and division, twice, and some to spare
LOST = 0.1  # scores that are rounded off by more than this no longer decide the weights


@dataclass(frozen=True)
class EmptyRows:
    """Rows that the mask that is meant leaves nothing to see, as a variant leaves them.

    Attributes
    ----------
    count, lost : int
        How many there are, and how many of them hold NaN.
    kind : {"nan", "uniform", "zero", "other"} or None
        What all of them are: NaN; equal weights; zeros; else. None where there is no such row.
    """

    count: int = 0
    lost: int = 0
    kind: FullRow | None = None


@dataclass(frozen=True)
class Judgement:
    """The numbers of one outcome; see `Outcome`."""

    row_sums: tuple[float, float]
    difference: float
    leak: float
    nan_rows: int
    differs: bool
    leaks: bool
    excess: float

    @property
    def right(self) -> bool:
        """No NaN, and nothing off by more than rounding."""
        return not (self.nan_rows or self.differs or self.leaks)


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
    off = np.abs(weights - right)
    # A hidden key must weigh nothing at all.
    off_allowed = intended[judged] * (tolerance.relative * right + tolerance.floor)
    moves = _hidden_moves(found["output"], intended, plan.changed)
    moves_allowed = np.broadcast_to(_moves_allowed(name, reference, values, tolerance), moves.shape)
    return Judgement(
        row_sums=_least_and_most(weights.sum(axis=1)),
        difference=_largest(off),
        leak=_largest(moves[~np.isnan(moves)]),
        nan_rows=int((seeing & lost_later).sum()),
        differs=bool((off > off_allowed).any()),
        leaks=bool((moves > moves_allowed).any()),
        excess=max(_excess(off, off_allowed), _excess(moves, moves_allowed)),
    )


def empty_rows_of(weights: Array, intended: Array, precision: Precision) -> EmptyRows:
    """Return what became of the rows that the mask that is meant leaves nothing to see."""
    empty = weights[~intended.any(axis=1)]
    if not len(empty):
        return EmptyRows()
    lost = int(np.isnan(empty).any(axis=1).sum())
    kind: FullRow = "other"
    if lost == len(empty):
        kind = "nan"
    elif not empty.any():
        kind = "zero"
    elif _are_equal(empty, precision):
        kind = "uniform"
    return EmptyRows(len(empty), lost, kind)


def tolerance_of(precision: Precision, span: float, T: int) -> Tolerance:
    """Return by how much a right weight may be off; see the top of this file.

    Parameters
    ----------
    span : float
        From a row's highest score down to its lowest visible one.
    """
    work = precision.work_eps * (WORK_ROUNDINGS + 2 * span + T)
    return Tolerance(2 * precision.eps + work, precision.smallest)


def full_row_of(found: dict[str, Any], precision: Precision) -> FullRow:
    """Name what became of a row that is hidden whole; equal weights are named first."""
    full, free = found["full"][0], found["free"][0]
    if np.isnan(full).any():
        return "nan"
    if not full.any():
        return "zero"
    if _are_equal(full, precision):
        return "uniform"
    masked = found["masked"][0]
    # Half the spacing at the size of the filled scores is what each of them was rounded by.
    off = precision.eps * float(np.abs(masked[np.isfinite(masked)]).max(initial=1.0))
    allowed = min(LOST, 4 * precision.eps + off)
    close = np.abs(full - free) <= allowed * free + 4 * precision.smallest
    return "unmasked" if close.all() else "other"


def _are_equal(weights: Array, precision: Precision) -> bool:
    """Return whether rows share their weight equally among all keys."""
    return bool(np.abs(weights * weights.shape[-1] - 1).max() <= precision.eps)


def _hidden_moves(output: Array, intended: Array, changed: tuple[int, ...]) -> Array:
    """Return how far each output moved, (C, T); NaN where its query may see what changed."""
    tokens = np.array(changed)
    hidden = ~intended[:, tokens].T & intended.any(axis=1)
    hidden &= tokens[:, None] != np.arange(len(intended))  # there the query itself changed
    moves = np.abs(output[1:] - output[0]).max(axis=2)
    return np.where(hidden, moves, np.nan)


def _moves_allowed(name: str, reference: Array, values: Array, tolerance: Tolerance) -> Array:
    """Return by how much each output may move through rounding alone, (T,)."""
    if name not in CANCELLING:
        return np.zeros(len(reference))
    sizes = np.abs(values)
    averaged = (np.nan_to_num(reference) @ sizes).max(axis=1)
    allowed: Array = 2 * (tolerance.relative * averaged + tolerance.floor * sizes.max())
    return allowed


def _excess(found: Array, allowed: Array) -> float:
    """Return the largest multiple of what rounding accounts for; infinite where that is nothing."""
    there = found > 0  # false for NaN
    with np.errstate(divide="ignore"):
        return float((found[there] / allowed[there]).max(initial=0.0))


def _largest(numbers: Array) -> float:
    return float(numbers.max()) if numbers.size else float("nan")


def _least_and_most(numbers: Array) -> tuple[float, float]:
    if not numbers.size:
        return float("nan"), float("nan")
    return float(numbers.min()), float(numbers.max())

"""Mask mistakes, each made for real on the same scores, and measured against the right way.

Shape legend: T positions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.masks.inputs import Head, InputParams, head_of
from engine.experiments.masks.judging import (
    EmptyRows,
    FullRow,
    empty_rows_of,
    full_row_of,
    judge,
    tolerance_of,
)
from engine.experiments.masks.passes import compute_passes
from engine.experiments.masks.plan import Plan, plan_of
from engine.experiments.masks.precision import (
    DTYPES,
    Dtype,
    Precision,
    dtypes_of,
    require_dtype,
)
from engine.experiments.masks.spec import MaskSpec, Pattern, build
from engine.experiments.masks.variants import FAR_FILL, FAR_UNDERFLOW, VARIANTS
from engine.experiments.read_only import read_only
from engine.shapes import Array

__all__ = [
    "DTYPES",
    "FAR_FILL",
    "FAR_UNDERFLOW",
    "VARIANTS",
    "Dtype",
    "EmptyRows",
    "FullRow",
    "MistakesParams",
    "MistakesResult",
    "Outcome",
    "Variant",
    "dtypes_of",
    "make_mistakes",
]


@dataclass(frozen=True)
class MistakesParams(InputParams):
    """One input, and the mask that is meant (the fields of `MaskSpec`)."""

    pattern: Pattern = "causal"
    window: int = 3
    prefix: int = 2
    length: int | None = None
    drawn: str = ""

    @property
    def mask(self) -> MaskSpec:
        """The mask that is meant."""
        return MaskSpec(self.pattern, self.window, self.prefix, self.length, self.drawn)


@dataclass(frozen=True)
class Outcome:
    """One variant in one dtype.

    Rows that the intended mask leaves nothing to see are NaN in the reference too: every number but
    ``empty`` is about the other rows.

    Attributes
    ----------
    weights, reference : np.ndarray
        (T, T), float64 copies of what was computed in the dtype; ``weights`` may hold NaN.
    row_sums : tuple of float
        Smallest and largest row sum, over rows that are not NaN; (nan, nan) where there is none.
    difference : float
        Largest absolute difference of a weight to the reference, over rows that are not NaN; nan
        where every row is.
    leak : float
        Largest absolute move of an output component when a token that its query may not see
        changes; nan where no such output stayed a number.
    nan_rows : int
        Rows of the weights, or of the outputs after a change, that hold NaN.
    full_row : {"nan", "uniform", "zero", "unmasked", "other"}
        What becomes of one row, `MistakesResult.hidden_row`, that is hidden whole as a test: NaN;
        equal weights; zeros; the weights it would have without any mask; something else.
    right : bool
        No NaN, no leak and no difference beyond the rounding of the dtype; says nothing where
        nothing is ``judged``.
    leaks : bool
        Whether ``leak`` is more than nothing or, where hidden scores take part and cancel, more
        than rounding accounts for.
    differs : bool
        Whether a weight is off by more than rounding accounts for.
    excess : float
        The largest of these, of a weight or an output, as a multiple of what rounding accounts
        for; infinite where that is nothing.
    empty : EmptyRows
        The rows that are left out, as they are here.
    """

    dtype: Dtype
    weights: Array
    reference: Array
    row_sums: tuple[float, float]
    difference: float
    leak: float
    nan_rows: int
    full_row: FullRow
    right: bool
    leaks: bool = False
    differs: bool = False
    excess: float = 0.0
    empty: EmptyRows = field(default_factory=EmptyRows)

    @property
    def judged(self) -> bool:
        """Whether any row sees something, so that there is something to judge."""
        return self.empty.count < len(self.weights)

    @property
    def all_nan_rows(self) -> int:
        """Rows of the whole matrix that hold NaN, those with nothing to see among them."""
        return self.nan_rows + self.empty.lost


@dataclass(frozen=True)
class Variant:
    """One row of the table.

    Attributes
    ----------
    intended : np.ndarray
        bool, (T, T): what it should have hidden.
    outcomes : dict
        Dtype -> Outcome, for every dtype that the backend has.
    """

    name: str
    intended: Array
    outcomes: dict[Dtype, Outcome]


@dataclass(frozen=True)
class MistakesResult:
    """The whole table.

    Attributes
    ----------
    changed : tuple of int
        The tokens, from 0, that were changed in turn to measure leaks: all of them where T is
        small, else some of those that are hidden from someone, spread evenly, with the last.
    raised : tuple of int
        Row and column, from 0, of the hidden score that the two far variants raise.
    padded_length : int
        Real tokens in the wrong-axis row.
    hidden_row : int
        The row, from 0, that is hidden whole as a test, with no score raised.
    """

    params: MistakesParams
    head: Head
    visible: Array
    variants: tuple[Variant, ...]
    changed: tuple[int, ...]
    raised: tuple[int, int]
    padded_length: int
    hidden_row: int
    backend_name: str
    precision: str
    seconds: float

    def variant(self, name: str) -> Variant:
        """Return the variant of this name."""
        return next(each for each in self.variants if each.name == name)

    def outcome(self, name: str, dtype: str) -> Outcome:
        """Return a variant in one dtype.

        Raises
        ------
        OptionError
            When the dtype does not exist, or the backend does not have it.
        """
        require_dtype(dtype, self.backend_name)
        return self.variant(name).outcomes[cast(Dtype, dtype)]

    @property
    def empty_rows(self) -> int:
        """How many rows of the mask that is meant see nothing."""
        return int((~self.visible.any(axis=1)).sum())

    @property
    def takes_last_as_padding(self) -> bool:
        """Whether no token is padding, so that the wrong-axis row takes the last one."""
        length = self.params.length
        return length is None or length >= len(self.visible)

    def invents_padding(self, name: str) -> bool:
        """Return whether a variant hides the last token as padding although the mask does not."""
        return name == "wrong-axis" and self.takes_last_as_padding

    @property
    def padding_is_hidden(self) -> bool:
        """Whether real tokens do not see the padding of the wrong-axis row in any case."""
        unpadded = build(replace(self.params.mask, length=None), len(self.visible))
        return not unpadded[: self.padded_length, self.padded_length :].any()


def make_mistakes(
    params: MistakesParams, *, backend: Backend | str | None = None
) -> MistakesResult:
    """Make every mistake in every dtype of the backend.

    Each step (projections, scores, scaling, masking, softmax, renormalising, output) works in
    float32 (float64 for float64) and rounds its result to the dtype, as fused kernels and PyTorch
    do. The reference of each variant is minus infinity with the mask that it means, in the same
    dtype. Rows that this mask leaves nothing to see are left out of every number but
    ``full_row``.

    Raises
    ------
    OptionError
        When there is one token alone, or no query has both a key it sees and one it does not.
    EngineError
        As `head_of` and `build` do; BackendError when the backend is missing.
    """
    chosen = choose_backend(backend)
    head = head_of(params)
    started = time.perf_counter()
    plan = plan_of(params.mask, _scaled_scores(head))
    variants = _variants(head, plan, chosen)
    return MistakesResult(
        params,
        head,
        plan.visible,
        variants,
        plan.changed,
        plan.raised,
        plan.length,
        plan.full_row,
        chosen.name,
        chosen.precision,
        time.perf_counter() - started,
    )


def _variants(head: Head, plan: Plan, backend: Backend) -> tuple[Variant, ...]:
    """Compute and judge every variant in every dtype of the backend."""
    found = {dtype: _outcomes(head, plan, dtype, backend) for dtype in dtypes_of(backend)}
    read_only(plan.visible, *plan.intended.values())
    return tuple(
        Variant(name, plan.intended[name], {dtype: each[name] for dtype, each in found.items()})
        for name in VARIANTS
    )


def _scaled_scores(head: Head) -> Array:
    """Return the scaled scores in float64, to plan with and to bound roundings by."""
    q, k = head.x @ head.w_q, head.x @ head.w_k
    return np.asarray(q @ k.T / np.sqrt(q.shape[1]))


def _outcomes(head: Head, plan: Plan, dtype: Dtype, backend: Backend) -> dict[str, Outcome]:
    """Compute and judge every variant in one dtype."""
    precision = Precision(dtype)
    passes = compute_passes(head, plan, precision, backend)
    given = {name: _float64(array) for name, array in passes.pop("given").items()}
    found = {
        name: {part: _float64(array) for part, array in parts.items()}
        for name, parts in passes.items()
    }
    # The score that the far variants raise is hidden: their right weights are the same.
    right = dict.fromkeys(VARIANTS, found["minus-infinity"]["weights"])
    right["wrong-axis"] = given["padded"]
    return {
        name: _outcome(name, parts, right[name], given["v"], plan, precision)
        for name, parts in found.items()
    }


def _outcome(
    name: str,
    found: dict[str, Array],
    reference: Array,
    values: Array,
    plan: Plan,
    precision: Precision,
) -> Outcome:
    tolerance = tolerance_of(precision, plan.spans[name], len(plan.visible))
    judged = judge(found, reference, values, plan, name, tolerance)
    return Outcome(
        dtype=precision.dtype,
        weights=found["weights"],
        reference=reference,
        row_sums=judged.row_sums,
        difference=judged.difference,
        leak=judged.leak,
        nan_rows=judged.nan_rows,
        full_row=full_row_of(found, precision),
        right=judged.right,
        leaks=judged.leaks,
        differs=judged.differs,
        excess=judged.excess,
        empty=empty_rows_of(found["weights"], plan.intended[name], precision),
    )


def _float64(array: Any) -> Array:
    wide = np.array(array, dtype=np.float64)  # a copy, so that all passes need not be kept
    read_only(wide)
    return wide

"""A causal mask for T queries and S keys: aligned upper-left or lower-right.

Shape legend: T query positions, S key positions, D = d_k, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from engine.attention import AttentionTrace, choose_backend, trace_attention
from engine.backends import Backend
from engine.experiments.masks import libraries
from engine.experiments.masks.inputs import D_MODEL, MOST_WIDTH, projections, require_seed
from engine.experiments.masks.libraries import Implementation, RowKind
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.read_only import close_fields, read_only
from engine.experiments.whole_number import require_whole
from engine.masks import causal_mask
from engine.shapes import Array

Align = Literal["upper-left", "lower-right"]
MOST_SIDE = 16
EMPTY_PROBE = (3, 2, 2)  # queries, keys, values: aligned lower-right, the first query sees none


@dataclass(frozen=True)
class AlignmentParams:
    """Sizes and seed; 1 to 16 queries and keys, d_k 1 to 64."""

    T: int = 3
    S: int = 5
    seed: int = 1
    d_k: int = 4


@dataclass(frozen=True)
class Aligned:
    """One alignment.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, S).
    weights, output : np.ndarray
        (T, S) and (T, E) of this engine: rows that may look nowhere are zero.
    """

    align: Align
    visible: Array
    weights: Array
    output: Array

    @property
    def empty_rows(self) -> tuple[int, ...]:
        """Queries, from 0, that may look nowhere."""
        return tuple(np.flatnonzero(~self.visible.any(axis=1)).tolist())


@dataclass(frozen=True)
class Behaviour:
    """What one implementation does with a causal mask, or with a row that may look nowhere.

    Attributes
    ----------
    name : str
        ``"engine"`` (this workbench), ``"formula"`` (softmax of minus infinity as written),
        ``"mlx-causal"``, ``"mlx-boolean"`` and ``"mlx-additive"`` (the kernel of MLX with
        mask="causal", with the lower-right mask as booleans, and as 0 and minus infinity), or
        ``"pytorch"`` (``is_causal=True``).
    align : {"upper-left", "lower-right"} or None
        Which alignment its outputs agree with, to rounding: rows that see something are compared,
        and a row that may look nowhere must not attend. None where it refused or both agree.
    first_row : RowKind
        What row 1 becomes: zero; nan; the plain mean of V; attends (a weighted mean of visible
        keys); refused (an error instead of an output); unknown (not run here).
    empty_row : RowKind
        The same for a row that may look nowhere, the first of three queries and two keys under the
        lower-right mask; "unknown" where not run.
    measured : bool
        Whether it ran here; PyTorch's is its documented mask, computed by this engine, and MLX's,
        where the backend is another, is what ``libraries.MLX_REPORTED`` did.
    output : np.ndarray or None
        (T, E), may hold NaN; None where nothing ran or it was refused.
    handed : bool
        Whether it was handed the lower-right mask, so that the alignment is not its own.
    """

    name: str
    align: Align | None
    first_row: RowKind
    empty_row: RowKind
    measured: bool
    output: Array | None
    handed: bool = False


@dataclass(frozen=True)
class AlignmentResult:
    """Both alignments, and what each implementation makes of T queries and S keys."""

    params: AlignmentParams
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    upper: Aligned
    lower: Aligned
    behaviours: tuple[Behaviour, ...]
    backend_name: str
    precision: str
    seconds: float


def compare_alignments(
    params: AlignmentParams, *, backend: Backend | str | None = None
) -> AlignmentResult:
    """Compute both alignments; MLX's own kernel runs where the backend is MLX.

    Queries and keys come from vectors of their own, drawn from the seed.

    Raises
    ------
    OptionError
        When a size or the seed is out of its range.
    BackendError
        When the backend is missing.
    """
    _require(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    traces = {align: _trace(params, align, chosen) for align in get_args(Align)}
    sides = {align: _aligned(align, trace) for align, trace in traces.items()}
    upper, lower = sides["upper-left"], sides["lower-right"]
    trace = traces["lower-right"]
    behaviours = _Observer(trace, upper, lower, chosen).all()
    return AlignmentResult(
        params,
        tuple(f"q{number}" for number in range(1, params.T + 1)),
        tuple(f"k{number}" for number in range(1, params.S + 1)),
        upper,
        lower,
        behaviours,
        chosen.name,
        chosen.precision,
        time.perf_counter() - started,
    )


def _require(params: AlignmentParams) -> None:
    require_whole("T", params.T, 1, MOST_SIDE)
    require_whole("S", params.S, 1, MOST_SIDE)
    require_whole("d_k", params.d_k, 1, MOST_WIDTH)
    require_seed(params.seed)


def _trace(params: AlignmentParams, align: Align, backend: Backend) -> AttentionTrace:
    x, context = (_vectors(params.seed, n, size) for n, size in enumerate((params.T, params.S)))
    return trace_attention(
        x,
        *projections(params.seed, params.d_k),
        context=context,
        mask=causal_mask(params.T, params.S, align=align),
        backend=backend,
    )


def _vectors(seed: int, stream: int, size: int) -> Array:
    """Draw row by row, so that a longer input begins with every shorter one."""
    return np.random.default_rng([seed, stream]).standard_normal((size, D_MODEL))


def _aligned(align: Align, trace: AttentionTrace) -> Aligned:
    assert trace.mask is not None  # every alignment is a mask
    side = Aligned(align, trace.mask, trace.weights, trace.output)
    close_fields(side)
    return side


class _Observer:
    """Runs implementations on the same projections and says what they did."""

    def __init__(
        self, trace: AttentionTrace, upper: Aligned, lower: Aligned, backend: Backend
    ) -> None:
        self.q, self.k, self.v = trace.q, trace.k, trace.v
        self.upper, self.lower, self.backend = upper, lower, backend

    def all(self) -> tuple[Behaviour, ...]:
        """Return what every implementation did; MLX runs where the backend is MLX."""
        return (
            self._observe("engine", libraries.engine_causal, libraries.engine_masked),
            self._observe("formula", libraries.formula),
            *(self._mlx(name, run) for name, run in libraries.MLX.items()),
            self._pytorch(),
        )

    def _mlx(self, name: str, run: Implementation) -> Behaviour:
        if self.backend.name == "mlx":
            return self._observe(name, run)
        empty = libraries.MLX_EMPTY_ROWS[name]
        # What its output would be decides, as it does where it runs: with one key the mean of V is
        # that key's value, and the output agrees with both alignments.
        expected = self.lower.output.copy()
        expected[list(self.lower.empty_rows)] = np.nan if empty == "nan" else self.v.mean(axis=0)
        align = self._align(expected)
        first = self._first(expected, align)
        return Behaviour(name, align, first, empty, False, None, name in libraries.HANDED)

    def _pytorch(self) -> Behaviour:
        """Return what PyTorch documents: ``torch.ones(T, S).tril()``, in which no row is empty."""
        align: Align | None = None if self._same_mask else "upper-left"
        return Behaviour("pytorch", align, "attends", "unknown", False, self.upper.output)

    @property
    def _same_mask(self) -> bool:
        return bool((self.upper.visible == self.lower.visible).all())

    def _observe(
        self, name: str, run: Implementation, masked: Implementation | None = None
    ) -> Behaviour:
        output = run(self.q, self.k, self.v, self.lower.visible, self.backend)
        empty = self._empty(masked or run)
        if output is None:
            return Behaviour(name, None, "refused", empty, True, None)
        handed = name in libraries.HANDED
        read_only(output)
        align = self._align(output)
        return Behaviour(name, align, self._first(output, align), empty, True, output, handed)

    def _align(self, output: Array) -> Align | None:
        """Return the alignment that the output agrees with, where it is one alone."""
        found = [side.align for side in (self.upper, self.lower) if self._agrees(output, side)]
        return found[0] if len(found) == 1 else None

    def _agrees(self, output: Array, side: Aligned) -> bool:
        rows = side.visible.any(axis=1)
        off = np.abs(output[rows] - side.output[rows])
        attends = any(_kind(row, self.v, False) == "attends" for row in output[~rows])
        return bool((off <= rounding_of(self.v)).all()) and not attends  # NaN is not close

    def _first(self, output: Array, align: Align | None) -> RowKind:
        side = self.upper if align == "upper-left" else self.lower
        return _kind(output[0], self.v, bool(side.visible[0].any()))

    def _empty(self, run: Implementation) -> RowKind:
        generator = np.random.default_rng(0)
        q, k, v = (
            generator.standard_normal((size, 4)).astype(self.v.dtype) for size in EMPTY_PROBE
        )
        output = run(q, k, v, causal_mask(len(q), len(k)), self.backend)
        return "refused" if output is None else _kind(output[0], v, False)


def _kind(row: Array, v: Array, sees: bool) -> RowKind:
    if np.isnan(row).any():
        return "nan"
    if not row.any():
        return "zero"
    even = bool((np.abs(row - v.mean(axis=0)) <= rounding_of(v)).all())
    return "mean" if even and not sees else "attends"

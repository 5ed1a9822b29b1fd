"""A causal mask for T queries and S keys: aligned upper-left or lower-right.

Shape legend: T query positions, S key positions, D = d_k, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.backends import Backend
from engine.shapes import Array

Align = Literal["upper-left", "lower-right"]
MOST_SIDE = 16


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


RowKind = Literal["zero", "nan", "mean", "attends", "refused", "unknown"]


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
        Which alignment its outputs agree with on the rows that see something, to rounding; None
        where nothing ran or both agree.
    first_row : RowKind
        What row 1 becomes: zero; nan; the plain mean of V; attends (a weighted mean of visible
        keys); refused (an error instead of an output); unknown (not run here).
    empty_row : RowKind
        The same for a row that may look nowhere, from a (2, 2) mask with one such row; "unknown"
        where not run.
    measured : bool
        Whether it ran here; PyTorch's is its documented mask, computed by this engine.
    output : np.ndarray or None
        (T, E), may hold NaN; None where nothing ran or it was refused.
    """

    name: str
    align: Align | None
    first_row: RowKind
    empty_row: RowKind
    measured: bool
    output: Array | None


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
    """Compute both alignments; MLX's own kernel runs where the backend is MLX."""
    raise NotImplementedError

"""A sequence that grows by one token at a time, and the cache that a causal mask allows.

Shape legend: T positions, N lengths that are tried, D = d_k, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends import Backend
from engine.experiments.masks.compare import Params
from engine.experiments.masks.inputs import Head
from engine.shapes import Array

MOST_LENGTHS = 64


@dataclass(frozen=True)
class Growth:
    """Outputs of each shorter sequence against those of the whole one, under one mask.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T), of the whole sequence; a shorter one has its upper left corner.
    lengths : tuple of int
        Rising, the last is T; every length from 1 on where T <= MOST_LENGTHS.
    differences : np.ndarray
        (N, T): entry (n, i) is the largest absolute difference of a component of output i between
        the pass over the first ``lengths[n]`` tokens alone and the pass over all; NaN where token i
        is not there yet.
    decoded : np.ndarray
        (T,): the same for output i computed from query i alone against the keys and values that a
        cache holds at that step (tokens 0 to i).
    """

    visible: Array
    lengths: tuple[int, ...]
    differences: Array
    decoded: Array

    @property
    def largest(self) -> float:
        """The largest of all differences."""
        raise NotImplementedError


@dataclass(frozen=True)
class GrowthResult:
    """Growth under both masks of the comparison, with the projections that a cache stores.

    Attributes
    ----------
    q, k, v : np.ndarray
        (T, D), (T, D), (T, E) of the whole sequence.
    weights, output : np.ndarray
        (T, T) and (T, E) under mask b, of the whole sequence.
    """

    params: Params
    head: Head
    a: Growth
    b: Growth
    q: Array
    k: Array
    v: Array
    weights: Array
    output: Array
    backend_name: str
    precision: str
    seconds: float


def measure_growth(params: Params, *, backend: Backend | str | None = None) -> GrowthResult:
    """Compute every shorter sequence alone, and every token from a cache."""
    raise NotImplementedError

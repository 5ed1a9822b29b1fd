"""Measured influence: one token changes, and every output is compared with what it was.

Shape legend: T positions.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends import Backend
from engine.experiments.masks.compare import Params
from engine.experiments.masks.inputs import Head
from engine.shapes import Array

CHANGE = 1.0  # added to every component of the vector of the token that changes


@dataclass(frozen=True)
class Influence:
    """What moved under one mask.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T).
    moves : np.ndarray
        (T, T): entry (i, j) is the largest absolute change of a component of output i when token j
        changes. The diagonal may move under any mask, since the query itself changes there.
    """

    visible: Array
    moves: Array

    @property
    def leak(self) -> float:
        """The largest move of an output whose query may not see the token that changed."""
        raise NotImplementedError


@dataclass(frozen=True)
class InfluenceResult:
    """Influence under both masks of the comparison."""

    params: Params
    head: Head
    a: Influence
    b: Influence
    backend_name: str
    precision: str
    seconds: float


def measure_influence(params: Params, *, backend: Backend | str | None = None) -> InfluenceResult:
    """Change each token in turn and measure every output.

    The unchanged pass is computed in the same batch shape as the changed ones, so that an output
    that cannot depend on a token is equal to the last bit.
    """
    raise NotImplementedError

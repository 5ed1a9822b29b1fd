"""What is timed of the scores, and what may be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.experiments.lookup.cost_counts import tanhs_of
from engine.experiments.memory.measurable import (
    MOST_REPEATS,
    MOST_SEED,
    MOST_VALUES,
    require_different,
    require_repeats,
    require_seed,
)
from engine.experiments.whole_number import require_whole

__all__ = [
    "MOST_D_K",
    "MOST_REPEATS",
    "MOST_SEED",
    "MOST_T",
    "MOST_VALUES",
    "CostParams",
    "Variable",
    "pairs_of",
    "validate",
]

Variable = Literal["T", "d_k"]
MOST_T, MOST_D_K = 2_048, 512


@dataclass(frozen=True)
class CostParams:
    """What is timed: every T at ``d_k``, and every width of ``d_ks`` at ``T``.

    Attributes
    ----------
    Ts, d_ks : tuple of int
        1 to 12 different ones each.
    T, d_k : int
        What is held while the other is varied.
    repeats : int
        Runs of each point whose median counts, after a warm-up.
    seed : int
        Of the inputs.
    """

    Ts: tuple[int, ...] = (64, 128, 256, 512)
    d_ks: tuple[int, ...] = (8, 16, 32, 64, 128)
    T: int = 256
    d_k: int = 64
    repeats: int = 5
    seed: int = 1


def pairs_of(params: CostParams) -> tuple[tuple[int, int], ...]:
    """Return every (T, d_k) that is measured, the least work first."""
    pairs = {(T, params.d_k) for T in params.Ts} | {(params.T, d_k) for d_k in params.d_ks}
    return tuple(sorted(pairs, key=lambda pair: (tanhs_of(pair[0], pair[1], "additive"), pair)))


def validate(params: CostParams) -> None:
    """Refuse parameters out of their range.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_different("T", params.Ts, MOST_T)
    require_different("d_k", params.d_ks, MOST_D_K)
    require_whole("T", params.T, 1, MOST_T)
    require_whole("d_k", params.d_k, 1, MOST_D_K)
    require_repeats(params.repeats)
    require_seed(params.seed)

"""What a token gives to itself: queries and keys of one projection, and of two.

Shape legend: T positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from engine.backends import Backend
from engine.shapes import Array

__all__ = ["LIMITS", "WAYS", "Role", "RolesParams", "RolesResult", "Way", "measure_roles"]

Way = Literal["free", "tied"]
WAYS: tuple[Way, ...] = get_args(Way)
LIMITS = {"T": (1, 64), "d_model": (1, 256), "d_k": (1, 256), "draws": (2, 1_000)}


@dataclass(frozen=True)
class RolesParams:
    """What is drawn.

    Attributes
    ----------
    T : int
        Tokens of a sequence, 1 to 64.
    d_model, d_k : int
        Width of the tokens, and of queries and keys, 1 to 256.
    draws : int
        Sequences, each with its own projections, 2 to 1,000.
    seed : int
        0 to 999,999.
    """

    T: int = 16
    d_model: int = 64
    d_k: int = 64
    draws: int = 200
    seed: int = 1


@dataclass(frozen=True)
class Role:
    """What was measured with two projections or with one.

    Attributes
    ----------
    way : {"free", "tied"}
        W_Q and W_K drawn apart, or W_K = W_Q.
    diagonal : tuple of float
        (draws,), the mean weight that a token gives to itself, in each draw.
    mean, deviation, error : float
        Of ``diagonal``: mean, standard deviation (with N - 1), standard error of the mean.
    asymmetry : float
        Largest difference of a score and its mirror image, over the largest score, in all draws;
        0 to rounding where the scores are symmetric.
    first, first_scores : np.ndarray
        (T, T), weights and scaled scores of the first draw.
    """

    way: Way
    diagonal: tuple[float, ...]
    mean: float
    deviation: float
    error: float
    asymmetry: float
    first: Array
    first_scores: Array


@dataclass(frozen=True)
class RolesResult:
    """Both ways on the same tokens.

    Attributes
    ----------
    even : float
        1/T, what every token gives to every one where it looks at all alike.
    """

    params: RolesParams
    free: Role
    tied: Role
    even: float
    backend_name: str
    precision: str
    seconds: float


def measure_roles(
    params: RolesParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> RolesResult:
    """Draw sequences and projections, and measure the diagonal of the weights."""
    raise NotImplementedError

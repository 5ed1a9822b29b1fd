"""How much gradient reaches the queries, the keys and their projections, with and without scaling.

Shape legend: T positions, D = d_k.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends import Backend
from engine.shapes import Array


@dataclass(frozen=True)
class ReachParams:
    """A head at its start.

    x is standard normal (T, d_model), each W is normal / sqrt(d_model), and the gradient of the
    output is standard normal.

    Attributes
    ----------
    d_ks : tuple of int
        As in `variance.Params`, each at most 1,024; d_model = d_v = d_k.
    T : int
        2 to 64.
    repeats : int
        Independent draws, 1 to 50.
    seed : int
    """

    d_ks: tuple[int, ...] = (4, 16, 64, 256)
    T: int = 16
    repeats: int = 5
    seed: int = 1


@dataclass(frozen=True)
class Reach:
    """How large gradients are at one width.

    Attributes
    ----------
    sizes : dict
        "scores", "q", "k", "v", "w_q", "w_k", "w_v" -> root mean square of the components of that
        gradient: its mean over the repeats, and the standard error of that mean.
    """

    d_k: int
    scaled: bool
    sizes: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class ReachResult:
    """Both ways at every width.

    Attributes
    ----------
    found : dict
        (d_k, scaled) -> Reach.
    jacobian : dict
        scaled -> (T, T), the Jacobian of softmax of row 1 of the first draw at the largest d_k.
    weights : dict
        scaled -> (T,), that row.
    """

    params: ReachParams
    found: dict[tuple[int, bool], Reach]
    jacobian: dict[bool, Array]
    weights: dict[bool, Array]
    backend_name: str
    precision: str
    seconds: float


def measure_reach(params: ReachParams, *, backend: Backend | str | None = None) -> ReachResult:
    """Run the backward pass of `engine.gradients` at every width, scaled and not."""
    raise NotImplementedError

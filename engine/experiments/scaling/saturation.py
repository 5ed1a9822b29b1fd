"""What softmax makes of scores that grow with d_k.

Shape legend: N queries, S keys, D = d_k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.shapes import Array

Rule = Literal["unscaled", "sqrt", "linear", "own"]
RULES: tuple[Rule, ...] = ("unscaled", "sqrt", "linear", "own")
EXPONENTS: dict[Rule, float] = {
    "unscaled": 0.0,
    "sqrt": 0.5,
    "linear": 1.0,
}  # of d_k in the divisor
TABLE = (16, 64, 256, 1024)  # the widths of the text's table
NEARLY_ONE = 0.99


@dataclass(frozen=True)
class SaturationParams:
    """What is drawn: N queries against S keys each, standard normal components.

    Attributes
    ----------
    d_ks : tuple of int
        As in `variance.Params`; the four of the text's table are always among those computed.
    keys : int
        S, 2 to 1,024.
    samples : int
        N, 2 to 10,000.
    exponent : float
        The person's own rule divides by d_k to this power, 0 to 2.
    seed : int
        0 to 999,999.
    """

    d_ks: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
    keys: int = 16
    samples: int = 1_000
    exponent: float = 0.25
    seed: int = 1


@dataclass(frozen=True)
class Sharpness:
    """One rule at one d_k, each a mean over N rows with its standard error.

    Attributes
    ----------
    largest, largest_error : float
        The largest weight of a row.
    effective, effective_error : float
        Keys that share the weight: exp of the entropy of a row.
    saturated : float
        Share of the rows whose largest weight is above 0.99.
    jacobian, jacobian_error : float
        Frobenius norm of the Jacobian of softmax.
    """

    d_k: int
    rule: Rule
    largest: float
    largest_error: float
    effective: float
    effective_error: float
    saturated: float
    jacobian: float
    jacobian_error: float


@dataclass(frozen=True)
class SaturationResult:
    """Every rule at every width, and one row to look at.

    Attributes
    ----------
    found : dict
        (d_k, rule) -> Sharpness.
    row_scores : dict
        d_k -> (S,) raw scores of the first query.
    """

    params: SaturationParams
    d_ks: tuple[int, ...]
    found: dict[tuple[int, Rule], Sharpness]
    row_scores: dict[int, Array]
    backend_name: str
    precision: str
    seconds: float


def measure_saturation(
    params: SaturationParams, *, backend: Backend | str | None = None
) -> SaturationResult:
    """Draw queries and keys, and apply softmax under every rule."""
    raise NotImplementedError


@dataclass(frozen=True)
class Pair:
    """Two scores divided by a temperature, and their weights.

    Attributes
    ----------
    temperatures : np.ndarray
        (M,) from 0.1 to 20, for the curve.
    curve : np.ndarray
        (M, 2) weights.
    weights, jacobian : np.ndarray
        (2,) and (2, 2) at the chosen temperature.
    """

    scores: tuple[float, float]
    temperature: float
    temperatures: Array
    curve: Array
    weights: Array
    jacobian: Array


def pair_of(scores: tuple[float, float] = (5.0, 4.0), temperature: float = 1.0) -> Pair:
    """Return two weights and how they change with the temperature; float64.

    Raises
    ------
    NumberError
        When a score is not finite or beyond 1e6 in size, or the temperature not in 0.1 to 20.
    """
    raise NotImplementedError

"""What depth does to the differences between positions: random layers of self-attention.

Shape legend: R seeds, L layers, T positions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.backends import Backend
from engine.shapes import Array

HEADS = (1, 2, 4, 8, 16)
LEAST_T, MOST_T = 2, 128
LEAST_WIDTH, MOST_WIDTH = 2, 256
MOST_LAYERS = 48
MOST_SEEDS = 16
Measure = Literal["cosine", "rank", "norm"]
Key = tuple[bool, int]  # with residual or not, number of heads


@dataclass(frozen=True)
class SmoothingParams:
    """A stack of layers, with a residual connection and without one.

    Attributes
    ----------
    T : int
        Positions, 2 to 128.
    d_model : int
        2 to 256.
    layers : int
        1 to 48.
    heads : tuple of int
        From 1, 2, 4, 8 and 16, each dividing d_model; in any order, kept rising.
    norm : bool
        Layer normalisation: with the residual connection of what attention reads (pre-norm),
        without it of what attention gives.
    seeds : tuple of int
        1 to 16 different ones, each 0 to 999,999; one stack is drawn from each.
    """

    T: int = 32
    d_model: int = 64
    layers: int = 12
    heads: tuple[int, ...] = (1,)
    norm: bool = False
    seeds: tuple[int, ...] = (1, 2, 3, 4)


@dataclass(frozen=True)
class SmoothingResult:
    """Every stack after each layer; column 0 is the input.

    Attributes
    ----------
    heads : tuple of int
        Rising.
    cosine : dict
        (residual, heads) -> (R, L + 1): the mean cosine between two different positions. NaN where
        a vector is zero.
    rank : dict
        The same of the effective rank: exp of the entropy of the singular values over their sum
        (Roy and Vetterli 2007). NaN where all is zero.
    norm : dict
        The same of the root of the mean square of all components.
    """

    params: SmoothingParams
    heads: tuple[int, ...]
    cosine: Mapping[Key, Array]
    rank: Mapping[Key, Array]
    norm: Mapping[Key, Array]
    backend_name: str
    precision: str
    seconds: float

    def of(self, measure: Measure) -> Mapping[Key, Array]:
        """Return one of the three by name."""
        return {"cosine": self.cosine, "rank": self.rank, "norm": self.norm}[measure]


def measure_smoothing(
    params: SmoothingParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> SmoothingResult:
    """Run the stacks.

    ``progress`` hears the share that is done after each layer; what it raises ends the run.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    raise NotImplementedError

"""How many steps information needs between two positions, counted by walking.

Shape legend: T positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.errors import OptionError
from engine.experiments.number_text import shortened
from engine.experiments.read_only import read_only
from engine.experiments.whole_number import is_whole, require_whole
from engine.shapes import Array

Architecture = Literal["rnn", "convolution", "dilated", "window", "full"]
ARCHITECTURES: tuple[Architecture, ...] = ("rnn", "convolution", "dilated", "window", "full")
LEAST_T, MOST_T = 2, 512
LEAST_KERNEL, MOST_KERNEL = 3, 63
LEAST_WINDOW, MOST_WINDOW = 2, 512
MOST_LAYERS = 64


@dataclass(frozen=True)
class PathParams:
    """A sequence, and how far one layer of each architecture looks.

    A step is one layer of a stack; of the recurrent net, which has one layer here, it is one step
    from a position to the next.

    Attributes
    ----------
    T : int
        Positions, 2 to 512.
    kernel : int
        Positions that one convolution reads, centred, odd, 3 to 63. The dilated one reads as many,
        1, 2, 4, ... apart in the first, second, third, ... layer (van den Oord et al. 2016).
    window : int
        Neighbours that windowed attention sees besides itself, half on each side (Beltagy et al.
        2020), even, 2 to 512.
    layers : int
        Steps after which it is asked what one position has heard of, 1 to 64.
    position : int
        That position, counted from 1; 0 is the middle one.
    """

    T: int = 64
    kernel: int = 3
    window: int = 8
    layers: int = 1
    position: int = 0


@dataclass(frozen=True)
class PathResult:
    """The walks.

    Attributes
    ----------
    steps : dict
        Architecture -> (T,) whole numbers: the least steps that take information from position 1
        to position 1 + distance, for the distances 0 to T - 1.
    reached : dict
        Architecture -> bool (T,): which positions ``position`` has heard of after
        ``params.layers`` steps.
    position : int
        Counted from 0.
    """

    params: PathParams
    steps: Mapping[Architecture, Array]
    reached: Mapping[Architecture, Array]
    position: int

    @property
    def longest(self) -> dict[Architecture, int]:
        """The steps from the first position to the last."""
        return {name: int(steps[-1]) for name, steps in self.steps.items()}


def count_paths(params: PathParams) -> PathResult:
    """Walk through every architecture.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    raise NotImplementedError

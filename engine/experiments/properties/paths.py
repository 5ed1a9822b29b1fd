"""How many steps information needs between two positions, counted by walking.

Shape legend: T positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.backends.threads import one_blas_thread
from engine.errors import OptionError
from engine.experiments.read_only import read_only
from engine.experiments.scaling.inputs import require_count
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
    layers: int = 3
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
    _require_usable(params)
    T = params.T
    position = (params.position or (T + 1) // 2) - 1
    readers = {name: _reader(params, name) for name in ARCHITECTURES}
    with one_blas_thread():  # handing out so small products takes longer than doing them
        steps = {name: _steps(reads, T) for name, reads in readers.items()}
        reached = {
            name: _heard(reads, T, position, params.layers) for name, reads in readers.items()
        }
    read_only(*steps.values(), *reached.values())
    return PathResult(params, steps, reached, position)


# The number of a layer, from 0 -> float32 (T, T): entry (i, j) is 1 where position i reads j, else
# 0. Products of such arrays are fast, and count exactly to 2^24.
Reader = Callable[[int], Array]


def _reader(params: PathParams, architecture: Architecture) -> Reader:
    """Return what each layer of an architecture reads; every position reads itself."""
    offsets = np.arange(params.T)[:, None] - np.arange(params.T)[None, :]
    if architecture == "dilated":
        return lambda layer: _convolution(offsets, params.kernel, min(2**layer, params.T))
    if architecture == "rnn":
        reads = ((offsets == 0) | (offsets == 1)).astype(np.float32)
    elif architecture == "convolution":
        reads = _convolution(offsets, params.kernel, 1)
    elif architecture == "window":
        reads = (np.abs(offsets) <= params.window // 2).astype(np.float32)
    else:
        reads = np.ones_like(offsets, dtype=np.float32)
    return lambda _layer: reads


def _convolution(offsets: Array, kernel: int, dilation: int) -> Array:
    inside = np.abs(offsets) <= (kernel // 2) * dilation
    reads: Array = (inside & (offsets % dilation == 0)).astype(np.float32)
    return reads


def _steps(reads: Reader, T: int) -> Array:
    """Return after how many steps each position has heard of the first, (T,)."""
    known = np.arange(T) == 0
    steps = np.zeros(T, dtype=np.int64)
    for step in range(T - 1):
        if known.all():
            break
        told = reads(step) @ known.astype(np.float32) > 0
        steps[told & ~known] = step + 1
        known = told
    return steps


def _heard(reads: Reader, T: int, position: int, layers: int) -> Array:
    """Return which positions one has heard of after some steps, (T,), walking backwards."""
    heard: Array = np.arange(T) == position
    for layer in reversed(range(layers)):
        if heard.all():
            break
        heard = heard.astype(np.float32) @ reads(layer) > 0
    return heard


def _require_usable(params: PathParams) -> None:
    require_count("T", params.T, LEAST_T, MOST_T)
    require_count("kernel", params.kernel, LEAST_KERNEL, MOST_KERNEL)
    require_count("window", params.window, LEAST_WINDOW, MOST_WINDOW)
    require_count("layers", params.layers, 1, MOST_LAYERS)
    require_count("position", params.position, 0, params.T)
    if params.kernel % 2 == 0:
        raise OptionError(
            "The kernel must be odd, so that it has a middle; got {kernel}.", kernel=params.kernel
        )
    if params.window % 2:
        raise OptionError(
            "The window must be even, half of it on each side; got {window}.",
            window=params.window,
        )

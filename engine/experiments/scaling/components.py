"""Random components with mean 0 and variance 1, and what the assumptions of the text leave out.

Shape legend: N vectors, D = d_k.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from engine.shapes import Array

Distribution = Literal["normal", "uniform", "rademacher", "laplace"]
DISTRIBUTIONS: tuple[Distribution, ...] = ("normal", "uniform", "rademacher", "laplace")
# Fourth moment of one component of variance 1.
FOURTH_MOMENTS: dict[Distribution, float] = {
    "normal": 3.0,
    "uniform": 9 / 5,
    "rademacher": 1.0,
    "laplace": 6.0,
}
_UNIFORM_END = math.sqrt(3)  # variance (2 sqrt(3))^2 / 12 = 1
_LAPLACE_SCALE = 1 / math.sqrt(2)  # variance 2 scale^2 = 1


def draw(random: np.random.Generator, distribution: Distribution, shape: tuple[int, int]) -> Array:
    """Return independent components of mean 0 and variance 1, float64."""
    if distribution == "normal":
        return random.standard_normal(shape)
    if distribution == "uniform":
        return _uniform(random, shape)
    if distribution == "laplace":
        return random.laplace(0.0, _LAPLACE_SCALE, shape)
    return _signs(random, shape)


def _uniform(random: np.random.Generator, shape: tuple[int, int]) -> Array:
    numbers = random.random(shape)
    numbers *= 2 * _UNIFORM_END
    numbers -= _UNIFORM_END
    return numbers


def _signs(random: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return -1 or 1, each from one random bit."""
    count = math.prod(shape)
    octets = np.frombuffer(random.bytes(-(-count // 8)), dtype=np.uint8)
    numbers = np.unpackbits(octets, count=count).astype(np.float64)
    numbers *= 2
    numbers -= 1
    return numbers.reshape(shape)

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
# Fourth, sixth and eighth moment of one component of variance 1.
MOMENTS: dict[Distribution, tuple[float, float, float]] = {
    "normal": (3.0, 15.0, 105.0),
    "uniform": (9 / 5, 27 / 7, 9.0),
    "rademacher": (1.0, 1.0, 1.0),
    "laplace": (6.0, 90.0, 2520.0),
}
_UNIFORM_END = math.sqrt(3)  # variance (2 sqrt(3))^2 / 12 = 1
_LAPLACE_SCALE = 1 / math.sqrt(2)  # variance 2 scale^2 = 1
# (256, 8) the signs of the bits of each octet, the highest bit first.
_SIGNS = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1) - 1


def fill(vectors: Array, random: np.random.Generator, distribution: Distribution) -> None:
    """Fill float64 vectors (N, D) with independent components of mean 0 and variance 1."""
    if distribution == "normal":
        random.standard_normal(out=vectors)
    elif distribution == "uniform":
        random.random(out=vectors)
        vectors *= 2 * _UNIFORM_END
        vectors -= _UNIFORM_END
    elif distribution == "laplace":
        vectors[...] = random.laplace(0.0, _LAPLACE_SCALE, vectors.shape)
    else:
        _fill_with_signs(vectors, random)


def _fill_with_signs(vectors: Array, random: np.random.Generator) -> None:
    """Fill with -1 or 1, each from one random bit."""
    octets = np.frombuffer(random.bytes(-(-vectors.size // 8)), dtype=np.uint8)
    flat, whole = vectors.reshape(-1, copy=False), vectors.size // 8
    rows = flat[: 8 * whole].reshape(whole, 8)
    # Looked up eight at a time: to unpack the bits and make numbers of them takes longer.
    np.take(_SIGNS, octets[:whole], axis=0, out=rows, mode="clip")
    flat[8 * whole :] = _SIGNS[octets[-1], : vectors.size % 8]

"""Attention in blocks computes the same as the formula, and holds less: both, measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.backends.measuring import MEASURING
from engine.experiments.memory import materialised
from engine.experiments.memory.needs import Kernel
from engine.experiments.memory.point import Job, measured_point
from engine.shapes import Array

# Of the largest output number: sums of 1,024 products in float32, in another order.
SAME = 1e-5


@dataclass(frozen=True)
class ChunkedParams:
    """What is computed both ways: sizes, and the seed of the inputs."""

    T: int = 1024
    heads: int = 4
    d_k: int = 64
    seed: int = 1


@dataclass(frozen=True)
class Chunked:
    """Both ways on the same inputs, in float32.

    Attributes
    ----------
    T, heads, d_k : int
    kernel : {"blocked", "fused", "fallback"}
        What computed the second way.
    difference : float
        Largest absolute difference of two output numbers, whose size is about 1/sqrt(T).
    largest : float
        Largest absolute output number of the formula.
    materialised_peak, blocked_peak : int
        Bytes held at once beyond q, k and v.
    """

    T: int
    heads: int
    d_k: int
    kernel: Kernel
    difference: float
    largest: float
    materialised_peak: int
    blocked_peak: int

    @property
    def is_same(self) -> bool:
        """Whether both outputs are equal to rounding."""
        return self.difference <= SAME * self.largest

    @property
    def ratio(self) -> float:
        """The peak of the formula over that of the second way."""
        return self.materialised_peak / self.blocked_peak


def compare(params: ChunkedParams, *, backend: Backend | str | None = None) -> Chunked:
    """Compute attention both ways, and measure the peaks.

    Raises
    ------
    EngineError
        If memory runs out.
    """
    chosen = choose_backend(backend)
    jobs = [
        Job(way, params.T, params.heads, params.d_k, 1, "float32", False, 1, params.seed)
        for way in ("materialised", "attend")
    ]
    with MEASURING:
        whole, other = (measured_point(job, chosen) for job in jobs)
    formula, blocked = _outputs(jobs[0], chosen)
    return Chunked(
        T=params.T,
        heads=params.heads,
        d_k=params.d_k,
        kernel=other.kernel,
        difference=float(np.abs(formula - blocked).max()),
        largest=float(np.abs(formula).max()),
        materialised_peak=whole.peak_bytes,
        blocked_peak=other.peak_bytes,
    )


def _outputs(job: Job, backend: Backend) -> tuple[Array, Array]:
    q, k, v = job.inputs()
    scale = 1 / math.sqrt(job.d_k)
    formula: Array = backend.run(materialised.compute, q, k, v, scale=scale, causal=False)
    return formula, backend.attend(q, k, v, mask=None, bias=None, causal=False, scale=scale)

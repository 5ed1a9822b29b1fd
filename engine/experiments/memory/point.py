"""What is measured, and what comes of one point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.backends import Backend
from engine.backends.measuring import OverlongError
from engine.errors import OutOfMemoryError
from engine.experiments.memory import guard, materialised, needs
from engine.experiments.memory.needs import Kernel, Sizes, Way
from engine.shapes import Array

DType = Literal["float32", "float16"]
PEAKS = 3  # of which one counts, where a run is short


@dataclass(frozen=True)
class Job:
    """One computation to be measured: self-attention, S = T and d_v = d_k.

    Attributes
    ----------
    way : {"materialised", "attend"}
    T, heads, d_k, batch : int
    dtype : {"float32", "float16"}
    causal : bool
    repeats : int
        Runs that are timed.
    seed : int
        Of the inputs, which are standard normal.
    """

    way: Way
    T: int
    heads: int
    d_k: int
    batch: int
    dtype: DType
    causal: bool
    repeats: int
    seed: int

    def kernel(self, backend: Backend) -> Kernel:
        """Return what computes it."""
        if self.way == "materialised":
            return "formula"
        return backend.attend_kernel(self.T, self.d_k)

    @property
    def sizes(self) -> Sizes:
        """Its sizes."""
        return Sizes(self.batch, self.heads, self.T, self.d_k, self.dtype)

    @property
    def work(self) -> int:
        """What its time grows with: additions and multiplications."""
        return self.sizes.operations

    def inputs(self) -> tuple[Array, Array, Array]:
        """Return q, k and v, the same ones for both ways."""
        rng = np.random.default_rng((self.seed, self.T))
        shape = (self.batch, self.heads, self.T, self.d_k)
        q, k, v = (
            rng.standard_normal(shape, np.float32).astype(self.dtype, copy=False) for _ in range(3)
        )
        return q, k, v


@dataclass(frozen=True)
class Point:
    """One way at one T.

    Attributes
    ----------
    way : {"materialised", "attend"}
    T, d_k : int
    kernel : {"formula", "blocked", "fused", "fallback"}
        What computed it: the formula step by step, NumPy in blocks, MLX's fused kernel, or what
        MLX takes instead of that.
    seconds : float
        Median over the repeats, after a warm-up; NaN where it was refused.
    all_seconds : tuple of float
        Every repeat, in order; empty where it was refused.
    peak_bytes : int
        Most that was held at once beyond q, k and v; 0 where it was refused.
    predicted_bytes : int
        What the formula says of the same: scores, weights and output, or a block of them.
    working_bytes : int
        What the guard expected, inputs included.
    refused : RefusedError or None
        Why there is no measurement.
    """

    way: Way
    T: int
    d_k: int
    kernel: Kernel
    seconds: float
    all_seconds: tuple[float, ...]
    peak_bytes: int
    predicted_bytes: int
    working_bytes: int
    refused: guard.RefusedError | None = None

    @property
    def ratio(self) -> float:
        """The measured peak over the predicted one; NaN where it was refused."""
        return math.nan if self.refused else self.peak_bytes / self.predicted_bytes


def refused_point(job: Job, kernel: Kernel, refusal: guard.RefusedError) -> Point:
    """Return a point without a measurement."""
    return Point(
        job.way, job.T, job.d_k, kernel, math.nan, (), 0,
        needs.predicted_bytes(kernel, job.sizes), needs.working_bytes(kernel, job.sizes), refusal,
    )  # fmt: skip


def measured_point(job: Job, backend: Backend, longest: float = guard.LONGEST) -> Point:
    """Compute it several times.

    Raises
    ------
    RefusedError
        If memory runs out, or if the first run shows that all would take too long.
    """
    kernel = job.kernel(backend)
    working = needs.working_bytes(kernel, job.sizes)
    try:
        found = backend.measure_within(
            materialised.compute if job.way == "materialised" else None,
            *job.inputs(),
            repeats=job.repeats,
            peaks=PEAKS,
            longest=longest,
            scale=1 / math.sqrt(job.d_k),
            causal=job.causal,
        )
    except (MemoryError, OutOfMemoryError):
        raise guard.ran_out(job.T, working).with_traceback(None) from None
    except OverlongError as error:
        raise guard.too_long(job.T, error.seconds) from None
    return Point(
        job.way, job.T, job.d_k, kernel, found.seconds, found.all_seconds, found.peak_bytes,
        needs.predicted_bytes(kernel, job.sizes), working,
    )  # fmt: skip

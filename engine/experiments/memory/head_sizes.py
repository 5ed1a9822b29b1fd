"""What `attend` costs at several head sizes, and which kernel of MLX computes each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.attention import choose_backend
from engine.backends import Backend
from engine.experiments.memory.device import machine_of
from engine.experiments.memory.measurable import (
    MOST_D_K,
    MOST_T,
    require_different,
    require_setting,
)
from engine.experiments.memory.needs import Kernel
from engine.experiments.memory.point import DType, Job, Point
from engine.experiments.memory.series import Series, grown, last_of
from engine.experiments.scaling.inputs import require_count

__all__ = [
    "MOST_T",
    "HeadSizeParams",
    "HeadSizeResult",
    "measure",
    "require_head_sizes",
    "run",
]


@dataclass(frozen=True)
class HeadSizeParams:
    """What is measured.

    Attributes
    ----------
    d_ks : tuple of int
        1 to 12 different head sizes.
    T, heads, batch : int
    dtype : {"float32", "float16"}
    causal : bool
    repeats : int
        Runs of each point whose median counts, after a warm-up.
    seed : int
        Of the inputs.
    """

    d_ks: tuple[int, ...] = (32, 40, 64, 72, 80, 96, 128)
    T: int = 512
    heads: int = 8
    batch: int = 1
    dtype: DType = "float32"
    causal: bool = False
    repeats: int = 5
    seed: int = 1

    @property
    def pairs(self) -> int:
        """Pairs of a query and a key that it may look at, in all heads."""
        pairs = self.T * (self.T + 1) // 2 if self.causal else self.T**2
        return self.batch * self.heads * pairs

    def job(self, d_k: int) -> Job:
        """Return the computation at one head size."""
        return Job("attend", self.T, self.heads, d_k, self.batch, self.dtype, self.causal,
                   self.repeats, self.seed)  # fmt: skip


@dataclass(frozen=True)
class HeadSizeResult(Series):
    """The points so far, head sizes rising.

    Attributes
    ----------
    params : HeadSizeParams
    beside : tuple of HeadSizeResult
        Runs of other machines, to be shown beside it.
    """

    params: HeadSizeParams
    beside: tuple[HeadSizeResult, ...] = ()

    def by(self, kernel: Kernel) -> tuple[Point, ...]:
        """Return the measured points of one kernel."""
        return tuple(point for point in self.measured if point.kernel == kernel)

    def nanoseconds(self, point: Point) -> float:
        """Return the time for each pair of a query and a key, and each component of d_k.

        It would be the same at every head size if each were computed equally well.
        """
        return math.nan if point.refused else 1e9 * point.seconds / (self.params.pairs * point.d_k)


def measure(
    params: HeadSizeParams, *, backend: Backend | str | None = None
) -> Iterator[HeadSizeResult]:
    """Measure, and yield what is there after every head size; as `measured.measure` does.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed. At once.
    """
    require_head_sizes(params)
    chosen = choose_backend(backend)
    jobs = [params.job(d_k) for d_k in sorted(params.d_ks)]
    return grown(HeadSizeResult(params, machine_of(chosen), (), len(jobs), 0.0), jobs, chosen)


def run(
    params: HeadSizeParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> HeadSizeResult:
    """Measure all points; raises as `measure` does."""
    return last_of(measure(params, backend=backend), progress)


def require_head_sizes(params: HeadSizeParams) -> None:
    """Refuse parameters out of their range.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_different("d_k", params.d_ks, MOST_D_K)
    require_count("T", params.T, 1, MOST_T)
    require_setting(params)

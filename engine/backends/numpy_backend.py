"""NumPy: the reference, in float64, on every machine."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from engine.backends import machine_memory
from engine.backends.base import Compute, Measurement
from engine.backends.blocked import blocked_attention
from engine.backends.machine import processor_name
from engine.backends.measuring import MEASURING, measured
from engine.errors import OutOfMemoryError
from engine.shapes import Array


class NumpyBackend:
    """Computes on the processor with NumPy."""

    name = "numpy"
    kind = "cpu"
    precision = "float64"

    def __init__(self) -> None:
        self.device_name = processor_name()
        self.device = f"NumPy {np.__version__} on the processor ({self.device_name})."

    def run(self, compute: Compute, *arrays: Array, **static: Any) -> Any:
        """Call ``compute(numpy, *arrays, **static)``; overflow gives infinity, as on a GPU."""
        return _guarded(lambda: compute(np, *map(np.asarray, arrays), **static))

    def attend(
        self,
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None,
        bias: Array | None,
        causal: bool,
        scale: float,
    ) -> Array:
        """Compute attention in blocks; see `engine.backends.blocked`."""
        result: Array = _guarded(
            lambda: blocked_attention(q, k, v, mask=mask, bias=bias, causal=causal, scale=scale)
        )
        return result

    def measure(
        self, compute: Compute, *arrays: Array, repeats: int = 3, **static: Any
    ) -> Measurement:
        """Time ``run``, and find what it allocates beyond its inputs."""
        return self.measure_within(
            compute, *arrays, repeats=repeats, peaks=1, longest=math.inf, **static
        )

    def measure_within(
        self,
        compute: Compute | None,
        *arrays: Array,
        repeats: int,
        peaks: int,
        longest: float,
        **static: Any,
    ) -> Measurement:
        """Measure ``run``, or ``attend`` where ``compute`` is None; peaks by tracemalloc."""

        def work() -> None:
            if compute is None:
                self.attend(*arrays, mask=None, bias=None, **static)
            else:
                self.run(compute, *arrays, **static)

        with MEASURING:
            return measured(
                lambda: _seconds(work),
                lambda: _peak_bytes(work),
                repeats=repeats,
                peaks=peaks,
                longest=longest,
            )

    def free_bytes(self) -> int:
        """Return the free memory of the machine."""
        return machine_memory.free_bytes()

    def attend_kernel(self, T: int, D: int) -> Literal["blocked"]:  # noqa: ARG002 - any size
        """Return "blocked", whatever the sizes."""
        return "blocked"


def _guarded(work: Any) -> Any:
    try:
        # Every step is checked for infinity afterwards; Accelerate also warns without cause.
        with np.errstate(all="ignore"):
            return work()
    except MemoryError as error:
        raise OutOfMemoryError(
            "NumPy needs more memory than this machine has ({detail}); use shorter sequences.",
            detail=str(error).rstrip("."),
        ) from None


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _peak_bytes(work: Callable[[], None]) -> int:
    nested = tracemalloc.is_tracing()
    if not nested:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        work()
        return max(0, tracemalloc.get_traced_memory()[1] - before)
    finally:
        if not nested:
            tracemalloc.stop()

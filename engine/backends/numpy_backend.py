"""NumPy: the reference, in float64, on every machine."""

from __future__ import annotations

import statistics
import threading
import time
import tracemalloc
from typing import Any

import numpy as np

from engine.backends.base import Compute, Measurement
from engine.backends.blocked import blocked_attention
from engine.backends.machine import processor_name
from engine.errors import BackendError
from engine.shapes import Array

# tracemalloc is one for the whole process: measurements take turns.
_measuring = threading.Lock()


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
        with _measuring:
            self.run(compute, *arrays, **static)
            seconds = []
            for _ in range(repeats):
                start = time.perf_counter()
                self.run(compute, *arrays, **static)
                seconds.append(time.perf_counter() - start)
            peak = _peak_bytes(lambda: self.run(compute, *arrays, **static))
            return Measurement(statistics.median(seconds), peak)


def _guarded(work: Any) -> Any:
    try:
        # Every step is checked for infinity afterwards; Accelerate also warns without cause.
        with np.errstate(all="ignore"):
            return work()
    except MemoryError as error:
        raise BackendError(
            "NumPy needs more memory than this machine has ({detail}); use shorter sequences.",
            detail=str(error).rstrip("."),
        ) from None


def _peak_bytes(work: Any) -> int:
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

"""NumPy: the reference, in float64, on every machine."""

from __future__ import annotations

import math
import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from engine.backends import machine_memory
from engine.backends.base import Compute, Measurement
from engine.backends.blocked import blocked_attention
from engine.backends.gathering import gathered
from engine.backends.machine import processor_name
from engine.backends.measuring import MEASURING, measured
from engine.errors import OutOfMemoryError
from engine.shapes import Array

_TRIES = 5  # of a run that all threads must share, and no other may disturb
_PATIENCE = 0.5  # seconds of waiting for a quiet moment
_WATCHED = 0.002  # seconds: as long as a short run takes
_LITTLE = 16_384  # bytes that other threads always take and give back


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
    """Return the most that is held at once beyond the inputs, every thread taking part.

    A run in which a helper was missing held too little; one in which another thread of the process
    took or gave back memory for good tells too much or too little. Both are made anew. Where there
    is no other, the middle one of all is nearest.
    """
    found = []
    for _ in range(_TRIES):
        with gathered() as threads:
            peak, alone = _traced_peak(work)
        if threads.complete and alone:
            return peak
        found.append(peak)
    return statistics.median_low(found)


def _traced_peak(work: Callable[[], None]) -> tuple[int, bool]:
    """Return the peak beyond what was held before, and whether as much is held afterwards."""
    nested = tracemalloc.is_tracing()
    if not nested:
        tracemalloc.start()
    try:
        _await_quiet()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        work()
        after, peak = tracemalloc.get_traced_memory()
        return max(0, peak - before), abs(after - before) <= _LITTLE
    finally:
        if not nested:
            tracemalloc.stop()


def _await_quiet() -> None:
    """Wait, but not for long, for a moment in which no other thread allocates much.

    The counter is one for the whole process: what another thread takes would be counted too.
    """
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        time.sleep(_WATCHED)
        if tracemalloc.get_traced_memory()[1] - before <= _LITTLE:
            return

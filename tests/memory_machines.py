"""Backends with clocks and memories of their own, and measured runs made up for tests."""

from __future__ import annotations

import math
from typing import Any

from engine.backends.measuring import measured
from engine.errors import OutOfMemoryError
from engine.experiments.memory.device import Machine
from engine.experiments.memory.measured import WAYS, MeasuredParams, MeasuredResult
from engine.experiments.memory.point import Point

MACHINE = Machine("numpy", "cpu", "Test CPU", "Test CPU", "Linux 6", "3.12.1", "NumPy 2.4.0", 4,
                  2**34, "2026-01-02T03:04:05+00:00")  # fmt: skip
GPU = Machine("mlx", "gpu", "Test GPU", "Test CPU", "macOS 26.0", "3.12.1", "MLX 0.32.4", 8,
              2**36, "2026-01-02T03:04:05+00:00")  # fmt: skip


class _Fake:
    """A machine whose time is ``rate`` seconds a pair, and which runs out of memory at a T."""

    name, kind, precision = "numpy", "cpu", "float64"
    device_name, device = "Fake", "A fake."

    def __init__(self, rate=1e-9, free=2**45, most_T=10**9, slow_start=1.0):
        self.rate, self.free, self.most_T, self.slow_start = rate, free, most_T, slow_start
        self.ran = []

    def run(self, *_arguments, **_static):
        raise AssertionError("a measurement computes by measure_within alone")

    def free_bytes(self):
        return self.free

    def attend_kernel(self, _T, _D):
        return "blocked"

    def measure_within(self, compute, q, *_others, repeats, peaks, longest, **_static):
        T = q.shape[2]
        self.ran.append(("attend" if compute is None else "materialised", T, q.shape[:2]))
        if compute is not None and self.most_T <= T:
            raise OutOfMemoryError("No more: {detail}.", detail="fake")
        seconds = self.rate * q.shape[0] * q.shape[1] * T * T
        times = iter([seconds * self.slow_start, *[seconds] * repeats])
        return measured(
            lambda: next(times), lambda: 1000 * T, repeats=repeats, peaks=peaks, longest=longest
        )


def fake_backend(**options) -> Any:
    """Return a machine that is made up."""
    return _Fake(**options)


def point(way, T, *, seconds=None, peak=None, predicted=None, kernel=None, d_k=64, refused=None,
          repeats=3):  # fmt: skip
    """Return a made-up point; without a time it takes T² nanoseconds."""
    seconds = T * T * 1e-9 if seconds is None else seconds
    times = tuple(seconds * (1 + 0.01 * (i - repeats // 2)) for i in range(repeats))
    kernel = kernel or ("formula" if way == "materialised" else "blocked")
    predicted = predicted or (64 * T * T if way == "materialised" else 2048 * T)
    peak = predicted if peak is None else peak
    if refused is not None:
        return Point(way, T, d_k, kernel, math.nan, (), 0, predicted, 10 * predicted, refused)
    return Point(way, T, d_k, kernel, seconds, times, peak, predicted, 10 * predicted)


def result(points, machine=MACHINE, **params):
    """Return a made-up run of these points."""
    Ts = tuple(dict.fromkeys(each.T for each in points)) or (64, 128)
    asked: Any = {"Ts": Ts, "repeats": 3, **params}
    measured_params = MeasuredParams(**asked)
    total = 2 * len(measured_params.Ts)
    return MeasuredResult(measured_params, machine, tuple(points), total, 1.5)


def whole_run(Ts=(64, 128, 256, 512), machine=MACHINE):
    return result([point(way, T) for T in Ts for way in WAYS], machine)

"""MLX: float32 on the Apple GPU (or, by name, elsewhere). The only file that imports mlx.

Streams of MLX belong to the thread that made them, so one long-lived thread does all the work:
arrays are made, evaluated and turned into NumPy arrays there, and none of them ever leaves it.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.metadata
import os
import platform
import statistics
import sys
import time
from typing import Any

import numpy as np

from engine.backends import machine
from engine.backends.base import Compute, Measurement
from engine.backends.worker import Worker
from engine.errors import BackendError, NumberError
from engine.shapes import Array, require_range

OLDEST = (0, 32, 1)
OLDEST_GLIBC = (2, 35)
OLDEST_MACOS = (14,)


def load_mlx_backend() -> MlxBackend:
    """Return the backend, or raise a BackendError that says why there is none here."""
    refuse_unfit_machine()
    # float32 products in TF32 (the default on M5 and CUDA) err near 1e-2; read once by MLX.
    os.environ["MLX_ENABLE_TF32"] = "0"
    worker = Worker("mlx")
    try:
        backend: MlxBackend = worker.call(
            lambda: MlxBackend(worker, importlib.import_module("mlx.core"))
        )
    except BaseException as error:
        worker.stop()
        if isinstance(error, (ImportError, OSError, RuntimeError)):
            raise BackendError(
                "MLX is installed but does not load on this machine ({detail}).",
                detail=str(error).strip().rstrip("."),
            ) from None
        raise
    atexit.register(backend.close)
    return backend


def refuse_unfit_machine() -> None:
    """Raise a BackendError where MLX cannot work, without importing it."""
    if sys.platform == "darwin":
        _refuse_unfit_mac()
    try:
        version = importlib.metadata.version("mlx")
    except importlib.metadata.PackageNotFoundError:
        raise _missing_package() from None
    if machine.version_numbers(version) < OLDEST:
        raise BackendError(
            "MLX must be at least {oldest}, got {version}; update it with pip install -U mlx.",
            oldest=".".join(map(str, OLDEST)),
            version=version,
        )


def _refuse_unfit_mac() -> None:
    if machine.is_translated():
        raise BackendError(
            "MLX needs a native Python, but this one runs under Rosetta; install Python for "
            "Apple silicon (arm64)."
        )
    if platform.machine() != "arm64":
        raise BackendError("MLX needs Apple silicon; this Mac has an Intel processor.")
    version = machine.macos_version()
    if version and version < OLDEST_MACOS:
        raise BackendError(
            "MLX needs macOS 14 or newer, this is macOS {version}; update macOS.",
            version=".".join(map(str, version)),
        )


def _missing_package() -> BackendError:
    glibc = machine.glibc_version()
    if sys.platform == "linux" and glibc and glibc < OLDEST_GLIBC:
        return BackendError(
            "MLX on Linux needs glibc 2.35 or newer, this system has {version}.",
            version=".".join(map(str, glibc)),
        )
    return BackendError("The Python package mlx is not installed; install it with pip install mlx.")


class MlxBackend:
    """Computes with MLX on its one worker thread."""

    name = "mlx"
    precision = "float32"

    def __init__(self, worker: Worker, mx: Any) -> None:
        self._worker = worker
        self._mx = mx
        gpu = mx.default_device().type == mx.DeviceType.gpu
        self.kind = "gpu" if gpu else "cpu"
        self.device_name = _device_name(mx) if gpu else machine.processor_name()
        version = importlib.metadata.version("mlx")
        place = "GPU" if gpu else "processor"
        self.device = f"MLX {version} on the {place} ({self.device_name})."

    def run(self, compute: Compute, *arrays: Array, **static: Any) -> Any:
        """Call ``compute(mlx.core, *arrays, **static)`` in float32 where float64 came in."""
        return self._worker.call(lambda: self._run(compute, arrays, static))

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
        """Compute attention with the fused kernel ``mx.fast.scaled_dot_product_attention``."""
        for name, array in (("q", q), ("k", k), ("v", v)):
            require_range(array, name, self.precision)
        if bias is not None:
            require_range(np.where(np.isfinite(bias), bias, 0), "bias", self.precision)
        result: Array = self._worker.call(
            lambda: self._attend(q, k, v, mask=mask, bias=bias, causal=causal, scale=scale)
        )
        if not np.isfinite(result).all():
            raise NumberError(
                "The scores overflow {precision}; use smaller numbers.", precision=result.dtype.name
            )
        return result

    def measure(
        self, compute: Compute, *arrays: Array, repeats: int = 3, **static: Any
    ) -> Measurement:
        """Time an evaluation, and find MLX's active peak beyond the inputs."""
        measured: Measurement = self._worker.call(
            lambda: self._measure(compute, arrays, repeats, static)
        )
        return measured

    def close(self) -> None:
        """Give MLX's streams back and end the worker; called when Python exits."""
        self._worker.stop(last=self._mx.clear_streams)

    def _run(self, compute: Compute, arrays: tuple[Array, ...], static: dict[str, Any]) -> Any:
        return self._out(self._evaluated(compute, [self._in(a) for a in arrays], static))

    def _evaluated(self, compute: Compute, native: list[Any], static: dict[str, Any]) -> Any:
        try:
            result = compute(self._mx, *native, **static)
            self._mx.eval(result)
        except (RuntimeError, MemoryError) as error:
            raise _readable(error) from None
        return result

    def _attend(
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
        mx = self._mx
        half = bias is None and q.dtype == k.dtype == v.dtype == np.float16
        dtype = np.float16 if half else np.float32
        visible, hidden_rows = _visibility(mask, bias, causal, q.shape[2], k.shape[2])

        def compute(_: Any, *native: Any) -> Any:
            return mx.fast.scaled_dot_product_attention(
                *native[:3], scale=scale, mask=native[3] if len(native) > 3 else visible_name
            )

        extra: list[Array] = []
        visible_name = "causal" if causal and visible is None else None
        if visible is not None:
            extra = [visible if bias is None else np.where(visible, bias, -np.inf).astype(dtype)]
        native = [mx.array(a.astype(dtype, copy=False)) for a in (q, k, v)]
        native += [mx.array(a) for a in extra]
        result: Array = self._out(self._evaluated(compute, native, {}))
        if hidden_rows is not None:
            result[np.broadcast_to(hidden_rows, result.shape[:3])] = 0
        return result

    def _measure(
        self, compute: Compute, arrays: tuple[Array, ...], repeats: int, static: dict[str, Any]
    ) -> Measurement:
        mx = self._mx
        native = [self._in(array) for array in arrays]
        mx.eval(native)
        self._evaluated(compute, native, static)
        seconds = []
        for _ in range(repeats):
            start = time.perf_counter()
            self._evaluated(compute, native, static)
            seconds.append(time.perf_counter() - start)
        mx.clear_cache()
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        self._evaluated(compute, native, static)
        peak = max(0, mx.get_peak_memory() - before)
        mx.clear_cache()
        return Measurement(statistics.median(seconds), peak)

    def _in(self, array: Array) -> Any:
        array = np.asarray(array)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        return self._mx.array(array)

    def _out(self, result: Any) -> Any:
        if isinstance(result, dict):
            return {name: self._out(value) for name, value in result.items()}
        if isinstance(result, (tuple, list)):
            return type(result)(self._out(value) for value in result)
        if isinstance(result, self._mx.array):
            if result.dtype == self._mx.bfloat16:  # NumPy has no such type
                result = result.astype(self._mx.float32)
            return np.array(result)
        return result


def _visibility(
    mask: Array | None, bias: Array | None, causal: bool, T: int, S: int
) -> tuple[Array | None, Array | None]:
    """Return what may be seen, (b, h, t, S), and which rows see nothing, (b, h, t)."""
    if mask is None and bias is None:
        return None, None
    visible: Array = np.ones((1, 1, 1, 1), dtype=np.bool_) if mask is None else mask
    if bias is not None:
        visible = visible & (bias != -np.inf)
    if causal:
        visible = visible & (np.arange(S) <= np.arange(S - T, S)[:, None])
    hidden: Array = ~np.any(visible, axis=-1)
    return visible, hidden if hidden.any() else None


def _device_name(mx: Any) -> str:
    return str(mx.device_info().get("device_name", "GPU"))


def _readable(error: BaseException) -> BaseException:
    text = str(error)
    if isinstance(error, MemoryError) or "alloc" in text or "memory" in text.lower():
        return BackendError(
            "MLX needs more memory than this machine has ({detail}); use shorter sequences.",
            detail=text.strip().rstrip("."),
        )
    return error

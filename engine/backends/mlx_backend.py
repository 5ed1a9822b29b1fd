"""MLX: float32 on the Apple GPU (or, by name, elsewhere). The only file that imports mlx.

Streams of MLX belong to the thread that made them, so one long-lived thread does all the work:
arrays are made, evaluated and turned into NumPy arrays there, and none of them ever leaves it.
"""

from __future__ import annotations

import atexit
import importlib
import math
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.backends import fused, machine, machine_memory, mlx_kernel
from engine.backends.base import Compute, Measurement
from engine.backends.measuring import MEASURING, measured
from engine.backends.mlx_support import installed_version, load_failure, refuse_unfit_machine
from engine.backends.worker import Worker
from engine.errors import NumberError, OutOfMemoryError
from engine.shapes import Array


def load_mlx_backend() -> MlxBackend:
    """Return the backend.

    Raises
    ------
    BackendError
        Where MLX cannot work, with the reason.
    """
    refuse_unfit_machine()
    # float32 products in TF32 (the default on M5 and CUDA) err near 1e-2; MLX reads this once.
    os.environ["MLX_ENABLE_TF32"] = "0"
    worker = Worker("mlx")
    try:
        backend: MlxBackend = worker.call(
            lambda: MlxBackend(worker, importlib.import_module("mlx.core"))
        )
    except (ImportError, OSError, RuntimeError) as error:
        worker.stop()
        raise load_failure(error) from None
    atexit.register(backend.close)
    return backend


class MlxBackend:
    """Computes with MLX on its one worker thread."""

    name = "mlx"
    precision = "float32"

    def __init__(self, worker: Worker, mx: Any) -> None:
        self._worker = worker
        self._mx = mx
        gpu = mx.default_device() == mx.Device(mx.gpu)
        self.kind = "gpu" if gpu else "cpu"
        self._metal = gpu and bool(mx.metal.is_available())
        self.device_name = _gpu_name(mx) if gpu else machine.processor_name()
        place = "GPU" if gpu else "processor"
        self.device = f"MLX {installed_version()} on the {place} ({self.device_name})."

    def run(self, compute: Compute, *arrays: Array, **static: Any) -> Any:
        """Call ``compute(mlx.core, *arrays, **static)`` in float32 where float64 came in."""
        return self._worker.call(
            lambda: self._out(self._evaluate(lambda: self._call(compute, arrays, static)))
        )

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
        """Compute attention with the fused kernel; see `engine.backends.fused`."""
        call = fused.prepare(q, k, v, mask=mask, bias=bias, causal=causal, scale=scale)
        output: Array = self._worker.call(
            lambda: call.run(self._mx, lambda build: self._out(self._evaluate(build)))
        )
        if not np.isfinite(output).all():
            raise NumberError(
                "The output overflows {precision}; use smaller numbers in `v`.",
                precision=output.dtype.name,
            )
        return output

    def measure(
        self, compute: Compute, *arrays: Array, repeats: int = 3, **static: Any
    ) -> Measurement:
        """Time an evaluation, and find MLX's active peak beyond the inputs."""
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
        """Measure an evaluation of ``compute``, or of ``attend``, on arrays of MLX.

        Each run is a piece of work of its own, so that others find their turn in between. The
        peak is MLX's own active peak beyond the inputs.
        """
        held: list[Any] = []  # MLX arrays and work on them: touched on the worker alone
        with MEASURING:
            try:
                self._worker.call(lambda: held.append(self._work(compute, arrays, static)))
                return measured(
                    lambda: float(self._worker.call(lambda: self._seconds(held[0]))),
                    lambda: int(self._worker.call(lambda: self._peak(held[0]))),
                    repeats=repeats,
                    peaks=peaks,
                    counts=max,  # MLX counts its own arrays, and this thread alone makes some
                    longest=longest,
                )
            finally:
                self._worker.call(lambda: self._let_go(held))

    def free_bytes(self) -> int:
        """Return the smaller of the machine's free memory and what a GPU may still take of it."""
        free = machine_memory.free_bytes()
        if self.kind != "gpu":
            return free
        allowed = self._worker.call(self._allowance)
        return free if allowed is None else max(0, min(free, allowed))

    def attend_kernel(self, T: int, D: int) -> mlx_kernel.Kernel:
        """Return "fused" or "fallback", by the rule of `engine.backends.mlx_kernel`."""
        return mlx_kernel.kernel_of(metal=self._metal, T=T, D=D, E=D)

    def close(self) -> None:
        """Give MLX's streams back and end the worker; called when Python exits."""
        self._worker.stop(last=self._mx.clear_streams)

    def _call(self, compute: Compute, arrays: tuple[Array, ...], static: dict[str, Any]) -> Any:
        return compute(self._mx, *map(self._in, arrays), **static)

    def _evaluate(self, build: Callable[[], Any]) -> Any:
        try:
            result = build()
            # Running out of memory shows here, and would end the process in a conversion.
            self._mx.eval(result)
        except (RuntimeError, MemoryError) as error:
            if not _is_memory(error):
                raise
            raise OutOfMemoryError(
                "MLX needs more memory than this machine has ({detail}); use shorter sequences.",
                detail=" ".join(str(error).split()).rstrip("."),
            ) from None
        return result

    def _work(
        self, compute: Compute | None, arrays: tuple[Array, ...], static: dict[str, Any]
    ) -> Callable[[], Any]:
        """Return what evaluates it once, its inputs being in place."""
        mx = self._mx
        if compute is not None:
            native = self._evaluate(lambda: [self._in(array) for array in arrays])
            return lambda: self._evaluate(lambda: compute(mx, *native, **static))
        call = fused.prepare(*arrays, mask=None, bias=None, **static)
        q, k, v = self._evaluate(lambda: [mx.array(each) for each in (call.q, call.k, call.v)])
        return lambda: [self._evaluate(build) for build in call.builds(mx, q, k, v)]

    def _seconds(self, work: Callable[[], Any]) -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    def _peak(self, work: Callable[[], Any]) -> int:
        # The peak is one for the whole process; only this thread computes, one job at a time.
        mx = self._mx
        mx.synchronize()  # a run that has its result may still hold what it was made of
        mx.clear_cache()
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        work()
        return max(0, int(mx.get_peak_memory()) - int(before))

    def _let_go(self, held: list[Any]) -> None:
        held.clear()
        self._mx.clear_cache()

    def _allowance(self) -> int | None:
        """Return what the GPU may take beyond what MLX holds; None where the device tells none."""
        most = self._mx.device_info().get("max_recommended_working_set_size")
        return None if most is None else int(most) - int(self._mx.get_active_memory())

    def _in(self, array: Array) -> Any:
        array = np.asarray(array)
        return self._mx.array(array.astype(np.float32) if array.dtype == np.float64 else array)

    def _out(self, result: Any) -> Any:
        if isinstance(result, dict):
            return {name: self._out(value) for name, value in result.items()}
        if isinstance(result, tuple | list):
            return type(result)(self._out(value) for value in result)
        if not isinstance(result, self._mx.array):
            return result
        if result.dtype == self._mx.bfloat16:  # NumPy has no such type
            result = self._evaluate(lambda: result.astype(self._mx.float32))
        return np.array(result)


def _gpu_name(mx: Any) -> str:
    return str(mx.device_info().get("device_name", "GPU"))


def _is_memory(error: BaseException) -> bool:
    text = str(error).lower()
    return isinstance(error, MemoryError) or "alloc" in text or "memory" in text

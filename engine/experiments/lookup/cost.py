"""What the scores cost: additive attention against the dot product, timed on this machine.

All T x T scores in float32, the inputs in place. On NumPy both ways have one core, where the
library behind its products can be held to one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.attention import choose_backend
from engine.backends import Backend
from engine.backends.measuring import MEASURING, OverlongError
from engine.backends.threads import can_hold_blas, one_blas_thread
from engine.experiments.lookup.cost_counts import WAYS, Way, operations_of, tanhs_of
from engine.experiments.lookup.cost_limits import require_memory, require_time, too_long
from engine.experiments.lookup.cost_params import (
    MOST_D_K,
    MOST_REPEATS,
    MOST_SEED,
    MOST_T,
    MOST_VALUES,
    CostParams,
    Variable,
    pairs_of,
    validate,
)
from engine.experiments.lookup.cost_result import CostPoint, CostResult, Ratio
from engine.experiments.lookup.cost_scores import inputs_of, work_of
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.guard import LONGEST
from engine.experiments.memory.load import Watch
from engine.experiments.memory.series import TURN

__all__ = [
    "MOST_D_K",
    "MOST_REPEATS",
    "MOST_SEED",
    "MOST_T",
    "MOST_VALUES",
    "WAYS",
    "CostParams",
    "CostPoint",
    "CostResult",
    "Growth",
    "Ratio",
    "Variable",
    "Way",
    "measure",
    "run",
    "validate",
]


def measure(params: CostParams, *, backend: Backend | str | None = None) -> Iterator[CostResult]:
    """Measure, and yield what is there after every point.

    While another measurement of this process has its turn, the same points are yielded again, some
    times a second, so that it can be stopped.

    Raises
    ------
    EngineError
        When a parameter is out of its range, or the largest point would not fit into the free
        memory: at once, before anything is allocated. When all would take over a minute: before
        the first point. The sentence says what is allowed.
    """
    validate(params)
    chosen = choose_backend(backend)
    require_memory(params, chosen)
    return _grown(params, chosen)


def run(
    params: CostParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> CostResult:
    """Measure all points; raises as `measure` does."""
    for result in measure(params, backend=backend):
        if progress:
            progress(result.share)
    return result


def _grown(params: CostParams, backend: Backend) -> Iterator[CostResult]:
    jobs = [(T, d_k, way) for T, d_k in pairs_of(params) for way in WAYS]
    one_core = backend.name == "numpy" and can_hold_blas()
    result = CostResult(
        params, (), len(jobs), 0.0, backend.name, backend.device_name, one_core=one_core
    )
    for T, d_k, way in jobs:
        # Only held within a point: whoever asks for the next one may be another thread.
        while not MEASURING.acquire(timeout=TURN):
            yield replace(result, waiting=True)
        started, watch = time.perf_counter(), Watch()
        try:
            if not result.points:
                require_time(params, backend, _point)
            point = _point(T, d_k, way, params, backend)
        finally:
            MEASURING.release()
        result = replace(
            result,
            points=(*result.points, point),
            seconds=result.seconds + time.perf_counter() - started,
            elsewhere=result.elsewhere + watch.others(),
        )
        yield result


def _point(T: int, d_k: int, way: Way, params: CostParams, backend: Backend) -> CostPoint:
    compute, static, times = work_of(way, backend)
    try:
        # tanh has one core of NumPy; a product that took two would be another comparison, and on a
        # busy machine a thread of its own may keep it waiting a hundred times as long as it takes.
        with one_blas_thread():
            found = backend.measure_within(
                compute,
                *inputs_of(T, d_k, way, params.seed),
                repeats=params.repeats,
                peaks=1,
                longest=LONGEST,
                **static,
            )
    except OverlongError as error:
        raise too_long(error.seconds) from None
    return CostPoint(
        T=T,
        d_k=d_k,
        way=way,
        seconds=found.seconds / times,
        all_seconds=tuple(each / times for each in found.all_seconds),
        operations=operations_of(T, d_k, way),
        tanhs=tanhs_of(T, d_k, way),
    )

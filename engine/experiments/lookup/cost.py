"""What the scores cost: additive attention against the dot product, timed on this machine.

All T x T scores in float32, the inputs in place. On NumPy both ways have one core, where the
library behind its products can be held to one.

Shape legend: T positions, D = d_k, which is also the hidden width of additive attention.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.backends.measuring import MEASURING, OverlongError, runs_of
from engine.backends.threads import can_hold_blas, one_blas_thread
from engine.errors import EngineError, OptionError, OutOfMemoryError
from engine.experiments.memory.amounts import bytes_text, seconds_text
from engine.experiments.memory.growth import Growth, fitted
from engine.experiments.memory.guard import LONGEST, USABLE
from engine.experiments.memory.load import Watch
from engine.experiments.memory.measurable import (
    MOST_REPEATS,
    MOST_SEED,
    MOST_VALUES,
    require_different,
    require_repeats,
    require_seed,
)
from engine.experiments.memory.series import TELLING, TURN
from engine.experiments.whole_number import require_whole
from engine.shapes import Array

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

Way = Literal["dot", "additive"]
WAYS: tuple[Way, ...] = get_args(Way)
Variable = Literal["T", "d_k"]
MOST_T, MOST_D_K = 2_048, 512
# Numbers inside tanh that are held at once: a processor keeps them in its cache, a GPU wants many.
BLOCKS = {"cpu": 2**16, "gpu": 2**21}
HELD = 24  # arrays of a block at most at a time: MLX gives each back some steps late
ITEM = np.dtype(np.float32).itemsize
# Dot products of NumPy that are timed together: about as long as additive attention takes, so that
# other programs disturb both alike. On MLX a run has a fixed cost, which both ways bear once.
IN_A_ROW = 32
# So many tangents in all are quick on every device: MLX without a GPU takes 20 ns for each.
QUICK = 5e8
TRIAL = (256, 64)  # T and d_k, whose time tells that of more
TRIES = 3  # of which the shortest counts: what disturbed the others need not come again


@dataclass(frozen=True)
class CostParams:
    """What is timed: every T at ``d_k``, and every width of ``d_ks`` at ``T``.

    Attributes
    ----------
    Ts, d_ks : tuple of int
        1 to 12 different ones each.
    T, d_k : int
        What is held while the other is varied.
    repeats : int
        Runs of each point whose median counts, after a warm-up.
    seed : int
        Of the inputs.
    """

    Ts: tuple[int, ...] = (64, 128, 256, 512)
    d_ks: tuple[int, ...] = (8, 16, 32, 64, 128)
    T: int = 256
    d_k: int = 64
    repeats: int = 5
    seed: int = 1


@dataclass(frozen=True)
class CostPoint:
    """One way at one T and d_k.

    Attributes
    ----------
    seconds : float
        Median over the repeats.
    all_seconds : tuple of float
        Every repeat, in order.
    operations : int
        Additions and multiplications.
    tanhs : int
        Hyperbolic tangents; 0 for the dot product.
    """

    T: int
    d_k: int
    way: Way
    seconds: float
    all_seconds: tuple[float, ...]
    operations: int
    tanhs: int


class Ratio(NamedTuple):
    """Time of additive attention over that of the dot product.

    Attributes
    ----------
    ratio : float
        Of the medians.
    low, high : float
        Quartiles of the ratios of every repeat of one to every repeat of the other.
    """

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class CostResult:
    """The points so far, both ways of one T and d_k after each other.

    Attributes
    ----------
    total : int
        Points in all.
    seconds : float
        Spent on measuring.
    device : str
        Short proper name of what computed.
    waiting : bool
        Whether another measurement of this process has its turn first.
    elsewhere : float
        Seconds of all cores together that other programs took while points were measured.
    one_core : bool
        Whether both ways were held to one core.
    """

    params: CostParams
    points: tuple[CostPoint, ...]
    total: int
    seconds: float
    backend_name: str
    device: str
    waiting: bool = False
    elsewhere: float = 0.0
    one_core: bool = False

    @property
    def busy(self) -> float:
        """Cores that other programs kept busy meanwhile; 0 where it was too short to tell."""
        return self.elsewhere / self.seconds if self.seconds >= TELLING else 0.0

    @property
    def share(self) -> float:
        """Share of the points that are measured."""
        return len(self.points) / self.total

    @property
    def done(self) -> bool:
        """Whether every point is measured."""
        return len(self.points) == self.total

    def by_T(self, way: Way) -> tuple[CostPoint, ...]:  # noqa: N802 - T is a size
        """Return the points of the sweep over T, at ``params.d_k``, T rising."""
        asked = [(T, self.params.d_k) for T in sorted(self.params.Ts)]
        return self._points_at(asked, way)

    def by_d_k(self, way: Way) -> tuple[CostPoint, ...]:
        """Return the points of the sweep over d_k, at ``params.T``, d_k rising."""
        asked = [(self.params.T, d_k) for d_k in sorted(self.params.d_ks)]
        return self._points_at(asked, way)

    def point(self, T: int, d_k: int, way: Way) -> CostPoint | None:
        """Return one point; None where it is not yet measured."""
        found = (each for each in self.points if (each.T, each.d_k, each.way) == (T, d_k, way))
        return next(found, None)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every (T, d_k) at which both ways are measured, the least work first."""
        return tuple(pair for pair in pairs_of(self.params) if self.ratio(*pair) is not None)

    def ratio(self, T: int, d_k: int) -> Ratio | None:
        """Return how many times as long additive attention takes; None where not yet measured."""
        dot, additive = (self.point(T, d_k, way) for way in WAYS)
        return ratio_of(dot, additive) if dot and additive else None

    def growth(self, way: Way, variable: Variable = "T") -> Growth | None:
        """Return the fitted exponent of the time; None where fewer than three points take part.

        Only points of at least an eighth of the largest T or d_k do; see `memory.growth`.
        """
        points = self.by_T(way) if variable == "T" else self.by_d_k(way)
        sizes = [getattr(point, variable) for point in points]
        return fitted(sizes, [point.seconds for point in points]) if points else None

    def _points_at(self, pairs: list[tuple[int, int]], way: Way) -> tuple[CostPoint, ...]:
        found = (self.point(T, d_k, way) for T, d_k in pairs)
        return tuple(point for point in found if point)


def ratio_of(dot: CostPoint, additive: CostPoint) -> Ratio:
    """Return how many times as long additive attention takes, with its spread."""
    each = np.divide.outer(additive.all_seconds, dot.all_seconds)
    low, high = np.quantile(each, (0.25, 0.75))
    return Ratio(additive.seconds / dot.seconds, float(low), float(high))


def pairs_of(params: CostParams) -> tuple[tuple[int, int], ...]:
    """Return every (T, d_k) that is measured, the least work first."""
    pairs = {(T, params.d_k) for T in params.Ts} | {(params.T, d_k) for d_k in params.d_ks}
    return tuple(sorted(pairs, key=lambda pair: (tanhs_of(pair[0], pair[1], "additive"), pair)))


def validate(params: CostParams) -> None:
    """Refuse parameters out of their range.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_different("T", params.Ts, MOST_T)
    require_different("d_k", params.d_ks, MOST_D_K)
    require_whole("T", params.T, 1, MOST_T)
    require_whole("d_k", params.d_k, 1, MOST_D_K)
    require_repeats(params.repeats)
    require_seed(params.seed)


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
    _require_memory(max(T for T, _ in pairs_of(params)), params, chosen)
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
                _require_time(params, backend)
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
    compute, static, times = _work(way, backend)
    try:
        # tanh has one core of NumPy; a product that took two would be another comparison, and on a
        # busy machine a thread of its own may keep it waiting a hundred times as long as it takes.
        with one_blas_thread():
            found = backend.measure_within(
                compute,
                *_inputs(T, d_k, way, params.seed),
                repeats=params.repeats,
                peaks=1,
                longest=LONGEST,
                **static,
            )
    except OverlongError as error:
        raise _too_long(error.seconds) from None
    return CostPoint(
        T=T,
        d_k=d_k,
        way=way,
        seconds=found.seconds / times,
        all_seconds=tuple(each / times for each in found.all_seconds),
        operations=operations_of(T, d_k, way),
        tanhs=tanhs_of(T, d_k, way),
    )


def _work(way: Way, backend: Backend) -> tuple[Callable[..., Any], dict[str, int], int]:
    """Return what computes a way, its options, and how often one timed run does so."""
    if way == "additive":
        return additive_scores, {"block": BLOCKS[backend.kind]}, 1
    times = IN_A_ROW if backend.name == "numpy" else 1
    return dot_scores, {"times": times}, times


def _inputs(T: int, d_k: int, way: Way, seed: int) -> tuple[Array, ...]:
    """Return queries and keys, alike for both ways; then W_q, W_k and w of additive attention."""
    drawn = np.random.default_rng((seed, T, d_k))
    q, k = (drawn.standard_normal((T, d_k), np.float32) for _ in range(2))
    if way == "dot":
        return q, k
    shapes = ((d_k, d_k), (d_k, d_k), (d_k,))
    weights = (drawn.standard_normal(shape, np.float32) for shape in shapes)
    return q, k, *(each / np.float32(math.sqrt(d_k)) for each in weights)


def dot_scores(xp: Any, q: Any, k: Any, *, times: int) -> Any:
    """Return q·k of every pair, (T, T), computed so many times in a row."""
    if xp is not np:
        return xp.matmul(q, xp.swapaxes(k, -1, -2))
    scores = np.empty((len(q), len(k)), q.dtype)
    for _ in range(times):
        np.matmul(q, k.T, out=scores)
    return scores


def additive_scores(
    xp: Any, q: Any, k: Any, w_query: Any, w_key: Any, w: Any, *, block: int
) -> Any:
    """Return w·tanh(W_q q + W_k k) of every pair, (T, T), in blocks of about so many numbers.

    Query and key are projected once; what remains of every pair is a sum, a tanh and a dot product
    in d_k dimensions. All T·T·d_k of them at once would take d_k times the memory of the scores.
    """
    T, D = q.shape
    queries, keys = xp.matmul(q, w_query.T), xp.matmul(k, w_key.T)
    rows = max(1, block // (T * D))
    if xp is np:
        return _additive_in_place(queries, keys, w, rows)
    return xp.concatenate(
        [
            xp.matmul(xp.tanh(queries[first : first + rows, None] + keys[None]), w)
            for first in range(0, T, rows)
        ]
    )


def _additive_in_place(queries: Array, keys: Array, w: Array, rows: int) -> Array:
    """Return the same; to ask for new memory for each block costs as much as its tangents."""
    T, D = queries.shape
    scores = np.empty((T, T), queries.dtype)
    buffer = np.empty((min(rows, T), T, D), queries.dtype)
    for first in range(0, T, rows):
        part = scores[first : first + rows]
        hidden = np.add(queries[first : first + rows, None], keys[None], out=buffer[: len(part)])
        np.tanh(hidden, out=hidden)
        np.matmul(hidden.reshape(-1, D), w, out=part.reshape(-1))
    return scores


def operations_of(T: int, d_k: int, way: Way) -> int:
    """Return additions and multiplications of all scores; a tanh counts apart.

    A dot product in d_k dimensions has 2 d_k of them. Additive attention projects T queries and T
    keys, then has a sum of d_k numbers and a dot product with w for every pair.
    """
    if way == "dot":
        return 2 * T * T * d_k
    return 2 * 2 * T * d_k * d_k + T * T * d_k + 2 * T * T * d_k


def tanhs_of(T: int, d_k: int, way: Way) -> int:
    """Return the hyperbolic tangents of all scores: d_k for every pair, or none."""
    return T * T * d_k if way == "additive" else 0


def _require_memory(T: int, params: CostParams, backend: Backend) -> None:
    """Refuse what would take more of the free memory than may be used."""
    widest = max(d_k for _, d_k in pairs_of(params))
    block = max(BLOCKS[backend.kind], T * widest)  # one row of pairs at the least
    needed = ITEM * (4 * T * widest + 2 * widest**2 + HELD * block + T * T)
    free = backend.free_bytes()
    if needed > USABLE * free:
        raise OutOfMemoryError(
            "This needs {needed}, and {free} of memory is free, of which {share} % may be used; "
            "close other programs, or choose shorter sequences or smaller d_k.",
            needed=bytes_text(needed),
            free=bytes_text(free),
            share=round(100 * USABLE),
        )


def _require_time(params: CostParams, backend: Backend) -> None:
    """Refuse what would take too long all together; a trial tells where it is much."""
    tanhs = sum(tanhs_of(T, d_k, "additive") for T, d_k in pairs_of(params))
    tanhs *= runs_of(params.repeats, 1, 0.0)
    if tanhs <= QUICK:
        return
    trial = _point(*TRIAL, "additive", replace(params, repeats=TRIES), backend)
    seconds = tanhs * min(trial.all_seconds) / trial.tanhs
    if seconds > LONGEST:
        raise _too_long(seconds)


def _too_long(seconds: float) -> EngineError:
    return OptionError(
        "This would take about {seconds} on this machine, and {longest} is the most; choose "
        "shorter sequences, smaller d_k or fewer repeats.",
        seconds=seconds_text(seconds),
        longest=seconds_text(LONGEST),
    )

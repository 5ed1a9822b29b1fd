"""How fast `attend` is on NumPy: ``python -m tests.benchmark_attention`` prints this part alone.

Times are compared within one run: the contenders take turns, and a ratio is that of the best time
of each, since whatever else a machine does only adds to a time. The medians are printed as well.
PyTorch is measured where it is installed; the product itself does not need it.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine import attend
from engine.backends.threads import available_cores
from tests.timing import milliseconds

T = 4096
LONG_T = 16_384
H, D = 8, 64
ROUNDS = 7
REST = 0.05  # seconds, until the threads that a library keeps spinning have gone to sleep
AGAINST_TORCH = "attend at T = 4096 / PyTorch"
TARGETS: dict[str, float | None] = {
    AGAINST_TORCH: 1.5,
    "attend, causal at T = 4096 / PyTorch, causal": None,
    "attend, causal / all keys": 0.6,
    "attend at T = 4096 / the formula on NumPy": 1 / 1.5,
    "attend at T = 4096 in float64 (ms)": None,
    "attend at T = 16,384, extra memory (MB)": 64.0,
    "attend, memory at T = 16,384 / at 8,192": 2.1,
    "attend at T = 8, 8 heads (μs)": 60.0,
    "attend at T = 8, one matrix (μs)": 60.0,
    "attend at T = 64, one matrix, mask (μs)": None,
}


def attention() -> dict[str, float]:
    """Measure everything; a ratio with PyTorch is NaN where that is not installed."""
    values = (*ratios(), *memory(), *small())
    return dict(zip(TARGETS, values, strict=True))


def ratios() -> tuple[float, ...]:
    """Return what the long sequence costs, each against another way that took turns with it."""
    print(f"threads: {threads()}")
    times = take_turns({**engine_ways(), **torch_ways()})
    said = (f"{name} {min(ms):.0f}, {statistics.median(ms):.0f}" for name, ms in times.items())
    print("T = 4096, best and median of each (ms): " + "; ".join(said))
    best = {name: min(ms) for name, ms in times.items()}
    missing = float("nan")
    return (
        best["attend"] / best.get("PyTorch", missing),
        best["causal"] / best.get("PyTorch, causal", missing),
        best["causal"] / best["attend"],
        best["attend"] / best["formula"],
        best["float64"],
    )


def take_turns(contenders: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Return the milliseconds of every round but the first, which warms up."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS + 1):
        for name, action in contenders.items():
            time.sleep(REST)
            taken[name].append(milliseconds(action))
    return {name: times[1:] for name, times in taken.items()}


def engine_ways() -> dict[str, Callable[[], object]]:
    """Return `attend` in its ways, and the formula that holds every T x T matrix."""
    q, k, v = inputs(T)
    wide = [array.astype(np.float64) for array in (q, k, v)]
    return {
        "attend": partial(attend, q, k, v, backend="numpy"),
        "causal": partial(attend, q, k, v, causal=True, backend="numpy"),
        "formula": partial(formula, q, k, v),
        "float64": partial(attend, *wide, backend="numpy"),
    }


def torch_ways() -> dict[str, Callable[[], object]]:
    """Return PyTorch's own attention on the same numbers; nothing where it is not installed."""
    torch = pytorch()
    if torch is None:
        print("PyTorch is not installed here: no ratio with it.")
        return {}
    q, k, v = (torch.from_numpy(array) for array in inputs(T))
    call = torch.nn.functional.scaled_dot_product_attention
    return {
        "PyTorch": partial(call, q, k, v),
        "PyTorch, causal": partial(call, q, k, v, is_causal=True),
    }


def pytorch() -> Any:
    """Return the module ``torch``, or None."""
    if importlib.util.find_spec("torch") is None:
        return None
    return importlib.import_module("torch")


def threads() -> str:
    """Say how many threads each contender may use."""
    torch = pytorch()
    theirs = "" if torch is None else f", PyTorch {torch.get_num_threads()}"
    return f"attend {available_cores()}{theirs}"


def inputs(length: int) -> tuple[np.ndarray, ...]:
    """Return q, k and v of normal numbers in float32, (1, H, T, D) each."""
    random = np.random.default_rng(1)
    return tuple(random.standard_normal((1, H, length, D), np.float32) for _ in range(3))


def formula(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Compute attention as textbooks write it, each step a matrix of T x T numbers."""
    scores = q @ k.swapaxes(-1, -2) * np.float32(1 / np.sqrt(D))
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    output: np.ndarray = weights @ v
    return output


def memory() -> tuple[float, float]:
    """Return the megabytes beyond the inputs at the longest T, and by what half of it divides."""
    half, whole = (peak_bytes(length) for length in (LONG_T // 2, LONG_T))
    return whole / 1e6, whole / half


def peak_bytes(length: int) -> int:
    """Return the most bytes that one call holds beyond its inputs, the output included."""
    q, k, v = inputs(length)
    tracemalloc.start()
    try:
        attend(q, k, v, backend="numpy")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def small() -> tuple[float, ...]:
    """Return the median microseconds of sizes at which only the overhead counts."""
    few, many = inputs(8), inputs(64)
    alone, wide = ([array[0, 0] for array in arrays] for arrays in (few, many))
    calls = (
        partial(attend, *few, backend="numpy"),
        partial(attend, *alone, backend="numpy"),
        partial(attend, *wide, mask=np.tri(64, dtype=bool), backend="numpy"),
    )
    return tuple(statistics.median(milliseconds(call) for _ in range(2000)) * 1e3 for call in calls)


def main() -> None:
    """Print this part of the benchmark."""
    measured = attention()
    for name, target in TARGETS.items():
        goal = "" if target is None else f"   target {target:.3g}"
        print(f"{name:45} {measured[name]:8.2f}{goal}")


if __name__ == "__main__":
    main()

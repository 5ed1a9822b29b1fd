"""How fast the page on the square root of d_k is, and how much memory its largest run takes."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from engine import available_backends
from engine.experiments.scaling.training import TrainingParams, train
from engine.experiments.scaling.variance import (
    BLOCK,
    DISTRIBUTIONS,
    MOST_D_K,
    MOST_SAMPLES,
    Distribution,
    Params,
    run,
)
from tests.navigation import after_the_first_visit
from tests.open_pages import APP, SCALING
from tests.timing import milliseconds

ROOT = Path(__file__).resolve().parent.parent
TABS = ("variance", "saturation", "gradient", "training", "rates")
POWERS = tuple(2**place for place in range(MOST_D_K.bit_length()))
SWEPT_SAMPLES = 5_000
MLX_SAMPLES = 50_000  # MLX on a processor is slower; a block is as large for any N
TARGETS = {
    "√d_k, first visit of its first tab (ms)": 400.0,
    "√d_k, rerun of its slowest tab (ms)": 60.0,
    "default training on NumPy (s)": 10.0,
    "variance sweep / drawing its numbers": 1.5,
    "extra memory of the largest run, NumPy (MB)": 300.0,
}
# Prints by how many bytes a run raises the peak of a fresh process.
MEMORY = """
import resource, sys
from engine.experiments.scaling.variance import Params, run
backend, d_k, samples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
unit = 1 if sys.platform == "darwin" else 1024
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
run(Params(d_ks=(2,), samples=2), backend=backend)
before = peak()
run(Params(d_ks=(d_k,), samples=samples), backend=backend)
print(peak() - before)
"""


def scaling() -> dict[str, float]:
    """Measure everything; more than one number of a kind is printed at once."""
    first, slowest = visits()
    return dict(zip(TARGETS, (first, slowest, training(), sweep(), memory()), strict=True))


def visits() -> tuple[float, float]:
    """Return the milliseconds of the first visit, and of the slowest tab when nothing changed.

    The page must not have been visited in this process: its modules are loaded too.
    """
    with after_the_first_visit():
        taken = {tab: visit(tab) for tab in TABS}
    said = (f"{tab} {first:.0f}, {again:.0f}" for tab, (first, again) in taken.items())
    print("√d_k, each tab at first and again (ms): " + "; ".join(said))
    return taken[TABS[0]][0], max(again for _, again in taken.values())


def visit(tab: str) -> tuple[float, float]:
    """Return the milliseconds of one tab at its first visit, and the median of its reruns."""
    app = AppTest.from_file(APP, default_timeout=120).run()
    if tab != TABS[0]:
        app.query_params["tab"] = tab
    first = milliseconds(lambda: app.switch_page(SCALING).run())
    return first, statistics.median(milliseconds(app.run) for _ in range(15))


def training() -> float:
    """Return the seconds of the usual training."""
    return milliseconds(lambda: train(TrainingParams(), backend="numpy")) / 1e3


def sweep() -> float:
    """Return how many times as long as its random numbers the slowest sweep takes."""
    ratios = {name: ratio(name) for name in DISTRIBUTIONS}
    said = ", ".join(f"{name} {value:.2f}" for name, value in ratios.items())
    print(f"variance sweep / drawing its numbers: {said}")
    return max(ratios.values())


def ratio(distribution: Distribution) -> float:
    """Return the time of a sweep by that of its random numbers; the best of three each."""
    params = Params(POWERS, SWEPT_SAMPLES, distribution)
    count = 2 * SWEPT_SAMPLES * sum(POWERS)
    rounds = [
        (
            milliseconds(lambda: run(params, backend="numpy")),
            milliseconds(lambda: draw(distribution, count)),
        )
        for _ in range(3)
    ]
    whole, drawn = (min(times) for times in zip(*rounds, strict=True))
    return whole / drawn


def draw(distribution: Distribution, count: int) -> None:
    """Draw that many random numbers into one block, as NumPy does it fastest."""
    random, block = np.random.default_rng(1), np.empty(BLOCK)
    fill: dict[str, Callable[[np.ndarray], object]] = {
        "normal": lambda part: random.standard_normal(out=part),
        "uniform": lambda part: uniform(random, part),
        "laplace": lambda part: np.copyto(part, random.laplace(0, math.sqrt(0.5), part.size)),
        "rademacher": lambda part: signs(random, part),
    }
    for first in range(0, count, BLOCK):
        fill[distribution](block[: count - first])


def uniform(random: np.random.Generator, part: np.ndarray) -> None:
    """Fill with numbers of variance 1."""
    random.random(out=part)
    part -= 0.5
    part *= math.sqrt(12)


def signs(random: np.random.Generator, part: np.ndarray) -> None:
    """Fill with -1 or 1, a random bit each."""
    bits = np.unpackbits(np.frombuffer(random.bytes(-(-part.size // 8)), np.uint8))
    np.multiply(bits[: part.size], 2.0, out=part)
    part -= 1


def memory() -> float:
    """Return the megabytes by which the largest run on NumPy raises the peak."""
    if "mlx" in available_backends():
        print(f"extra memory on MLX, N = {MLX_SAMPLES:,} (MB): {raised('mlx', MLX_SAMPLES):.0f}")
    return raised("numpy", MOST_SAMPLES)


def raised(backend: str, samples: int) -> float:
    """Return the megabytes by which a run at the largest d_k raises the peak of a process.

    Linux lets a process begin with the peak of the one that started it; that is a small shell,
    which stays behind for the sake of a second command, and not this large process.
    """
    words = [sys.executable, "-c", MEMORY, backend, str(MOST_D_K), str(samples)]
    command = ["sh", "-c", '"$@" && true', "sh", *words]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(done.stdout) / 1e6

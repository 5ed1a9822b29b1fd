"""Results of the square-root-of-d_k experiments, computed small or made by hand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.experiments.scaling.reach import ReachParams, measure_reach
from engine.experiments.scaling.saturation import SaturationParams, measure_saturation
from engine.experiments.scaling.training import Run, SweepResult, TrainingParams, TrainingResult
from engine.experiments.scaling.variance import Params, Result, Width, run

VARIANCES = {
    "default": Params(samples=200),
    "signs": Params(d_ks=(1, 3, 16), samples=20, distribution="rademacher"),
    "broken": Params(d_ks=(2, 64), samples=50, distribution="laplace", mean=0.5, correlation=0.3),
    "one": Params(d_ks=(1,), samples=30, distribution="uniform"),
    "wide": Params(d_ks=(4096,), samples=10, sigma=3.0),
    "two": Params(d_ks=tuple(range(1, 17)), samples=2, distribution="laplace"),
    "tiny": Params(samples=100, sigma=0.01),
    "sure": Params(d_ks=(1, 2), samples=100_000, distribution="rademacher"),
    "shared": Params(d_ks=(1, 256), samples=2, correlation=0.99, mean=-10.0),
}
SATURATIONS = {
    "default": SaturationParams(d_ks=(1, 16), samples=64),
    "keys": SaturationParams(d_ks=(3,), keys=1024, samples=16, exponent=2.0),
    "two": SaturationParams(d_ks=(16,), keys=2, samples=4, exponent=0.0),
}
REACHES = {
    "default": ReachParams(d_ks=(4, 64), repeats=2, T=6),
    "one": ReachParams(d_ks=(1,), repeats=2, T=2),
    "long": ReachParams(d_ks=(8, 16, 32), repeats=2, T=40),
}


@lru_cache(maxsize=len(VARIANCES))
def variance(case: str) -> Result:
    return run(VARIANCES[case], backend="numpy")


@lru_cache(maxsize=len(SATURATIONS))
def saturation(case: str):
    return measure_saturation(SATURATIONS[case], backend="numpy")


@lru_cache(maxsize=len(REACHES))
def reach(case: str):
    return measure_reach(REACHES[case], backend="numpy")


def width(d_k: int, edges, counts, **changes) -> Width:
    """Return a width with a histogram made by hand."""
    made: dict[str, Any] = {
        "d_k": d_k, "mean": 0.0, "variance": 1.0, "deviation": 1.0, "kurtosis": 0.0,
        "expected_variance": float(d_k), "expected_kurtosis": 0.0, "band": (0.5, 2.0),
        "kurtosis_band": (-1.0, 1.0),
        "edges": np.array(edges, dtype=float), "counts": np.array(counts),
    }  # fmt: skip
    return Width(**(made | changes))


def widths(*made: Width, samples: int = 100) -> Result:
    """Return a result of widths made by hand."""
    params = Params(d_ks=tuple(each.d_k for each in made), samples=samples)
    return Result(params, made, 0.5, 0.01, "numpy", "float64", 0.0)


def one_run(seed: int, scaled: bool, losses, diverged_at: int | None = None) -> Run:
    loss = np.array(losses, dtype=float)
    accuracy, gradient = np.clip(1 - loss / 4, 0, 1), loss / 2 + 0.01
    return Run(seed, scaled, np.arange(len(loss)), loss, accuracy, gradient, diverged_at)


def trained(*runs: Run, finished: bool = True, **params) -> TrainingResult:
    return TrainingResult(TrainingParams(**params), runs, finished, "numpy", "float32", 0.0)


def swept(rates, scaled, unscaled, *, chosen=None, finished: bool = True, **params) -> SweepResult:
    tried, one, other = (np.array(each, dtype=float) for each in (rates, scaled, unscaled))
    to_try = tuple(map(float, rates if chosen is None else chosen))
    share = len(tried) / len(to_try) if to_try else 0.0
    return SweepResult(
        TrainingParams(**params), to_try, tried, one, other, share, finished, "numpy", "float32", 0
    )


def noisy(steps: int, level: float, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).lognormal(0.0, 0.2, steps)
    return (level + 3 * np.exp(-np.arange(steps) / (1 + steps / 5))) * noise


def _pair(seed: int, steps: int, diverged_at: int | None = None) -> tuple[Run, Run]:
    unscaled = noisy(steps, 1.5, seed)[:diverged_at]
    scaled = noisy(steps, 0.02, 50 + seed)
    return one_run(seed, True, scaled), one_run(seed, False, unscaled, diverged_at)


TRAININGS = {
    "default": trained(*_pair(1, 40), *_pair(2, 40), *_pair(3, 40), steps=40),
    "single": trained(*_pair(1, 1), steps=1, seeds=(1,)),
    "long": trained(*_pair(1, 2000), *_pair(2, 2000), steps=2000, seeds=(1, 2), optimiser="sgd"),
    "some diverged": trained(*_pair(1, 60), *_pair(2, 60, 20), *_pair(3, 60, 33), steps=60),
    "all diverged": trained(
        *(one_run(seed, scaled, [3.0 + seed], 1) for seed in (1, 2) for scaled in (True, False)),
        steps=300,
        seeds=(1, 2),
        rate=1e9,
    ),
    "stopped": trained(
        one_run(1, True, noisy(25, 0.1, 1)),
        one_run(1, False, noisy(20, 0.1, 2)),
        one_run(2, True, []),
        one_run(2, False, []),
        steps=100,
        seeds=(1, 2),
        finished=False,
    ),
    "huge": trained(
        one_run(1, True, [3.0, 2.0, 1.0]),
        one_run(1, False, [3.0, 9e5, 2.0]),
        steps=3,
        seeds=(1,),
        pairs=64,
    ),
}
NAN = float("nan")
SWEEPS = {
    "default": swept(
        [1e-4, 1e-3, 1e-2],
        [[2, 2.1], [1, 1.2], [0.1, 0.2]],
        [[3, 2], [2, 2.2], [1.8, 1.9]],
        seeds=(1, 2),
    ),
    "some diverged": swept(
        [0.01, 0.1, 1.0, 3.0, 10.0],
        [[2.0], [1.0], [0.5], [0.1], [NAN]],
        [[2.0], [NAN], [1.5], [1.4], [NAN]],
        seeds=(1,),
        optimiser="sgd",
    ),
    "all diverged": swept([1e8, 1e9], [[NAN, NAN]] * 2, [[NAN, 2.0], [NAN, NAN]], seeds=(1, 2)),
    "one rate": swept([0.5], [[0.25]], [[0.75]], seeds=(1,), finished=False),
    "huge": swept([1.0, 2.0], [[0.001], [2.0]], [[9e5], [3.0]], seeds=(1,), pairs=2),
}

"""What can be trained: the sizes of the task, the optimiser and its rate, the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import NumberError, OptionError
from engine.experiments.number_text import shortened
from engine.experiments.scaling.inputs import require_count, require_seed, shown
from engine.experiments.scaling.optimisers import OPTIMISERS, Optimiser

LEAST_D_K, MOST_D_K = 4, 1024
LEAST_PAIRS, MOST_PAIRS = 2, 64
MOST_BATCH = 256
MOST_STEPS = 5_000
MOST_SEEDS = 10
MOST_RATE = 1e9
MOST_RATES = 20
# What a sweep tries: at the usual sizes the best rate lies inside, both ways.
RATES: dict[Optimiser, tuple[float, ...]] = {
    "adam": (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1),
    "sgd": (1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0, 10.0, 30.0),
}


@dataclass(frozen=True)
class TrainingParams:
    """What is trained.

    Attributes
    ----------
    d_k : int
        4 to 1,024; the model is as wide as its head.
    pairs : int
        S, 2 to 64.
    optimiser : {"adam", "sgd"}
    rate : float
        Learning rate, above 0 and at most 1e9: it may diverge, which is shown.
    steps : int
        1 to 5,000.
    seeds : tuple of int
        1 to 10 different seeds; each is one start and one stream of batches for both ways.
    batch : int
        1 to 256.
    """

    d_k: int = 256
    pairs: int = 16
    optimiser: Optimiser = "adam"
    rate: float = 1e-3
    steps: int = 300
    seeds: tuple[int, ...] = (1, 2, 3)
    batch: int = 32


def rates_to_try(params: TrainingParams, rates: Sequence[float] | None = None) -> tuple[float, ...]:
    """Return the different learning rates of a sweep, rising.

    Parameters
    ----------
    rates : sequence of float, optional
        1 to 20 different ones; None takes those of ``RATES`` for the optimiser.

    Raises
    ------
    OptionError, NumberError
        When a parameter or a rate is out of its range; the sentence says what is allowed.
    """
    require_trainable(params)
    return _different(RATES[params.optimiser] if rates is None else rates)


def _different(rates: Sequence[float]) -> tuple[float, ...]:
    for rate in rates:
        _require_rate(rate)
    different = tuple(sorted(set(rates)))
    if not 1 <= len(different) <= MOST_RATES:
        raise OptionError(
            "Choose from 1 to {most} different learning rates, got {count}.",
            most=MOST_RATES,
            count=len(different),
        )
    return different


def require_trainable(params: TrainingParams) -> None:
    """Refuse parameters of which one is out of its range.

    Raises
    ------
    OptionError, NumberError
        The sentence says what is allowed.
    """
    require_count("d_k", params.d_k, LEAST_D_K, MOST_D_K)
    require_count("S", params.pairs, LEAST_PAIRS, MOST_PAIRS)
    if params.optimiser not in OPTIMISERS:
        raise OptionError(
            "The optimiser must be one of {optimisers}, got {optimiser}.",
            optimisers=", ".join(OPTIMISERS),
            optimiser=shortened(str(params.optimiser)),
        )
    _require_rate(params.rate)
    require_count("steps", params.steps, 1, MOST_STEPS)
    require_count("batch", params.batch, 1, MOST_BATCH)
    _require_seeds(params.seeds)


def _require_rate(rate: object) -> None:
    known = isinstance(rate, int | float) and not isinstance(rate, bool)
    if not (known and 0 < rate <= MOST_RATE):  # type: ignore[operator]
        raise NumberError(
            "The learning rate must be a number above 0 and at most {most}, got {rate}.",
            most=f"{MOST_RATE:,.0f}",
            rate=shown(rate),
        )


def _require_seeds(seeds: object) -> None:
    if not isinstance(seeds, Sequence) or isinstance(seeds, str):
        raise OptionError(
            "The seeds must be a list of whole numbers, got {seeds}.", seeds=shortened(str(seeds))
        )
    for seed in seeds:
        require_seed(seed)
    if not 1 <= len(seeds) <= MOST_SEEDS:
        raise OptionError(
            "Choose from 1 to {most} seeds, got {count}.", most=MOST_SEEDS, count=len(seeds)
        )
    twice = next((seed for seed in seeds if seeds.count(seed) > 1), None)
    if twice is not None:
        raise OptionError(
            "Every seed must be another one, and {seed} is there twice; "
            "it would give the same run again.",
            seed=twice,
        )

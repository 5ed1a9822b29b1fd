"""What the experiments on the square root of d_k accept, and the streams they draw from."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.errors import NumberError, OptionError
from engine.experiments.number_text import shortened
from engine.experiments.whole_number import is_whole, require_whole

MOST_D_K = 4096
MOST_WIDTHS = 16  # different values of d_k in one run
MOST_SEED = 999_999
LEAST_SIGMA, MOST_SIGMA = 0.01, 100.0
MOST_MEAN = 10.0  # with the least sigma, what float32 still tells apart at any width
MOST_CORRELATION = 0.99


def widths_of(d_ks: Iterable[int], most: int = MOST_D_K) -> tuple[int, ...]:
    """Return the different widths, rising.

    Raises
    ------
    OptionError
        When there is none, more than ``MOST_WIDTHS``, or one is no whole number from 1 to ``most``.
    """
    given = tuple(d_ks)
    for d_k in given:
        require_count("d_k", d_k, 1, most)
    widths = tuple(sorted(set(given)))
    if not 1 <= len(widths) <= MOST_WIDTHS:
        raise OptionError(
            "Choose from 1 to {most} different values of d_k at a time, got {count}.",
            most=MOST_WIDTHS,
            count=len(widths),
        )
    return widths


def require_count(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number from ``least`` to ``most``; long text is cut."""
    if not is_whole(value, least, most):
        require_whole(name, shortened(str(value)), least, most)


def require_seed(seed: object) -> None:
    """Refuse a seed that is not a whole number from 0 to ``MOST_SEED``."""
    if not is_whole(seed, 0, MOST_SEED):
        raise OptionError(
            "The seed must be a whole number from 0 to {most}, got {seed}.",
            most=MOST_SEED,
            seed=shortened(str(seed)),
        )


def is_within(value: object, least: float, most: float) -> bool:
    """Say whether a value is a number from ``least`` to ``most``; NaN, true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def shown(value: object) -> str:
    """Return a value as a sentence shows it."""
    return f"{value:.10g}" if isinstance(value, float) else shortened(str(value))


def require_moments(sigma: object, mean: object, correlation: object) -> None:
    """Refuse a standard deviation, mean or correlation of the components out of its range."""
    if not is_within(sigma, LEAST_SIGMA, MOST_SIGMA):
        raise NumberError(
            "The standard deviation must be a number from {least} to {most}, got {value}.",
            least=shown(LEAST_SIGMA),
            most=shown(MOST_SIGMA),
            value=shown(sigma),
        )
    if not is_within(mean, -MOST_MEAN, MOST_MEAN):
        raise NumberError(
            "The mean must be a number from {least} to {most}, got {value}.",
            least=shown(-MOST_MEAN),
            most=shown(MOST_MEAN),
            value=shown(mean),
        )
    if not is_within(correlation, 0, MOST_CORRELATION):
        raise NumberError(
            "The correlation must be a number from {least} to {most}, got {value}.",
            least=0,
            most=shown(MOST_CORRELATION),
            value=shown(correlation),
        )


def stream(seed: int, d_k: int, name: str) -> np.random.Generator:
    """Return random numbers that depend on the seed, the width and the name, and nothing else."""
    return np.random.default_rng([seed, d_k, *name.encode()])

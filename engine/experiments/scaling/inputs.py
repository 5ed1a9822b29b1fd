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


def require_number(name: str, value: object, least: float, most: float) -> None:
    """Refuse what is not a number from ``least`` to ``most``; NaN is none."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if not (known and least <= value <= most):  # type: ignore[operator]
        raise NumberError(
            "{name} must be a number from {least} to {most}, got {value}.",
            name=name,
            least=f"{least:g}",
            most=f"{most:g}",
            value=shortened(str(value)),
        )


def require_affordable(numbers: int, samples: int, most: int) -> None:
    """Refuse what would draw more than ``most`` random numbers, and name what would do."""
    if numbers > most:
        raise OptionError(
            "This needs {numbers} random numbers, and at most {most} are drawn; "
            "take N = {fitting} or less, or smaller d_k.",
            numbers=f"{numbers:.2g}",
            most=f"{most:.2g}",
            fitting=samples * most // numbers,
        )


def stream(seed: int, d_k: int, name: str) -> np.random.Generator:
    """Return random numbers that depend on the seed, the width and the name, and nothing else."""
    return np.random.default_rng([seed, d_k, *name.encode()])

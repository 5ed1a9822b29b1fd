"""What can be measured: limits of the sizes, and the sentences that refuse others."""

from __future__ import annotations

from typing import Protocol

from engine.errors import OptionError
from engine.experiments.memory import needs
from engine.experiments.memory.limits import grouped, require_batch, require_dtype, require_heads
from engine.experiments.scaling.inputs import require_count, shown
from engine.experiments.whole_number import is_whole

MOST_T = 131_072
MOST_VALUES = 12  # of T, or of d_k, in one measurement
MOST_HEADS, MOST_D_K, MOST_BATCH, MOST_REPEATS = 128, 512, 64, 25
MOST_SEED = 2**32 - 1


class Setting(Protocol):
    """What every measurement is asked, whatever it varies."""

    @property
    def heads(self) -> int:
        """Heads of a layer."""

    @property
    def batch(self) -> int:
        """Sequences."""

    @property
    def dtype(self) -> str:
        """Of q, k and v."""

    @property
    def causal(self) -> bool:
        """Whether later keys are hidden."""

    @property
    def repeats(self) -> int:
        """Runs of each point."""

    @property
    def seed(self) -> int:
        """Of the inputs."""


def require_setting(setting: Setting) -> None:
    """Refuse what is out of its range, whatever is varied.

    Raises
    ------
    OptionError
        The sentence says what is allowed.
    """
    require_heads(setting.heads, MOST_HEADS)
    require_batch(setting.batch, MOST_BATCH)
    require_repeats(setting.repeats)
    require_seed(setting.seed)
    require_dtype(setting.dtype, needs.ITEMSIZES)
    require_causal(setting.causal)


def require_different(name: str, sizes: object, most: int) -> None:
    """Refuse what is not 1 to ``MOST_VALUES`` different whole numbers from 1 to ``most``."""
    if not isinstance(sizes, tuple | list):
        require_count(name, sizes, 1, most)
        sizes = (sizes,)
    if not 1 <= len(sizes) <= MOST_VALUES:
        raise OptionError(
            "There must be 1 to {most} values of {name}, got {count}.",
            most=MOST_VALUES,
            name=name,
            count=len(sizes),
        )
    for size in sizes:
        require_count(name, size, 1, most)
    if len(set(sizes)) < len(sizes):
        raise OptionError("The values of {name} must differ from each other.", name=name)


def require_repeats(repeats: object) -> None:
    """Refuse a number of repeats out of its limits."""
    if not is_whole(repeats, 1, MOST_REPEATS):
        raise OptionError(
            "The number of repeats must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_REPEATS),
            size=grouped(repeats),
        )


def require_seed(seed: object) -> None:
    """Refuse a seed out of its limits."""
    if not is_whole(seed, 0, MOST_SEED):
        raise OptionError(
            "The seed must be a whole number from 0 to {most}, got {seed}.",
            most=grouped(MOST_SEED),
            seed=grouped(seed),
        )


def require_causal(causal: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(causal, bool):
        raise OptionError(
            "Whether the mask is causal must be true or false, got {value}.", value=shown(causal)
        )

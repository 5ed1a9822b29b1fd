"""What can be measured: limits of the sizes, and the sentences that refuse others."""

from __future__ import annotations

from engine.errors import OptionError
from engine.experiments.memory import needs
from engine.experiments.memory.limits import grouped
from engine.experiments.scaling.inputs import require_count, shown
from engine.experiments.whole_number import is_whole

MOST_T = 131_072
MOST_VALUES = 12  # of T, or of d_k, in one measurement
MOST_HEADS, MOST_D_K, MOST_BATCH, MOST_REPEATS = 128, 512, 64, 25
MOST_SEED = 2**32 - 1


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


def require_heads(heads: object) -> None:
    """Refuse a number of heads out of its limits."""
    if not is_whole(heads, 1, MOST_HEADS):
        raise OptionError(
            "The number of heads must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_HEADS),
            size=grouped(heads),
        )


def require_batch(batch: object) -> None:
    """Refuse a batch size out of its limits."""
    if not is_whole(batch, 1, MOST_BATCH):
        raise OptionError(
            "The batch size must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_BATCH),
            size=grouped(batch),
        )


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


def require_dtype(dtype: object) -> None:
    """Refuse what is not one of the dtypes that every backend computes in."""
    if not isinstance(dtype, str) or dtype not in needs.ITEMSIZES:
        raise OptionError(
            "The number format must be one of {known}, got {name}.",
            known=", ".join(needs.ITEMSIZES),
            name=shown(dtype),
        )


def require_causal(causal: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(causal, bool):
        raise OptionError(
            "Whether the mask is causal must be true or false, got {value}.", value=shown(causal)
        )

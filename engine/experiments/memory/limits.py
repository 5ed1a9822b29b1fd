"""Refusals that predictions and measurements share, and how they show what arrived."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from engine.errors import LARGEST_BITS, OptionError
from engine.experiments.scaling.inputs import shown
from engine.experiments.whole_number import is_whole


def grouped(value: object) -> object:
    """Return a value as a sentence shows it: whole numbers in groups of three digits.

    A whole number too long to read is left to the error, which shows it as a power of ten.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return shown(value)
    whole = int(value)
    return f"{whole:,}" if whole.bit_length() <= LARGEST_BITS else whole


def require_heads(heads: object, most: int) -> None:
    """Refuse a number of heads that is not a whole number from 1 to ``most``."""
    if not is_whole(heads, 1, most):
        raise OptionError(
            "The number of heads must be a whole number from 1 to {most}, got {size}.",
            most=grouped(most),
            size=grouped(heads),
        )


def require_batch(batch: object, most: int) -> None:
    """Refuse a batch size that is not a whole number from 1 to ``most``."""
    if not is_whole(batch, 1, most):
        raise OptionError(
            "The batch size must be a whole number from 1 to {most}, got {size}.",
            most=grouped(most),
            size=grouped(batch),
        )


def require_dtype(dtype: object, known: Collection[str]) -> None:
    """Refuse what is none of the known number formats."""
    if not isinstance(dtype, str) or dtype not in known:
        raise OptionError(
            "The number format must be one of {known}, got {name}.",
            known=", ".join(known),
            name=grouped(dtype),
        )

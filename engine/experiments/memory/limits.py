"""How a refusal shows what arrived."""

from __future__ import annotations

import numpy as np

from engine.errors import LARGEST_BITS
from engine.experiments.scaling.inputs import shown


def grouped(value: object) -> object:
    """Return a value as a sentence shows it: whole numbers in groups of three digits.

    A whole number too long to read is left to the error, which shows it as a power of ten.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return shown(value)
    whole = int(value)
    return f"{whole:,}" if whole.bit_length() <= LARGEST_BITS else whole

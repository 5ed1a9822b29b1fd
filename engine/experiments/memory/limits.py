"""How a sentence shows what arrived."""

from __future__ import annotations

import numpy as np

from engine.errors import LARGEST_BITS
from engine.experiments.number_text import shortened


def grouped(value: object) -> str:
    """Return a value as a sentence shows it: whole numbers in groups of three digits.

    A whole number too long to read is shown as a power of ten, a long text is cut.
    """
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, int | np.integer):
        return _whole(int(value))
    if isinstance(value, float):
        return f"{value:.10g}"
    return shortened(str(value))


def _whole(value: int) -> str:
    if value.bit_length() <= LARGEST_BITS:
        return f"{value:,}"
    return f"{'-' if value < 0 else ''}10^{int(value.bit_length() * 0.30103)}"

"""How far two outputs may lie apart through rounding alone."""

from __future__ import annotations

import numpy as np

from engine.shapes import Array

# Units in the last place of the largest value: what other orders of adding up may differ by.
UNITS = 256


def rounding_of(v: Array) -> float:
    """Return by how much two averages of the same values may differ, given their dtype.

    Parameters
    ----------
    v : np.ndarray
        The values, (..., E), float.
    """
    return UNITS * float(np.finfo(v.dtype).eps) * float(np.abs(v).max(initial=0.0))

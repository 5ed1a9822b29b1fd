"""How concentrated a row of weights is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def effective_keys(weights: npt.ArrayLike) -> float:
    """Return the effective number of keys of one row: exp of its entropy.

    Parameters
    ----------
    weights : array_like
        (S,), non-negative.

    Returns
    -------
    float
        1 when one key has all the weight, S when all share it equally, 0 in a row that may
        look nowhere.
    """
    row = np.asarray(weights, dtype=np.float64)
    positive = row[row > 0]
    return float(np.exp(-(positive * np.log(positive)).sum())) if positive.size else 0.0

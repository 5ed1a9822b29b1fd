"""How far a result may be from the float64 oracle: one table, by the dtype computed in.

``rtol`` is relative to the oracle, ``atol`` to the largest value that was averaged; both allow
for some hundred roundings. Scores carry an error that grows with their size, and a weight errs
by as much relatively: ``score`` is that error for each unit of the largest score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tolerance:
    """Allowed distance from the oracle."""

    rtol: float
    atol: float
    score: float


TOLERANCES = {
    "float64": Tolerance(rtol=1e-12, atol=1e-13, score=1e-14),
    "float32": Tolerance(rtol=2e-5, atol=2e-6, score=5e-6),
    "float16": Tolerance(rtol=5e-3, atol=5e-3, score=5e-3),
}


def assert_close(actual, expected, dtype, *, largest=1.0, scores=0.0):
    """Compare with the oracle.

    Parameters
    ----------
    actual, expected : array-like
    dtype : str
        What the result was computed in.
    largest : float
        Size of the largest value that was averaged into the result.
    scores : float
        Size of the largest score.
    """
    allowed = TOLERANCES[dtype]
    relative = allowed.rtol + allowed.score * scores
    np.testing.assert_allclose(
        actual, expected, rtol=relative, atol=allowed.atol * largest + relative * largest
    )

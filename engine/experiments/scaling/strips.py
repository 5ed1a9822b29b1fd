"""Matrix products in strips that are small enough for OpenBLAS to keep each on one thread.

On a busy machine, handing out thousands of small products takes many times as long as doing them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ONE_THREAD = 2**18  # multiplications; OpenBLAS shares out a product that needs more


def product_in_strips(xp: Any, a: Any, b: Any) -> Any:
    """Return a b, (n, m) times (m, p); on MLX in one go."""
    if xp is not np:
        return xp.matmul(a, b)
    (n, m), p = a.shape, b.shape[1]
    rows = strip_of(n, m * p)
    return xp.matmul(a.reshape(n // rows, rows, m), b).reshape(n, p)


def strip_of(rows: int, each: int) -> int:
    """Return the largest divisor of ``rows`` with at most ONE_THREAD multiplications, or 1.

    Parameters
    ----------
    each : int
        Multiplications for one row.
    """
    fitting = max(1, ONE_THREAD // each)
    return next(size for size in range(min(fitting, rows), 0, -1) if rows % size == 0)

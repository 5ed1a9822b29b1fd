"""Moments of one product of two components, and of a sum of independent ones.

Shape legend: D = d_k.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.scaling.components import MOMENTS, Distribution
from engine.shapes import Array

ORDERS = 9  # the moments of orders 0 to 8


def of_product(distribution: Distribution, mean: float) -> Array:
    """Return the central moments (9,) of a product of two components, divided by its deviation.

    ``mean`` is that of the components in their standard deviations. With a, b the components less
    their mean m, the product less its own mean is m (a + b) + a b; the odd moments of a and b are
    0.
    """
    fourth, sixth, eighth = MOMENTS[distribution]
    of_one = (1.0, 0.0, 1.0, 0.0, fourth, 0.0, sixth, 0.0, eighth)

    def moment(n: int) -> float:
        return math.fsum(
            math.comb(n, j) * mean**j * math.comb(j, i) * of_one[n - j + i] * of_one[n - i]
            for j in range(n + 1)
            for i in range(j + 1)
        )

    deviation = math.sqrt(moment(2))
    return np.array([moment(n) / deviation**n for n in range(ORDERS)])


def of_sum(moments: Array, d_k: int) -> Array:
    """Return the same of a sum of d_k independent products: its cumulants are theirs, added up."""
    cumulants = np.zeros(ORDERS)
    for n in range(1, ORDERS):
        cumulants[n] = moments[n] - _shared(cumulants, moments, n)
    # Divided by the deviation of the sum, which is that of one product times sqrt(d_k).
    cumulants *= [d_k ** (1 - n / 2) for n in range(ORDERS)]
    found = np.ones(ORDERS)
    for n in range(1, ORDERS):
        found[n] = cumulants[n] + _shared(cumulants, found, n)
    return found


def _shared(cumulants: Array, moments: Array, n: int) -> float:
    """Return what the cumulants below order n contribute to the moment of order n."""
    return math.fsum(math.comb(n - 1, k - 1) * cumulants[k] * moments[n - k] for k in range(1, n))

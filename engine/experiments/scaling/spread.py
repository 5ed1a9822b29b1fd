"""What is known of a sum of d_k products before any is drawn, and how far a sample may stray.

Shape legend: N samples, D = d_k.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.scaling.components import FOURTH_MOMENTS, Distribution
from engine.shapes import Array

NORMAL_95 = 1.959963984540054  # the standard normal lies within it in 95 of 100 cases


def expected_mean(d_k: int, mean: float) -> float:
    """Return the mean of q.k."""
    return d_k * mean**2


def expected_variance(d_k: int, sigma: float, mean: float, correlation: float) -> float:
    """Return the variance of q.k, whatever the distribution of the components.

    q and k are independent, and E[q_i q_j] is mean^2 + sigma^2 for i = j and
    mean^2 + correlation sigma^2 for i != j; the variance is the sum over i and j of
    E[q_i q_j] E[k_i k_j], less (d_k mean^2)^2, multiplied out so that nothing cancels.
    """
    alone = sigma**2 + 2 * mean**2
    shared = correlation * (2 * mean**2 + correlation * sigma**2)
    return d_k * sigma**2 * (alone + (d_k - 1) * shared)


def expected_kurtosis(
    d_k: int, distribution: Distribution, mean: float, correlation: float
) -> float | None:
    """Return the excess kurtosis of q.k for independent components of mean 0, else None.

    A product of two such components has the kurtosis mu^2, mu their fourth moment; the excess of
    a sum of d_k independent ones is that of one, divided by d_k.
    """
    if mean != 0 or correlation != 0:
        return None
    return (FOURTH_MOMENTS[distribution] ** 2 - 3) / d_k


def variance_error(samples: int, kurtosis: float) -> float:
    """Return the standard error of s^2, divided by the variance; exact for any distribution."""
    return math.sqrt(2 / (samples - 1) + kurtosis / samples)


def band_of(deviation: float, samples: int, kurtosis: float) -> tuple[float, float]:
    """Return within which the deviation s of a sample lies in 95 of 100 runs.

    s^2 is taken as a multiple of chi squared with the variance that s^2 has (Satterthwaite), and
    its quantiles as Wilson and Hilferty give them. Exact to some per mille for normal dot products;
    rough where N is below about 30 or a few samples decide (small d_k, heavy tails).
    """
    relative = variance_error(samples, kurtosis)
    ninth = relative**2 / 9  # 2 / (9 nu), since a chi squared has the relative variance 2 / nu
    ends = (1 - ninth + sign * NORMAL_95 * math.sqrt(ninth) for sign in (-1, 1))
    low, high = (deviation * math.sqrt(max(0.0, end) ** 3) for end in ends)
    return low, high


def slope(d_ks: Array, deviations: Array, errors: Array) -> tuple[float, float] | None:
    """Return the slope of log deviation against log d_k, and its standard error.

    Parameters
    ----------
    d_ks, deviations : np.ndarray
        (W,) of at least two widths; all weigh alike.
    errors : np.ndarray
        (W,) standard errors of s^2, divided by the variance; half of it is that of log s.

    Returns
    -------
    tuple of float or None
        None for fewer than two widths, or where a deviation is 0.
    """
    if len(d_ks) < 2 or not (deviations > 0).all():
        return None
    positions = np.log(d_ks) - np.log(d_ks).mean()
    weights = positions / (positions**2).sum()
    return float(weights @ np.log(deviations)), float(np.sqrt(weights**2 @ (errors / 2) ** 2))

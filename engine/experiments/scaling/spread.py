"""What is known of a sum of d_k products before any is drawn, and how far a sample may stray.

Shape legend: N samples, D = d_k.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.scaling import moments
from engine.experiments.scaling.components import Distribution
from engine.shapes import Array

NORMAL_95 = 1.959963984540054  # the standard normal lies within it in 95 of 100 cases
FEW = 100.0  # degrees of freedom
BISECTIONS = 60
LEAST_FOR_BAND = 10  # samples
PER_KURTOSIS, PER_LACK = 15, 27  # samples for each 1 of excess kurtosis above 0, and below


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
    d_k: int, distribution: Distribution, mean: float = 0.0, correlation: float = 0.0
) -> float | None:
    """Return the excess kurtosis of q.k for independent components, else None.

    Products of independent components are independent and alike: the excess of a sum of d_k of
    them is that of one, divided by d_k. ``mean`` is in standard deviations of a component.
    """
    if correlation != 0:
        return None
    return (float(moments.of_product(distribution, mean)[4]) - 3) / d_k


def kurtosis_error(d_k: int, distribution: Distribution, samples: int, mean: float = 0.0) -> float:
    """Return the standard error of the excess kurtosis of N dot products, to first order in 1/N.

    For independent components; ``mean`` is in standard deviations of a component. It is sqrt(24/N)
    for normal dot products, and much larger where d_k is small.
    """
    found = moments.of_sum(moments.of_product(distribution, mean), d_k)
    skewness, fourth = found[3], found[4]
    # How far one more sample at z would move the kurtosis, times N: a polynomial of z.
    pull = np.array([fourth, -4 * skewness, -2 * fourth, 0.0, 1.0])
    return math.sqrt(max(0.0, float(np.convolve(pull, pull) @ found)) / samples)


def sampled_kurtosis_error(products: Array) -> float:
    """Return what `kurtosis_error` does from the moments of the sample itself, which is rough.

    For dot products that are not all equal.
    """
    z = (products - products.mean()) / products.std()
    squares = z**2
    skewness, fourth = float((squares * z).mean()), float((squares**2).mean())
    # How far one more sample at z would move the kurtosis, times N.
    pulls = squares**2 - fourth - 2 * fourth * (squares - 1) - 4 * skewness * z
    return float(pulls.std()) / math.sqrt(len(products))


def kurtosis_band(excess: float, error: float, samples: int) -> tuple[float, float]:
    """Return within which the excess kurtosis of a sample lies in 95 of 100 runs.

    No sample of N has one below -2 or above N - 5 + 1/(N - 1), where all but one are equal.
    Where dot products take two values as often, or nearly, there is no error of first order: the
    kurtosis of a sample follows from its mean m, with an excess of 4 m^2 / (1 - m^2) over theirs.
    """
    most = samples - 5 + 1 / (samples - 1)
    reach = NORMAL_95 * error
    low, high = excess - reach, excess + max(reach, 4 * NORMAL_95**2 / samples)
    return min(max(low, -2.0), most), max(min(high, most), -2.0)


def variance_error(samples: int, kurtosis: float) -> float:
    """Return the standard error of s^2, divided by the variance; exact for any distribution."""
    return math.sqrt(2 / (samples - 1) + kurtosis / samples)


def log_error(samples: int, kurtosis: float) -> float:
    """Return the standard error of log s^2: of chi squared as `band_of` takes it, exactly."""
    half = 1 / variance_error(samples, kurtosis) ** 2
    # The trigamma function of half of the degrees: by its recurrence, then by its series.
    total = 0.0
    while half < 10:
        total += 1 / half**2
        half += 1
    return math.sqrt(total + 1 / half + 1 / (2 * half**2) + 1 / (6 * half**3) - 1 / (30 * half**5))


def band_of(deviation: float, samples: int, kurtosis: float) -> tuple[float, float]:
    """Return within which the deviation s of a sample lies in 95 of 100 runs.

    s^2 is taken as a multiple of chi squared with the variance that s^2 has (Satterthwaite): right
    for normal dot products at any N, and see `samples_for_band` for others.
    """
    freedom = 2 / variance_error(samples, kurtosis) ** 2
    low, high = (
        deviation * math.sqrt(chi_squared_quantile(share, freedom) / freedom)
        for share in (0.025, 0.975)
    )
    return low, high


def samples_for_band(kurtosis: float) -> int:
    """Return from how many samples on 93 to 97 of 100 runs lie within `band_of`.

    Found by simulation for sums of 1 to 64 products of every distribution, their kurtosis known:
    fewer samples leave too little of heavy tails, and sums of few signs take too few values.
    """
    each = PER_KURTOSIS if kurtosis > 0 else -PER_LACK
    return max(LEAST_FOR_BAND, math.ceil(each * kurtosis))


def chi_squared_quantile(share: float, freedom: float) -> float:
    """Return what chi squared with ``freedom`` degrees, a number above 0, stays below.

    ``share`` is 0.025 or 0.975. Wilson and Hilferty's formula is right to a ten thousandth from
    `FEW` degrees on; below, the distribution itself is inverted by bisection.
    """
    if freedom >= FEW:
        ninth = 2 / (9 * freedom)
        end = NORMAL_95 if share > 0.5 else -NORMAL_95
        return freedom * (1 - ninth + end * math.sqrt(ninth)) ** 3
    half = freedom / 2
    # The series of `_log_share` is at least 1, so its logarithm is too small here, if at all.
    low = (math.log(share) + math.lgamma(half + 1)) / half
    high = math.log(half + 10 * math.sqrt(half) + 20)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _log_share(middle, half) < math.log(share):
            low = middle
        else:
            high = middle
    return 2 * math.exp(low)


def _log_share(log_x: float, half: float) -> float:
    """Return the logarithm of the share of chi squared, of 2 ``half`` degrees, below 2 x."""
    x = math.exp(log_x)
    term = total = 1.0
    place = half
    while term > 1e-16 * total:  # the terms fall once the place is beyond x
        place += 1
        term *= x / place
        total += term
    return half * log_x - x - math.lgamma(half + 1) + math.log(total)


def slope(d_ks: Array, deviations: Array, errors: Array) -> tuple[float, float] | None:
    """Return the slope of log deviation against log d_k, and its standard error.

    Parameters
    ----------
    d_ks, deviations : np.ndarray
        (W,) of at least two widths; all weigh alike.
    errors : np.ndarray
        (W,) standard errors of log s^2; half of it is that of log s.

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

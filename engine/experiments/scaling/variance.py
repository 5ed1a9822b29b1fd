"""How far dot products spread as d_k grows, measured against the law that the text derives.

Shape legend: N samples, D = d_k.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.shapes import Array

Distribution = Literal["normal", "uniform", "rademacher", "laplace"]
DISTRIBUTIONS: tuple[Distribution, ...] = ("normal", "uniform", "rademacher", "laplace")
MOST_D_K = 4096
MOST_WIDTHS = 16  # different values of d_k in one run
MOST_SAMPLES = 1_000_000
BINS = 60


@dataclass(frozen=True)
class Params:
    """What is drawn.

    Attributes
    ----------
    d_ks : tuple of int
        1 to 16 different widths, each 1 to 4,096; in any order, kept rising.
    samples : int
        Dot products for each width, 2 to 1,000,000.
    distribution : {"normal", "uniform", "rademacher", "laplace"}
        Of every component of q and k, with mean 0 and variance 1 before what follows.
    sigma : float
        Standard deviation of the components, above 0 and at most 100.
    mean : float
        Their mean, -10 to 10.
    correlation : float
        Between any two components of one vector, 0 to 0.99: each component is
        sqrt(correlation) times one draw that the vector shares plus sqrt(1 - correlation) times
        its own.
    seed : int
        0 to 999,999.
    """

    d_ks: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
    samples: int = 2_000
    distribution: Distribution = "normal"
    sigma: float = 1.0
    mean: float = 0.0
    correlation: float = 0.0
    seed: int = 1

    @property
    def assumed(self) -> bool:
        """Whether the text's assumptions hold: independent, mean 0, variance 1."""
        return (self.sigma, self.mean, self.correlation) == (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Width:
    """What was measured at one d_k.

    Attributes
    ----------
    mean, variance, deviation : float
        Of the N raw dot products; variance with N - 1.
    kurtosis : float
        Excess kurtosis of the sample, 0 for a normal distribution.
    expected_variance : float
        Derived exactly from the parameters (d_k under the text's assumptions).
    expected_kurtosis : float or None
        Derived where a closed form is known (independent components, mean 0), else None.
    band : tuple of float
        Within which the measured deviation lies in 95 of 100 runs, from the sampling error with
        the expected kurtosis (or the measured one).
    edges, counts, scaled_counts : np.ndarray
        Histogram of the raw dot products and of those divided by sqrt(d_k), on the same
        BINS + 1 edges; what lies beyond them is in the outermost bins.
    """

    d_k: int
    mean: float
    variance: float
    deviation: float
    kurtosis: float
    expected_variance: float
    expected_kurtosis: float | None
    band: tuple[float, float]
    edges: Array
    counts: Array
    scaled_counts: Array

    @property
    def scaled_deviation(self) -> float:
        """Standard deviation after the division by sqrt(d_k)."""
        return self.deviation / math.sqrt(self.d_k)


@dataclass(frozen=True)
class Result:
    """All widths.

    Attributes
    ----------
    exponent : float or None
        Slope of log deviation against log d_k by least squares, weighted alike; None for one width.
    exponent_error : float or None
        Its standard error from the sampling errors of the deviations.
    """

    params: Params
    widths: tuple[Width, ...]
    exponent: float | None
    exponent_error: float | None
    backend_name: str
    precision: str
    seconds: float


def run(
    params: Params,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Draw and measure, in blocks of bounded size: never an array of N x d_k.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    raise NotImplementedError

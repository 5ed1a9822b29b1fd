"""How far dot products spread as d_k grows, measured against the law that the text derives.

Shape legend: N samples, D = d_k.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.read_only import close_fields
from engine.experiments.scaling import spread
from engine.experiments.scaling.components import DISTRIBUTIONS, Distribution, fill
from engine.experiments.scaling.histogram import BINS, counts_of, edges_of
from engine.experiments.scaling.inputs import (
    MOST_D_K,
    MOST_WIDTHS,
    require_count,
    require_moments,
    require_seed,
    shown,
    stream,
    widths_of,
)
from engine.experiments.scaling.progress import Progress
from engine.shapes import Array

__all__ = [
    "BINS",
    "DISTRIBUTIONS",
    "MOST_D_K",
    "MOST_SAMPLES",
    "MOST_WIDTHS",
    "Distribution",
    "Params",
    "Result",
    "Width",
    "run",
]

MOST_SAMPLES = 1_000_000
MOST_NUMBERS = 20_000_000_000  # random numbers of one run: minutes, not hours
BLOCK = 2**16  # components of q held at once, and as many of k: they stay in the cache
WHOLE_ROWS = 32  # a block has a multiple of it, so that signs use up their 32 random bits


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
        Standard deviation of the components, 0.01 to 100.
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
        Excess kurtosis of the sample, 0 for a normal distribution; NaN where all N are equal.
    expected_variance : float
        Derived exactly from the parameters (d_k under the text's assumptions).
    expected_kurtosis : float or None
        Derived for independent components, else None.
    band : tuple of float
        Within which the measured deviation lies in 95 of 100 runs, from the sampling error with
        the expected kurtosis (or the measured one, which makes it rough).
    kurtosis_band : tuple of float
        The same of the excess kurtosis, where its expected value is known; else 95 of 100 such
        bands, which follow from the moments of the sample, hold the true value. NaN where all N
        are equal and nothing is known.
    edges, counts : np.ndarray
        Histogram of the raw dot products on BINS + 1 edges; what lies beyond them is in the
        outermost bins. Divided by sqrt(d_k) the edges are those of the scaled ones.
    """

    d_k: int
    mean: float
    variance: float
    deviation: float
    kurtosis: float
    expected_variance: float
    expected_kurtosis: float | None
    band: tuple[float, float]
    kurtosis_band: tuple[float, float]
    edges: Array
    counts: Array

    @property
    def scaled_deviation(self) -> float:
        """Standard deviation after the division by sqrt(d_k)."""
        return self.deviation / math.sqrt(self.d_k)

    @property
    def is_inside(self) -> bool:
        """Whether the measured deviation lies in the band."""
        return self.band[0] <= self.deviation <= self.band[1]


@dataclass(frozen=True)
class Result:
    """All widths.

    Attributes
    ----------
    exponent : float or None
        Slope of log deviation against log d_k by least squares, weighted alike; None for one
        width, or where a deviation is 0.
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

    The components are drawn by NumPy in float64, on every backend the same; the backend multiplies
    and sums them, and the moments are taken in float64. ``progress`` hears the share that is done
    after each block, or each thousandth of the work; what it raises ends the run.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    d_ks = _checked(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    report = Progress(params.samples * sum(d_ks), progress)
    widths = tuple(_measure(params, d_k, chosen, report) for d_k in d_ks)
    exponent, error = _exponent(params, widths)
    seconds = time.perf_counter() - started
    return Result(params, widths, exponent, error, chosen.name, chosen.precision, seconds)


def dot_products(params: Params, d_k: int, backend: Backend) -> Iterator[Array]:
    """Yield the raw dot products of one width in blocks, float64; N of them in all."""
    own_q, own_k, shared_q, shared_k = (
        stream(params.seed, d_k, name) for name in ("q", "k", "q shared", "k shared")
    )
    rows = min(params.samples, WHOLE_ROWS * max(1, BLOCK // (WHOLE_ROWS * d_k)))
    # Two arrays for all blocks: to ask for new ones each time costs as much as to multiply.
    q, k = np.empty((rows, d_k)), np.empty((rows, d_k))
    for first in range(0, params.samples, rows):
        n = min(rows, params.samples - first)
        _fill(q[:n], params, own_q, shared_q)
        _fill(k[:n], params, own_k, shared_k)
        yield np.asarray(backend.run(_products, q[:n], k[:n]), dtype=np.float64)


def _products(xp: Any, q: Any, k: Any) -> Any:
    """Return the dot product of each row of q with the same row of k, (n,)."""
    if xp is np:
        return np.einsum("nd,nd->n", q, k)  # without a third array as large as q
    return xp.sum(q * k, axis=-1)


def _fill(
    vectors: Array, params: Params, own: np.random.Generator, shared: np.random.Generator
) -> None:
    """Fill the vectors (n, D) with components that follow the parameters."""
    fill(vectors, own, params.distribution)
    if params.correlation:
        common = np.empty((len(vectors), 1))
        fill(common, shared, params.distribution)
        vectors *= math.sqrt(1 - params.correlation)
        vectors += math.sqrt(params.correlation) * common
    if params.sigma != 1:
        vectors *= params.sigma
    if params.mean:
        vectors += params.mean


def _measure(params: Params, d_k: int, backend: Backend, report: Progress) -> Width:
    products = np.empty(params.samples)  # one number a sample, 8 MB at most
    filled = 0
    for block in dot_products(params, d_k, backend):
        products[filled : filled + len(block)] = block
        filled += len(block)
        report.add(len(block) * d_k)
    return _width(params, d_k, products)


def _width(params: Params, d_k: int, products: Array) -> Width:
    mean, variance, kurtosis = _moments(products)
    expected = spread.expected_variance(d_k, params.sigma, params.mean, params.correlation)
    expected_kurtosis = spread.expected_kurtosis(
        d_k, params.distribution, params.mean / params.sigma, params.correlation
    )
    edges = edges_of(
        d_k, spread.expected_mean(d_k, params.mean), math.sqrt(expected), _step(params)
    )
    found = Width(
        d_k=d_k,
        mean=mean,
        variance=variance,
        deviation=math.sqrt(variance),
        kurtosis=kurtosis,
        expected_variance=expected,
        expected_kurtosis=expected_kurtosis,
        band=spread.band_of(
            math.sqrt(expected), params.samples, _known(expected_kurtosis, kurtosis)
        ),
        kurtosis_band=_kurtosis_band(params, d_k, products, expected_kurtosis, kurtosis),
        edges=edges,
        counts=counts_of(products, edges),
    )
    close_fields(found)
    return found


def _kurtosis_band(
    params: Params, d_k: int, products: Array, expected: float | None, measured: float
) -> tuple[float, float]:
    N = params.samples
    if expected is not None:
        error = spread.kurtosis_error(d_k, params.distribution, N, params.mean / params.sigma)
        return spread.kurtosis_band(expected, error, N)
    if math.isnan(measured):
        return math.nan, math.nan
    return spread.kurtosis_band(measured, spread.sampled_kurtosis_error(products), N)


def _step(params: Params) -> float | None:
    """Return the distance of two values of q.k where each product is a sign, else None."""
    signs = params.distribution == "rademacher" and not (params.mean or params.correlation)
    return 2 * params.sigma**2 if signs else None


def _moments(products: Array) -> tuple[float, float, float]:
    """Return mean, variance with N - 1, and excess kurtosis (NaN where all are equal)."""
    if products.min() == products.max():
        return float(products[0]), 0.0, math.nan
    mean = float(products.mean())
    squares = (products - mean) ** 2
    second = float(squares.mean())
    kurtosis = float((squares**2).mean()) / second**2 - 3
    return mean, float(squares.sum()) / (len(products) - 1), kurtosis


def _known(expected: float | None, measured: float) -> float:
    """Return the excess kurtosis to judge by: derived, else measured, else that of a normal."""
    if expected is not None:
        return expected
    return 0.0 if math.isnan(measured) else measured


def _exponent(params: Params, widths: tuple[Width, ...]) -> tuple[float | None, float | None]:
    errors = [
        spread.log_error(params.samples, _known(each.expected_kurtosis, each.kurtosis))
        for each in widths
    ]
    d_ks, deviations = (
        np.array([float(getattr(each, name)) for each in widths]) for name in ("d_k", "deviation")
    )
    return spread.slope(d_ks, deviations, np.array(errors)) or (None, None)


def _checked(params: Params) -> tuple[int, ...]:
    """Return the widths, once every parameter is in its range."""
    d_ks = widths_of(params.d_ks)
    require_count("N", params.samples, 2, MOST_SAMPLES)
    if params.distribution not in DISTRIBUTIONS:
        raise OptionError(
            "The distribution must be one of {known}, got {name}.",
            known=", ".join(DISTRIBUTIONS),
            name=shown(params.distribution),
        )
    require_moments(params.sigma, params.mean, params.correlation)
    require_seed(params.seed)
    _require_affordable(params.samples, 2 * sum(d_ks))
    return d_ks


def _require_affordable(samples: int, numbers_each: int) -> None:
    if samples * numbers_each > MOST_NUMBERS:
        raise OptionError(
            "This needs {numbers} random numbers, and at most {most} are drawn; "
            "take N = {fitting} or less, or smaller d_k.",
            numbers=f"{samples * numbers_each:.2g}",
            most=f"{MOST_NUMBERS:.2g}",
            fitting=MOST_NUMBERS // numbers_each,
        )

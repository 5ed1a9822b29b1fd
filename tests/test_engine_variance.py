"""Dot products: what is drawn, what is measured of it, and what is said to be expected.

Nothing here is measured by the clock. Statistical bounds are six standard errors wide and wider:
right code fails one on fewer than one seed in a million.
"""

from __future__ import annotations

import math
import statistics
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import EngineError, NumberError, OptionError, get_backend
from engine.experiments.scaling import components, spread, variance
from engine.experiments.scaling.variance import BINS, DISTRIBUTIONS, Params, run
from tests.conftest import require_backend

SURE = 6  # standard errors that chance does not reach: once in 500 million draws of a normal
RELATIVE = {"float64": 1e-12, "float32": 2e-5}


class Recorder:
    """A backend that keeps what it was given."""

    def __init__(self, name="numpy"):
        self._backend = get_backend(name)
        self.name, self.precision = self._backend.name, self._backend.precision
        self.q: list[np.ndarray] = []
        self.k: list[np.ndarray] = []

    def run(self, compute, q, k, **static):
        self.q.append(q.copy())
        self.k.append(k.copy())
        return self._backend.run(compute, q, k, **static)


def drawn(params):
    """Return q and k, (N, d_k) each, and the result, for the one width of the parameters."""
    recorder: Any = Recorder()
    result = run(params, backend=recorder)
    return np.concatenate(recorder.q), np.concatenate(recorder.k), result


def only(params, backend="numpy"):
    (width,) = run(params, backend=backend).widths
    return width


def by_loops(q, k):
    return [math.fsum(a * b for a, b in zip(*rows, strict=True)) for rows in zip(q, k, strict=True)]


def slope_of(result):
    assert result.exponent is not None
    assert result.exponent_error is not None
    return result.exponent, result.exponent_error


# How often a component of variance 1 lies above x.
ABOVE = {
    "normal": lambda x: math.erfc(x / math.sqrt(2)) / 2,
    "uniform": lambda x: min(1.0, max(0.0, (math.sqrt(3) - x) / (2 * math.sqrt(3)))),
    "rademacher": lambda x: 1.0 if x < -1 else 0.5 if x < 1 else 0.0,
    "laplace": lambda x: (
        math.exp(-x * math.sqrt(2)) / 2 if x > 0 else 1 - math.exp(x * math.sqrt(2)) / 2
    ),
}
# E[x^4], integrated by hand: 3, 9/5, 1, 4!/4.
FOURTH = {"normal": 3, "uniform": 9 / 5, "rademacher": 1, "laplace": 6}


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_components_have_the_distribution_that_is_named(distribution, seed):
    q, k, _ = drawn(Params((50,), 2_000, distribution, seed=seed))
    for vectors in (q, k):
        components = vectors.ravel()
        for x in (-2.5, -1.2, -0.4, 0.0, 0.3, 0.9, 1.5, 3.0):
            share = ABOVE[distribution](x)
            error = math.sqrt(share * (1 - share) / components.size)
            assert (components > x).mean() == pytest.approx(share, abs=SURE * error + 1e-12), x
        assert components.mean() == pytest.approx(0, abs=SURE / math.sqrt(components.size))
        error = math.sqrt((FOURTH[distribution] - 1) / components.size)
        assert (components**2).mean() == pytest.approx(1, abs=SURE * error + 1e-12)
    if distribution == "rademacher":
        assert set(np.unique(q)) == {-1.0, 1.0}
    if distribution == "uniform":
        assert 1.73 < np.abs(q).max() <= math.sqrt(3)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_components_of_both_vectors_are_independent(distribution):
    q, k, _ = drawn(Params((8,), 20_000, distribution))
    together = np.concatenate([q, k], axis=1)
    moments = together.T @ together / len(together)
    assert np.abs(moments - np.eye(16))[~np.eye(16, dtype=bool)].max() < SURE / math.sqrt(20_000)
    # A shift by one row would go unseen above.
    assert abs((q[1:] * k[:-1]).mean()) < SURE / math.sqrt(q.size)
    assert abs((q[1:] * q[:-1]).mean()) < SURE / math.sqrt(q.size)


@pytest.mark.parametrize("distribution", ["normal", "rademacher"])
def test_broken_assumptions_are_what_they_are_called(distribution):
    params = Params((6,), 40_000, distribution, sigma=3.0, mean=-2.0, correlation=0.5)
    q, k, _ = drawn(params)
    for vectors in (q, k):
        error = SURE / math.sqrt(len(vectors))
        covariance = np.cov(vectors.T)
        np.testing.assert_allclose(vectors.mean(axis=0), -2, atol=3 * error)
        expected = 9 * (0.5 + 0.5 * np.eye(6))
        np.testing.assert_allclose(covariance, expected, atol=9 * math.sqrt(3) * error)
    assert np.abs(np.cov(q.T, k.T)[:6, 6:]).max() < 9 * SURE / math.sqrt(len(q))


@given(
    d_k=st.integers(1, 40),
    samples=st.integers(2, 200),
    distribution=st.sampled_from(DISTRIBUTIONS),
    sigma=st.sampled_from([1.0, 0.25, 7.0]),
    mean=st.sampled_from([0.0, 3.0]),
    correlation=st.sampled_from([0.0, 0.6]),
    seed=st.integers(0, 999_999),
)
@example(4096, 40, "normal", 0.01, 10.0, 0.0, 1)
@settings(max_examples=25)
def test_moments_are_those_of_the_dot_products(
    backend, d_k, samples, distribution, sigma, mean, correlation, seed
):
    params = Params((d_k,), samples, distribution, sigma, mean, correlation, seed)
    q, k, _ = drawn(params)
    products = by_loops(q, k)
    found = only(params, backend)
    # Errors count against the size of the terms, which cancel.
    size = max(math.fsum(np.abs(a * b)) for a, b in zip(q, k, strict=True))
    near = RELATIVE[backend.precision] * size
    assert found.mean == pytest.approx(statistics.fmean(products), abs=near)
    deviation = statistics.stdev(products)
    assert found.deviation == pytest.approx(deviation, rel=1e-9, abs=2 * near)
    assert found.variance == pytest.approx(found.deviation**2)
    assert found.scaled_deviation == pytest.approx(found.deviation / math.sqrt(d_k))
    if deviation > 1e4 * near:
        center = statistics.fmean(products)
        fourth = statistics.fmean((p - center) ** 4 for p in products)
        second = statistics.fmean((p - center) ** 2 for p in products)
        assert found.kurtosis == pytest.approx(fourth / second**2 - 3, rel=1e-2, abs=1e-2)


def variance_by_loops(d_k, sigma, mean, correlation):
    """Sum E[q_i q_j] E[k_i k_j] over all i and j, less the square of the mean."""
    total = 0.0
    for i in range(d_k):
        for j in range(d_k):
            together = mean**2 + sigma**2 * (1 if i == j else correlation)
            total += together**2
    return total - (d_k * mean**2) ** 2


@given(
    d_k=st.integers(1, 30),
    sigma=st.floats(0.1, 3),
    mean=st.floats(-2, 2),
    correlation=st.floats(0, 0.99),
)
@settings(max_examples=60)
def test_the_expected_variance_is_the_sum_over_all_pairs(d_k, sigma, mean, correlation):
    found = only(Params((d_k,), 2, "normal", sigma, mean, correlation))
    expected = variance_by_loops(d_k, sigma, mean, correlation)
    assert found.expected_variance == pytest.approx(expected, rel=1e-9, abs=1e-9 * d_k**2 * mean**4)


BROKEN = [
    {},
    {"sigma": 2.0},
    {"mean": 1.5},
    {"correlation": 0.3},
    {"sigma": 0.5, "mean": -1.0, "correlation": 0.8},
]


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("change", BROKEN)
def test_variances_lie_within_their_own_sampling_error(distribution, change):
    for seed in (1, 2, 3):
        params = replace(Params((1, 3, 16, 100), 5_000, distribution, seed=seed), **change)
        for width in run(params, backend="numpy").widths:
            expected = variance_by_loops(width.d_k, params.sigma, params.mean, params.correlation)
            # The measured kurtosis of heavy tails is too low by chance: doubled.
            excess = max(2 * width.kurtosis, 0) + 3 * FOURTH[distribution] / width.d_k
            error = expected * math.sqrt((2 + excess) / params.samples)
            assert abs(width.variance - expected) < SURE * error, (seed, width.d_k)


def test_under_the_assumptions_the_variance_is_d_k(backend):
    result = run(Params((16, 64, 256, 1024), 4_000), backend=backend)
    assert [width.expected_variance for width in result.widths] == [16, 64, 256, 1024]
    for width in result.widths:
        assert width.variance == pytest.approx(width.d_k, rel=SURE * math.sqrt(2.4 / 4_000))
        assert width.scaled_deviation == pytest.approx(1, rel=SURE * math.sqrt(0.6 / 4_000))


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_expected_kurtosis_is_that_of_a_sum_of_products(distribution):
    for seed in (1, 2):
        params = Params((2, 8), 200_000, distribution, sigma=3.0, seed=seed)
        for width in run(params, backend="numpy").widths:
            expected = (FOURTH[distribution] ** 2 - 3) / width.d_k
            assert width.expected_kurtosis == pytest.approx(expected)
            # Its standard error is sqrt(24 / N) for normal sums, and more for heavy tails.
            error = math.sqrt(24 / params.samples) * (1 + max(expected, 0)) ** 2
            assert width.kurtosis == pytest.approx(expected, abs=SURE * error)


def excess_of_a_product(distribution, mean, sigma):
    """Return the excess kurtosis of a product, its fourth moment multiplied out by hand."""
    m = FOURTH[distribution]
    fourth = mean**4 * (2 * m + 6) * sigma**4 + 12 * mean**2 * m * sigma**6 + m**2 * sigma**8
    return fourth / (2 * mean**2 * sigma**2 + sigma**4) ** 2 - 3


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize(("mean", "sigma"), [(0.5, 1.0), (-2.0, 0.7), (3.0, 10.0), (10.0, 0.01)])
def test_the_expected_kurtosis_of_components_that_are_not_centred(distribution, mean, sigma):
    for width in run(Params((1, 6), 10, distribution, sigma, mean), backend="numpy").widths:
        expected = excess_of_a_product(distribution, mean, sigma) / width.d_k
        assert width.expected_kurtosis == pytest.approx(expected, abs=1e-9)
    if distribution == "normal" and sigma == 1:
        closed = (6 + 24 * mean**2) / (1 + 2 * mean**2) ** 2
        assert excess_of_a_product(distribution, mean, 1.0) == pytest.approx(closed)


def test_no_kurtosis_is_expected_where_none_is_derived():
    found = only(Params((4,), 100, correlation=0.1, mean=0.5))
    assert found.expected_kurtosis is None
    assert found.band[0] < math.sqrt(found.expected_variance) < found.band[1]


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("samples", [50, 1_000])
def test_95_of_100_deviations_lie_in_the_band(distribution, samples):
    d_ks, runs = (4, 16, 30), 200
    inside = 0
    for seed in range(runs):
        for width in run(Params(d_ks, samples, distribution, seed=seed), backend="numpy").widths:
            inside += width.band[0] <= width.deviation <= width.band[1]
    tries = runs * len(d_ks)
    chance = math.sqrt(0.95 * 0.05 / tries)
    assert inside / tries == pytest.approx(0.95, abs=SURE * chance)


def simulated(distribution, d_k, samples, runs, seed):
    """Return the deviation of each run, drawn without the code under test."""
    random = np.random.default_rng(seed)
    draws: dict[str, Any] = {
        "normal": random.standard_normal,
        "uniform": lambda shape: random.uniform(-math.sqrt(3), math.sqrt(3), shape),
        "rademacher": lambda shape: random.choice([-1.0, 1.0], shape),
        "laplace": lambda shape: random.laplace(0, math.sqrt(0.5), shape),
    }
    q, k = (draws[distribution]((runs, samples, d_k)) for _ in range(2))
    return (q * k).sum(axis=2).std(axis=1, ddof=1)


def share_inside(distribution, d_k, samples, runs, seed=1):
    deviations = simulated(distribution, d_k, samples, runs, seed)
    low, high = spread.band_of(math.sqrt(d_k), samples, (FOURTH[distribution] ** 2 - 3) / d_k)
    return ((deviations >= low) & (deviations <= high)).mean()


@pytest.mark.parametrize("samples", [2, 3, 6])
def test_the_band_of_normal_dot_products_is_right_from_two_samples_on(samples):
    runs = 6_000
    found = share_inside("uniform", 30, samples, runs)  # excess kurtosis 0.008
    assert found == pytest.approx(0.95, abs=SURE * math.sqrt(0.05 * 0.95 / runs))


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("d_k", [1, 4, 20])
def test_from_so_many_samples_on_the_band_holds_93_to_97_of_100(distribution, d_k):
    samples = spread.samples_for_band((FOURTH[distribution] ** 2 - 3) / d_k)
    runs = 1_500
    found = share_inside(distribution, d_k, samples, runs)
    assert found == pytest.approx(0.95, abs=0.02 + 3 * math.sqrt(0.05 * 0.95 / runs))


def test_with_fewer_samples_it_may_not():
    assert share_inside("rademacher", 1, 2, 2_000) < 0.6  # two signs are equal in half of the runs
    assert share_inside("laplace", 1, 10, 4_000) > 0.975
    assert spread.samples_for_band(-2.0) > 2
    assert spread.samples_for_band(33.0) > 10
    assert spread.samples_for_band(0.0) == spread.samples_for_band(-0.1)


@pytest.mark.parametrize("d_k", [1, 2, 3, 5])
def test_the_band_of_few_signs_holds_93_of_100_from_so_many_samples_on(d_k):
    """The deviation of signs takes few values, so that its share jumps from one N to the next."""
    kurtosis, runs = -2 / d_k, 20_000
    needed = spread.samples_for_band(kurtosis)
    random = np.random.default_rng(d_k)
    for samples in range(needed, needed + 24, 3):
        sums = 2.0 * random.binomial(d_k, 0.5, (runs, samples)) - d_k
        found = sums.std(axis=1, ddof=1)
        low, high = spread.band_of(math.sqrt(d_k), samples, kurtosis)
        share = ((low <= found) & (found <= high)).mean()
        assert 0.93 - 0.004 <= share <= 0.97 + 0.004, samples


@pytest.mark.parametrize(
    ("freedom", "low", "high"),
    [
        (1, 0.00098207, 5.0238862),  # squares of normal quantiles
        (2, -2 * math.log(0.975), -2 * math.log(0.025)),  # exponential
        (10, 3.2469728, 20.4831774),  # tables
        (30, 16.790772, 46.979242),
        (100, 74.221927, 129.561197),
    ],
)
def test_quantiles_of_chi_squared(freedom, low, high):
    found = [spread.chi_squared_quantile(share, freedom) for share in (0.025, 0.975)]
    assert found == pytest.approx([low, high], rel=1e-4 if freedom >= 100 else 1e-6)


@given(st.floats(0.05, 1e12))
def test_quantiles_of_chi_squared_rise_with_its_degrees(freedom):
    for share in (0.025, 0.975):
        one, other = (spread.chi_squared_quantile(share, f) for f in (freedom, 1.1 * freedom))
        assert 0 <= one < other


def test_the_band_of_many_normal_dot_products_is_1_96_errors_wide():
    found = only(Params((256,), 20_000))
    error = math.sqrt(256) * math.sqrt(2 / 19_999 + 6 / 256 / 20_000) / 2
    assert found.band[1] - 16 == pytest.approx(1.96 * error, rel=0.01)
    assert 16 - found.band[0] == pytest.approx(1.96 * error, rel=0.01)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_exponent_is_one_half(distribution):
    for seed in (1, 2, 3):
        params = Params((1, 4, 16, 64), 3_000, distribution, seed=seed)
        result = run(params, backend="numpy")
        x, y = (
            [math.log(getattr(width, name)) for width in result.widths]
            for name in ("d_k", "deviation")
        )
        exponent, error = slope_of(result)
        assert exponent == pytest.approx(np.polyfit(x, y, 1)[0])
        assert exponent == pytest.approx(0.5, abs=SURE * error)


def test_the_error_of_the_exponent_is_how_far_it_strays():
    found = [
        slope_of(run(Params((1, 4, 16), 500, seed=seed), backend="numpy")) for seed in range(150)
    ]
    assert len({error for _, error in found}) == 1  # it follows from the parameters
    strays = statistics.stdev(exponent for exponent, _ in found)
    assert strays == pytest.approx(found[0][1], rel=SURE / math.sqrt(2 * 149))


@pytest.mark.parametrize("samples", [2, 4, 30])
def test_the_error_of_a_logarithm_is_how_far_it_strays(samples):
    runs = 8_000
    found = 2 * np.log(simulated("uniform", 30, samples, runs, 7))
    # The spread of a heavy-tailed logarithm is known to some hundredths of itself.
    assert spread.log_error(samples, 0.24 / 30) == pytest.approx(found.std(), rel=0.06)


def excess_of(samples: np.ndarray) -> np.ndarray:
    """Return the excess kurtosis of samples (..., N)."""
    z = samples - samples.mean(axis=-1, keepdims=True)
    z /= z.std(axis=-1, keepdims=True)
    return (z**4).mean(axis=-1) - 3


def sums_of_products(
    distribution: str, d_k: int, shape: tuple[int, int], mean: float = 0.0
) -> np.ndarray:
    random = np.random.default_rng(d_k)
    draw: Any = {
        "normal": random.standard_normal,
        "uniform": lambda size: random.uniform(-math.sqrt(3), math.sqrt(3), size),
        "rademacher": lambda size: random.choice([-1.0, 1.0], size),
        "laplace": lambda size: random.laplace(0, math.sqrt(0.5), size),
    }[distribution]
    return sum(((mean + draw(shape)) * (mean + draw(shape)) for _ in range(d_k)), np.zeros(shape))


@pytest.mark.parametrize(
    ("distribution", "d_k", "mean"),
    [("normal", 2, 0.0), ("normal", 8, 0.0), ("uniform", 1, 0.0), ("uniform", 3, 0.0),
     ("rademacher", 2, 0.0), ("rademacher", 5, 0.0), ("laplace", 40, 0.0), ("normal", 2, 1.0),
     ("uniform", 1, -0.5), ("rademacher", 1, 1.0), ("rademacher", 3, 0.5), ("laplace", 8, 3.0)],
)  # fmt: skip
def test_the_error_of_a_kurtosis_is_how_far_samples_stray(distribution, d_k, mean):
    N, runs = 2_000, 400
    found = excess_of(sums_of_products(distribution, d_k, (runs, N), mean))
    error = spread.kurtosis_error(d_k, distribution, N, mean)
    assert found.std() == pytest.approx(error, rel=0.2)
    expected = spread.expected_kurtosis(d_k, distribution, mean)
    assert expected is not None
    low, high = spread.kurtosis_band(expected, error, N)
    assert 0.91 <= ((low <= found) & (found <= high)).mean() <= 0.99


def test_the_error_of_a_kurtosis_is_that_of_normal_samples_at_large_d_k_and_larger_at_small():
    normal = math.sqrt(24 / 2_000)
    assert spread.kurtosis_error(4096, "normal", 2_000) == pytest.approx(normal, rel=0.01)
    assert spread.kurtosis_error(8, "normal", 2_000) > 2 * normal
    assert spread.kurtosis_error(1, "normal", 2_000) > 15 * normal


def test_the_moments_of_a_sample_give_the_error_of_a_skewed_kurtosis_too():
    random = np.random.default_rng(3)
    samples = random.beta(2.0, 6.0, size=(400, 2_000))
    errors = [spread.sampled_kurtosis_error(each) for each in samples[:50]]
    assert np.median(errors) == pytest.approx(excess_of(samples).std(), rel=0.12)


@pytest.mark.parametrize("samples", [2, 3, 5, 200])
@pytest.mark.parametrize("d_k", [1, 2])
def test_the_kurtosis_of_signs_lies_in_its_band_whatever_the_number_of_samples(samples, d_k):
    low, high = spread.kurtosis_band(
        -2 / d_k, spread.kurtosis_error(d_k, "rademacher", samples), samples
    )
    signs = sums_of_products("rademacher", d_k, (2_000, samples))
    spreads = signs[signs.std(axis=1) > 0]
    found = excess_of(spreads)
    inside = (low - 1e-9 <= found) & (found <= high + 1e-9)
    assert inside.mean() >= 0.9 or samples < 10
    extreme = float(excess_of(np.eye(samples)[0]))
    assert -2 <= low <= high <= max(extreme, -2.0) + 1e-9


@pytest.mark.parametrize("mean", [0.001, 0.01, 0.05])
def test_the_kurtosis_of_signs_with_a_small_mean_lies_in_its_band(mean):
    found = excess_of(sums_of_products("rademacher", 1, (2_000, 500), mean))
    expected = spread.expected_kurtosis(1, "rademacher", mean)
    assert expected is not None
    error = spread.kurtosis_error(1, "rademacher", 500, mean)
    low, high = spread.kurtosis_band(expected, error, 500)
    inside = (low - 1e-3 <= found) & (found <= high)
    assert inside.mean() >= 0.9


@pytest.mark.parametrize("change", [{"correlation": 0.4}, {"correlation": 0.9, "mean": 1.0}])
def test_an_unknown_kurtosis_has_a_band_around_what_is_measured(change):
    found = only(replace(Params((6,), 3_000), **change))
    assert found.expected_kurtosis is None
    low, high = found.kurtosis_band
    assert low < found.kurtosis < high
    known = only(Params((6,), 3_000))
    assert known.kurtosis_band == spread.kurtosis_band(
        1.0, spread.kurtosis_error(6, "normal", 3_000), 3_000
    )


def test_correlated_components_spread_in_proportion_to_d_k():
    result = run(Params((64, 256, 1024), 4_000, correlation=0.9), backend="numpy")
    assert result.exponent == pytest.approx(1, abs=0.05)
    assert not result.params.assumed
    assert Params().assumed


def test_no_exponent_without_two_widths_that_spread():
    assert run(Params((8,)), backend="numpy").exponent is None
    assert run(Params((8, 8)), backend="numpy").exponent_error is None


def test_equal_dot_products_have_no_kurtosis_and_no_exponent(backend):
    equal = 0
    for seed in range(40):  # two signs are equal in half of the draws
        result = run(Params((1, 4), 2, "rademacher", sigma=0.3, seed=seed), backend=backend)
        first = result.widths[0]
        assert (first.deviation == 0) == math.isnan(first.kurtosis)
        if first.deviation == 0:
            equal += 1
            assert (result.exponent, result.exponent_error) == (None, None)
            assert all(math.isfinite(end) for end in first.band)
    assert equal > 0


def counts_by_loops(values, edges):
    counts = [0] * (len(edges) - 1)
    for value in values:
        bin_number = sum(1 for edge in edges if edge <= value) - 1
        counts[min(max(bin_number, 0), len(counts) - 1)] += 1
    return counts


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("change", [{}, {"mean": 2.0}, {"sigma": 0.3, "correlation": 0.5}])
@pytest.mark.parametrize("d_k", [1, 7, 60])
def test_a_histogram_counts_every_dot_product(distribution, change, d_k):
    params = replace(Params((d_k,), 400, distribution), **change)
    q, k, result = drawn(params)
    (found,) = result.widths
    products = np.array(by_loops(q, k))
    assert found.edges.shape == (BINS + 1,)
    np.testing.assert_allclose(np.diff(found.edges), np.ptp(found.edges) / BINS)
    assert found.counts.tolist() == counts_by_loops(products, found.edges)
    assert found.counts.sum() == 400


@pytest.mark.parametrize("change", BROKEN)
def test_edges_are_fixed_beforehand_and_hold_what_is_expected(change):
    first, second = (only(replace(Params((20,), 100, seed=seed), **change)) for seed in (1, 2))
    np.testing.assert_array_equal(first.edges, second.edges)
    deviation = math.sqrt(first.expected_variance)
    center = 20 * change.get("mean", 0.0) ** 2
    assert first.edges[0] <= center - 3.99 * deviation
    assert first.edges[-1] >= center + 3.99 * deviation


@pytest.mark.parametrize("d_k", [1, 2, 3, 4, 16, 99, 128, 256, 257, 512, 1000, 1024, 2048, 4096])
def test_bins_hold_as_many_sums_of_signs_as_their_neighbours(d_k):
    edges = only(Params((d_k,), 2, "rademacher", sigma=2.0)).edges
    values = 4.0 * np.arange(-d_k, d_k + 1, 2)  # all that q.k can be
    values = values[(values > edges[0]) & (values < edges[-1])]
    assert np.abs(values[:, None] - edges).min() > 1e-6
    held = np.histogram(values, edges)[0]
    if d_k > 250:
        assert len(set(held)) == 1
    else:
        assert held.max() == 1
    # Zero is an edge or the middle of a bin.
    width = edges[1] - edges[0]
    assert (2 * edges[0] / width) % 1 == pytest.approx(0, abs=1e-9)
    assert min(-edges[0], edges[-1]) > 3.5 * 4 * math.sqrt(d_k)


def test_a_width_does_not_depend_on_the_others(backend):
    together = run(Params((64, 3, 16, 3)), backend=backend)
    assert [width.d_k for width in together.widths] == [3, 16, 64]
    alone = only(Params((16,)), backend)
    assert together.widths[1].deviation == alone.deviation
    assert alone.deviation != only(Params((16,), seed=2), backend).deviation


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_blocks_leave_no_trace(monkeypatch, distribution):
    params = Params((37,), 500, distribution, correlation=0.2)
    whole = drawn(params)
    monkeypatch.setattr(variance, "BLOCK", 37 * 64)
    parts = drawn(params)
    np.testing.assert_array_equal(parts[0], whole[0])
    np.testing.assert_array_equal(parts[1], whole[1])
    assert parts[2].widths[0].deviation == pytest.approx(whole[2].widths[0].deviation, rel=1e-12)


def test_both_backends_draw_the_same():
    params = Params((2, 300), 400, "laplace", mean=1.0)
    exact, found = (run(params, backend=require_backend(name)) for name in ("numpy", "mlx"))
    for one, other in zip(exact.widths, found.widths, strict=True):
        assert other.mean == pytest.approx(one.mean, rel=1e-5)
        assert other.deviation == pytest.approx(one.deviation, rel=1e-4)


@pytest.mark.parametrize("d_k", [1, 4096])
def test_memory_is_bounded_by_blocks(d_k):
    params = Params((d_k,), 200_000 if d_k == 1 else 1_000)
    run(params, backend="numpy")
    tracemalloc.start()
    try:
        run(params, backend="numpy")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Whole, q and k would take 64 MB at d_k 4,096; a dot product is one number, kept some times.
    assert peak < 5_000_000 + 100 * params.samples


def test_progress_rises_to_1(backend):
    seen: list[float] = []
    run(Params((1, 8, 512), 500), backend=backend, progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert (seen[0] > 0, seen[-1]) == (True, 1.0)
    assert seen[0] < 0.01  # by numbers drawn, not by widths


def test_a_screen_is_not_told_of_every_block(monkeypatch):
    monkeypatch.setattr(variance, "BLOCK", 32)
    seen: list[float] = []
    run(Params((1, 2), 64_000), backend="numpy", progress=seen.append)
    assert 900 < len(seen) <= 1_001
    assert seen[-1] == 1.0


def test_what_listens_to_progress_can_end_it(backend):
    def stop(_):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        run(Params((1, 8), 500), backend=backend, progress=stop)


def test_a_result_says_where_it_was_computed(backend):
    result = run(Params((2,), 10), backend=backend)
    assert (result.backend_name, result.precision) == (backend.name, backend.precision)
    assert result.seconds > 0
    (width,) = result.widths
    for array in (width.edges, width.counts):
        assert not array.flags.writeable


REFUSED: list[tuple[dict[str, Any], type[EngineError], str]] = [
    ({"samples": 0}, OptionError, "N must be a whole number from 2 to 1000000, got 0"),
    ({"samples": 1}, OptionError, "N must be a whole number from 2 to 1000000, got 1"),
    ({"samples": 2.5}, OptionError, "N must be a whole number .* got 2.5"),
    ({"samples": 1_000_001}, OptionError, "N must be a whole number .* got 1000001"),
    ({"samples": "9" * 300}, OptionError, "N must be a whole number .* got 9{20}…"),
    ({"d_ks": (0,)}, OptionError, "d_k must be a whole number from 1 to 4096, got 0"),
    ({"d_ks": (4, -2)}, OptionError, "d_k must be .* got -2"),
    ({"d_ks": (4, 4097)}, OptionError, "d_k must be .* got 4097"),
    ({"d_ks": (2.5,)}, OptionError, "d_k must be .* got 2.5"),
    ({"d_ks": ("8",)}, OptionError, "d_k must be .* got 8"),
    ({"d_ks": (True,)}, OptionError, "d_k must be .* got True"),
    ({"d_ks": ()}, OptionError, "from 1 to 16 different values of d_k at a time, got 0"),
    ({"d_ks": tuple(range(1, 18))}, OptionError, "from 1 to 16 different values .* got 17"),
    ({"d_ks": tuple(range(1, 4097)) * 3}, OptionError, "from 1 to 16 different .* got 4096"),
    ({"distribution": "cauchy"}, OptionError, "must be one of normal, uniform, .* got cauchy"),
    ({"sigma": 0}, NumberError, "standard deviation must be .* from 0.01 to 100, got 0"),
    ({"sigma": -1.0}, NumberError, "standard deviation must be .* got -1"),
    ({"sigma": math.nan}, NumberError, "standard deviation must be .* got nan"),
    ({"sigma": math.inf}, NumberError, "standard deviation must be .* got inf"),
    ({"mean": math.nan}, NumberError, "mean must be a number from -10 to 10, got nan"),
    ({"mean": 1e9}, NumberError, "mean must be a number from -10 to 10, got 1000000000"),
    ({"correlation": 1}, NumberError, "correlation must be a number from 0 to 0.99, got 1"),
    ({"correlation": -0.1}, NumberError, "correlation must be .* got -0.1"),
    ({"correlation": "0.5"}, NumberError, "correlation must be .* got 0.5"),
    ({"seed": -1}, OptionError, "seed must be a whole number from 0 to 999999, got -1"),
    (
        {"d_ks": (2048, 4096, 4095), "samples": 1_000_000},
        OptionError,
        "needs 2e.10 random numbers, and at most 2e.10 are drawn; take N = 976657 or less",
    ),
]


@pytest.mark.parametrize(("change", "error", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(change, error, message):
    with pytest.raises(error, match=message) as caught:
        run(replace(Params(), **change), backend="numpy")
    assert len(str(caught.value)) < 160


def test_the_remedy_for_too_many_numbers_works(monkeypatch):
    monkeypatch.setattr(variance, "MOST_NUMBERS", 10_000)
    params = Params((3, 7), 5_000)
    with pytest.raises(OptionError, match="take N = 500 or less"):
        run(params, backend="numpy")
    run(replace(params, samples=500), backend="numpy")
    with pytest.raises(OptionError):
        run(replace(params, samples=501), backend="numpy")


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (3, 3), (2, 8), (5, 13), (64, 32)])
def test_signs_are_the_bits_of_the_stream_and_the_next_ones_follow(shape):
    random, vectors = np.random.default_rng(3), np.zeros(shape)
    octets = np.random.default_rng(3)
    for _ in range(2):
        components.fill(vectors, random, "rademacher")
        size = vectors.size
        bits = "".join(f"{octet:08b}" for octet in octets.bytes(math.ceil(size / 8)))[:size]
        assert vectors.ravel().tolist() == [1.0 if bit == "1" else -1.0 for bit in bits]

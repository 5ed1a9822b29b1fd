"""Saturation: every rule against loops over the scores drawn, and against another way to draw them.

Statistical bounds are six standard errors wide: right code fails one on fewer than one seed in a
million.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import NumberError, OptionError, get_backend
from engine.experiments.scaling import saturation
from engine.experiments.scaling.saturation import (
    RULES,
    TABLE,
    SaturationParams,
    measure_saturation,
    pair_of,
)
from tests import gradient_oracles, oracles

SURE = 6  # standard errors that chance does not reach
DIVISOR = {
    "unscaled": lambda *_: 1.0,
    "sqrt": lambda d_k, _: math.sqrt(d_k),
    "linear": lambda d_k, _: d_k,
    "own": lambda d_k, exponent: d_k**exponent,
}
NEAR = {"float64": 1e-11, "float32": 2e-4}  # scores to some hundred err by a hundred roundings


class Recorder:
    """A backend that keeps what it was given."""

    def __init__(self, name):
        self._backend = get_backend(name)
        self.name, self.precision = self._backend.name, self._backend.precision
        self.drawn: list[tuple[np.ndarray, np.ndarray]] = []

    def run(self, compute, q, k, **static):
        self.drawn.append((q, k))
        return self._backend.run(compute, q, k, **static)

    def rows(self, d_k, samples):
        """Return the raw scores (N, S) of one width, one dot product at a time."""
        scores = [
            [math.fsum(query * key) for key in keys]
            for q, k in self.drawn
            if q.shape[-1] == d_k
            for queries, keys in zip(q, k, strict=True)
            for query in queries
        ]
        return np.array(scores[:samples])


def measured_by_loops(scores, divisor):
    """Return the largest weight, effective keys and norm of the Jacobian of each row."""
    rows = [np.array(oracles.softmax_row(list(row / divisor))) for row in scores]
    return np.array(
        [
            (row.max(), gradient_oracles.effective_keys(row), gradient_oracles.jacobian_norm(row))
            for row in rows
        ]
    )


@given(
    d_k=st.integers(1, 30),
    keys=st.integers(2, 6),
    samples=st.integers(2, 70),
    exponent=st.sampled_from([0, 0.25, 1.3, 2.0]),
    seed=st.integers(0, 999_999),
)
@example(d_k=3, keys=2, samples=37, exponent=0.5, seed=1)
@settings(max_examples=6)
def test_every_rule_is_that_of_the_loops(backend, monkeypatch, d_k, keys, samples, exponent, seed):
    monkeypatch.setattr(saturation, "TABLE", (16,))
    recorder: Any = Recorder(backend.name)
    params = SaturationParams((d_k,), keys, samples, exponent, seed)
    result = measure_saturation(params, backend=recorder)
    assert result.d_ks == tuple(sorted({16, d_k}))
    assert set(result.found) == {(width, rule) for width in result.d_ks for rule in RULES}
    near = NEAR[backend.precision]
    for width in result.d_ks:
        scores = recorder.rows(width, samples)
        assert scores.shape == (samples, keys)
        np.testing.assert_allclose(result.row_scores[width], scores[0], rtol=near, atol=near)
        for rule in RULES:
            found = result.found[width, rule]
            assert (found.d_k, found.rule) == (width, rule)
            expected = measured_by_loops(scores, DIVISOR[rule](width, exponent))
            means = expected.mean(axis=0)
            assert [found.largest, found.effective, found.jacobian] == pytest.approx(
                means.tolist(), rel=near, abs=near
            )
            clear = np.abs(expected[:, 0] - 0.99) > near
            if clear.all():
                assert found.saturated == pytest.approx((expected[:, 0] > 0.99).mean())


def row_statistics(weights):
    """Return largest weight, effective keys, whether above 0.99, and the norm, (4, N)."""
    logs = np.log(np.maximum(weights, 1e-300))
    squares = weights**2
    off = squares.sum(axis=1) ** 2 - (squares**2).sum(axis=1)
    on = (squares * (1 - weights) ** 2).sum(axis=1)
    largest = weights.max(axis=1)
    return np.stack(
        [largest, np.exp(-(weights * logs).sum(axis=1)), largest > 0.99, np.sqrt(on + off)]
    )


def drawn_another_way(d_k, divisor, keys=16, rows=20_000):
    """Return means and standard errors of rows with keys of their own.

    Given a query, the scores are independent and normal with its length for a deviation; its
    squared length is chi squared with d_k degrees of freedom.
    """
    random = np.random.default_rng([d_k, keys, 12_345])
    lengths = np.sqrt(random.chisquare(d_k, size=(rows, 1)))
    scores = lengths * random.standard_normal((rows, keys)) / divisor
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    found = row_statistics(exponentials / exponentials.sum(axis=1, keepdims=True))
    return found.mean(axis=1), found.std(axis=1) / math.sqrt(rows)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_measured_is_what_another_way_to_draw_gives(seed):
    params = SaturationParams(TABLE, samples=1_000, seed=seed, exponent=0.3)
    result = measure_saturation(params, backend="numpy")
    for (d_k, rule), found in result.found.items():
        expected, errors = drawn_another_way(d_k, DIVISOR[rule](d_k, 0.3))
        # Sixteen queries share their keys, so that 1,000 rows may tell as little as 63.
        share_error = math.sqrt(max(expected[2] * (1 - expected[2]), 1e-4) / 63)
        own = (found.largest_error, found.effective_error, share_error, found.jacobian_error)
        values = (found.largest, found.effective, found.saturated, found.jacobian)
        for value, center, error, other in zip(values, expected, own, errors, strict=True):
            assert value == pytest.approx(center, abs=SURE * math.hypot(error, other)), (d_k, rule)


# Section 2.5 beside numbers: largest weight, effective keys, share of rows above 0.99.
PUBLISHED = {
    16: (0.69, 2.8, 0.06),
    64: (0.85, 1.6, 0.30),
    256: (0.92, 1.3, 0.56),
    1024: (0.97, 1.1, 0.79),
}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_rows_of_the_table(seed):
    result = measure_saturation(SaturationParams(TABLE, seed=seed), backend="numpy")
    for d_k, (largest, effective, saturated) in PUBLISHED.items():
        found = result.found[d_k, "unscaled"]
        # The numbers were rounded, and measured on rows of their own.
        assert found.largest == pytest.approx(largest, abs=0.005 + SURE * found.largest_error)
        assert found.effective == pytest.approx(effective, abs=0.05 + SURE * found.effective_error)
        assert found.saturated == pytest.approx(saturated, abs=0.1)
        scaled = result.found[d_k, "sqrt"]
        assert scaled.largest == pytest.approx(0.245, abs=0.0005 + SURE * scaled.largest_error)
        assert scaled.effective == pytest.approx(10.7, abs=0.15 + SURE * scaled.effective_error)
        assert scaled.saturated == 0
        assert scaled.jacobian == pytest.approx(0.305, abs=0.005 + SURE * scaled.jacobian_error)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_jacobian_falls_unless_scaled(backend, seed):
    result = measure_saturation(SaturationParams(TABLE, seed=seed), backend=backend)
    norms = [result.found[d_k, "unscaled"].jacobian for d_k in TABLE]
    assert norms == sorted(norms, reverse=True)
    assert norms[-1] < norms[0] / 3
    scaled = [result.found[d_k, "sqrt"].jacobian for d_k in TABLE]
    assert max(scaled) - min(scaled) < 0.01


def test_dividing_by_all_of_d_k_tends_to_the_plain_mean():
    found = measure_saturation(SaturationParams((4096,)), backend="numpy").found[4096, "linear"]
    assert found.largest == pytest.approx(1 / 16, abs=0.003)
    assert found.effective == pytest.approx(16, abs=0.01)
    # diag(1/S) - 1/S^2 has the norm sqrt(S - 1) / S.
    assert found.jacobian == pytest.approx(math.sqrt(15) / 16, abs=1e-4)


@pytest.mark.parametrize(("exponent", "rule"), [(0, "unscaled"), (0.5, "sqrt"), (1, "linear")])
def test_the_persons_own_rule_meets_the_others(backend, exponent, rule):
    params = SaturationParams((2,), samples=50, exponent=exponent)
    result = measure_saturation(params, backend=backend)
    for d_k in result.d_ks:
        assert replace(result.found[d_k, "own"], rule=rule) == result.found[d_k, rule]


@pytest.mark.parametrize("samples", [40, 300])
def test_the_standard_error_is_how_far_means_stray(monkeypatch, samples):
    monkeypatch.setattr(saturation, "TABLE", (16,))
    runs = 150
    found = [
        measure_saturation(
            SaturationParams((16,), samples=samples, seed=seed), backend="numpy"
        ).found
        for seed in range(runs)
    ]
    for rule in ("unscaled", "sqrt"):
        for name in ("largest", "effective", "jacobian"):
            means = [getattr(each[16, rule], name) for each in found]
            errors = [getattr(each[16, rule], f"{name}_error") for each in found]
            typical = math.sqrt(np.mean(np.square(errors)))
            # Means of few sets are not quite normal.
            assert np.std(means, ddof=1) == pytest.approx(
                typical, rel=0.1 + SURE / math.sqrt(2 * runs)
            )


@pytest.mark.parametrize(
    ("samples", "sets", "sharing"),
    [(2, 2, 1), (31, 31, 1), (32, 16, 2), (256, 16, 16), (1_000, 63, 16)],
)
def test_few_rows_have_keys_of_their_own(monkeypatch, samples, sets, sharing):
    monkeypatch.setattr(saturation, "TABLE", (1,))
    recorder: Any = Recorder("numpy")
    result = measure_saturation(SaturationParams((1,), samples=samples), backend=recorder)
    shapes = [(q.shape, k.shape) for q, k in recorder.drawn]
    assert shapes == [((sets, sharing, 1), (sets, 16, 1))]
    assert result.found[1, "sqrt"].largest_error > 0


def test_queries_and_keys_are_independent_and_standard_normal(monkeypatch):
    monkeypatch.setattr(saturation, "TABLE", (8,))
    recorder: Any = Recorder("numpy")
    measure_saturation(SaturationParams((8,), samples=10_000), backend=recorder)
    for part in (0, 1):
        numbers = np.concatenate([each[part].reshape(-1, 8) for each in recorder.drawn])
        error = SURE / math.sqrt(len(numbers))
        np.testing.assert_allclose(numbers.mean(axis=0), 0, atol=error)
        np.testing.assert_allclose(np.cov(numbers.T), np.eye(8), atol=math.sqrt(2) * error)
        assert (numbers**4).mean() == pytest.approx(3, abs=SURE * math.sqrt(96 / numbers.size))
    first = [each[:, 0] for q, k in recorder.drawn for each in (q, k)]
    q, k = np.concatenate(first[::2]), np.concatenate(first[1::2])
    assert abs((q * k).mean()) < SURE / math.sqrt(q.size)


def test_blocks_leave_no_trace(monkeypatch, backend):
    params = SaturationParams((5, 700), samples=90, keys=7)
    whole = measure_saturation(params, backend=backend)
    monkeypatch.setattr(saturation, "BLOCK", 7 * 700 * 3)
    recorder: Any = Recorder(backend.name)
    parts = measure_saturation(params, backend=recorder)
    assert max(k.size for _, k in recorder.drawn if k.shape[-1] == 700) <= 7 * 700 * 3
    for place, found in parts.found.items():
        assert found.largest == pytest.approx(whole.found[place].largest, rel=1e-5)
        assert found.jacobian == pytest.approx(whole.found[place].jacobian, rel=1e-4)
    np.testing.assert_allclose(parts.row_scores[5], whole.row_scores[5], rtol=1e-5)


def test_a_width_does_not_depend_on_the_others(backend):
    few = measure_saturation(SaturationParams((3,), samples=30), backend=backend)
    many = measure_saturation(SaturationParams((8, 3, 3, 64), samples=30), backend=backend)
    assert few.d_ks == (3, 16, 64, 256, 1024)
    assert many.d_ks == (3, 8, 16, 64, 256, 1024)
    assert all(many.found[place] == found for place, found in few.found.items())


def test_a_result_says_where_it_was_computed(backend):
    result = measure_saturation(SaturationParams((2,), samples=2), backend=backend)
    assert (result.backend_name, result.precision) == (backend.name, backend.precision)
    assert result.seconds > 0
    assert not result.row_scores[2].flags.writeable
    assert result.row_scores[2].dtype == np.float64


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"keys": 1}, OptionError, "S must be a whole number from 2 to 1024, got 1"),
        ({"keys": 1025}, OptionError, "S must be .* got 1025"),
        ({"samples": 1}, OptionError, "N must be a whole number from 2 to 10000, got 1"),
        ({"samples": 0}, OptionError, "N must be .* got 0"),
        ({"samples": 99.5}, OptionError, "N must be .* got 99.5"),
        ({"exponent": -0.1}, NumberError, "exponent of d_k must be a number from 0 to 2, got -0.1"),
        ({"exponent": math.nan}, NumberError, "exponent of d_k must be .* got nan"),
        ({"exponent": "1"}, NumberError, "exponent of d_k must be .* got 1"),
        ({"seed": 10**7}, OptionError, "seed must be .* got 10000000"),
        ({"d_ks": (0,)}, OptionError, "d_k must be a whole number from 1 to 4096, got 0"),
        ({"d_ks": ()}, OptionError, "from 1 to 16 different values of d_k"),
        ({"d_ks": tuple(range(1, 5000))}, OptionError, "d_k must be .* got 4097"),
        (
            {"d_ks": (2048, 4096), "keys": 1024, "samples": 10_000},
            OptionError,
            "needs 4.9e.09 random numbers, and at most 5e.08 are drawn; take fewer queries",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(change, error, message):
    with pytest.raises(error, match=message) as caught:
        measure_saturation(replace(SaturationParams(), **change), backend="numpy")
    assert len(str(caught.value)) < 160


def pair_exactly(scores, temperature):
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, 10**9, -(10**9)
        x = (Decimal(scores[0]) - Decimal(scores[1])) / Decimal(temperature)
        return [float(1 / (1 + (-x).exp())), float(1 / (1 + x.exp()))]


def test_the_example_that_anyone_can_check():
    assert pair_of().weights == pytest.approx([0.73106, 0.26894], abs=5e-6)
    large = pair_of((50, 40)).weights
    assert large == pytest.approx([0.9999546, 0.0000454], abs=5e-8)
    np.testing.assert_array_equal(pair_of((50, 40), 10).weights, pair_of((5, 4), 1).weights)


@given(
    first=st.floats(-1e6, 1e6),
    second=st.floats(-1e6, 1e6),
    temperature=st.floats(0.1, 20),
)
@example(first=1e6, second=-1e6, temperature=0.1)
@example(first=7.0, second=7.0, temperature=3.0)
@settings(max_examples=60)
def test_a_pair_is_its_closed_form(first, second, temperature):
    pair = pair_of((first, second), temperature)
    # A difference of size x errs by some x eps, and the smaller weight by as much relatively.
    near = 1e-14 + 1e-15 * min(abs(first - second) / temperature, 1e4)
    exact = pair_exactly((first, second), temperature)
    np.testing.assert_allclose(pair.weights, exact, rtol=near, atol=1e-307)
    product = exact[0] * exact[1]
    expected = [[product, -product], [-product, product]]
    np.testing.assert_allclose(pair.jacobian, expected, rtol=2 * near + 1e-14, atol=1e-307)


def test_the_curve_of_a_pair_runs_over_all_temperatures():
    pair = pair_of((5, 4), 2.0)
    assert (pair.temperatures[0], pair.temperatures[-1]) == (0.1, 20)
    assert (np.diff(pair.temperatures) > 0).all()
    assert pair.curve.shape == (len(pair.temperatures), 2)
    for temperature, weights in zip(pair.temperatures, pair.curve, strict=True):
        np.testing.assert_allclose(weights, pair_exactly((5, 4), float(temperature)), rtol=1e-13)
    assert not pair.curve.flags.writeable


@pytest.mark.parametrize(
    ("scores", "temperature", "message"),
    [
        ((math.nan, 4), 1, "A score must be a number from -1000000 to 1000000, got nan"),
        ((5, math.inf), 1, "A score must be .* got inf"),
        ((5, -1e7), 1, "A score must be .* got -10000000"),
        ((5, "4"), 1, "A score must be .* got 4"),
        ((5, 4), 0, "The temperature must be a number from 0.1 to 20, got 0"),
        ((5, 4), math.nan, "The temperature must be .* got nan"),
        ((5, 4), 20.5, "The temperature must be .* got 20.5"),
    ],
)
def test_a_pair_that_is_none_is_refused(scores, temperature, message):
    with pytest.raises(NumberError, match=message):
        pair_of(scores, temperature)

"""The gradient that reaches queries, keys and projections, against differences of the output."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine import OptionError
from engine.experiments.scaling.reach import NAMES, ReachParams, draws, measure_reach
from tests import gradient_oracles, oracles

PARAMS = ReachParams(d_ks=(3,), T=4, repeats=2, seed=5)
NEAR = {"float64": 1e-7, "float32": 1e-4}  # difference quotients err by about 1e-9


def sizes_by_differences(drawn, scale):
    """Return the root mean square of every gradient of one draw."""
    x, w_q, w_k, w_v, d_output = drawn
    trace = oracles.trace(x, w_q, w_k, w_v, scale=scale)
    mask = np.ones((len(x), len(x)), dtype=bool)
    inputs = (trace["q"], trace["k"], trace["v"])
    by_input = gradient_oracles.complex_steps(*inputs, d_output, mask, scale)
    gradients = dict(zip(("q", "k", "v"), by_input, strict=True))
    for name in ("q", "k", "v"):
        gradients[f"w_{name}"] = oracles.project(x.T, gradients[name])
    gradients["scores"] = scores_gradient(trace, d_output, scale)
    return {name: math.sqrt((each**2).mean()) for name, each in gradients.items()}


def scores_gradient(trace, d_output, scale):
    """Return the gradient by the scores before scaling, from two losses each."""
    scores, step = trace["scores"], 1e-5
    gradient = np.zeros(scores.shape)
    for i, j in np.ndindex(*scores.shape):
        losses = []
        for sign in (1, -1):
            row = scores[i].copy()
            row[j] += sign * step
            weights = oracles.softmax_row((scale * row).tolist())
            losses.append(float(d_output[i] @ (np.array(weights) @ trace["v"])))
        gradient[i, j] = (losses[0] - losses[1]) / (2 * step)
    return gradient


@pytest.mark.parametrize("scaled", [True, False])
def test_sizes_are_those_of_difference_quotients(backend, scaled):
    found = measure_reach(PARAMS, backend=backend).found[3, scaled]
    scale = 1 / math.sqrt(3) if scaled else 1.0
    one, other = (sizes_by_differences(drawn, scale) for drawn in draws(PARAMS, 3))
    assert (found.d_k, found.scaled) == (3, scaled)
    assert set(found.sizes) == set(one) == set(NAMES)
    for name, (mean, error) in found.sizes.items():
        near = NEAR[backend.precision]
        assert mean == pytest.approx((one[name] + other[name]) / 2, rel=near)
        # Of two values: their deviation is |a - b| / sqrt(2), and of the mean 1 / sqrt(2) of it.
        size = max(one[name], other[name])
        assert error == pytest.approx(abs(one[name] - other[name]) / 2, abs=near * size)


def test_a_ratio_is_that_of_the_means_with_the_error_of_paired_draws(backend):
    params = ReachParams(d_ks=(3, 16), T=4, repeats=40, seed=2)
    result = measure_reach(params, backend=backend)
    assert set(result.ratios) == {3, 16}
    singles = [
        measure_reach(replace(params, d_ks=(16,), repeats=2, seed=seed), backend=backend)
        for seed in range(3)
    ]
    for found in (result, *singles):
        for name, (ratio, _) in found.ratios[16].items():
            unscaled, scaled = (found.found[16, way].sizes[name][0] for way in (False, True))
            assert ratio == pytest.approx(unscaled / scaled)


def test_the_error_of_a_ratio_is_how_far_it_strays():
    found = [
        measure_reach(ReachParams(d_ks=(8,), T=6, repeats=20, seed=seed), backend="numpy")
        for seed in range(120)
    ]
    for name in ("w_q", "q"):
        ratios, errors = zip(*(each.ratios[8][name] for each in found), strict=True)
        # The spread of 120 values is known to a fifteenth of itself; six of those at most.
        assert np.std(ratios) == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.35)
        independent = [
            each.ratios[8][name][0]
            * math.hypot(*(error / mean for mean, error in
                           (each.found[8, way].sizes[name] for way in (False, True))))
            for each in found
        ]  # fmt: skip
        # Both ways see the same draws: taken as independent, the error would be too large.
        assert np.mean(errors) < np.mean(independent)


def test_at_width_one_the_ratio_is_exactly_one():
    result = measure_reach(replace(PARAMS, d_ks=(1,)), backend="numpy")
    for name in NAMES:
        assert result.ratios[1][name] == pytest.approx((1.0, 0.0), abs=1e-12)


def test_weights_and_their_jacobians_are_those_of_the_first_draw_at_the_largest_width(backend):
    params = replace(PARAMS, d_ks=(5, 2))
    result = measure_reach(params, backend=backend)
    x, w_q, w_k, w_v, _ = next(draws(params, 5))
    for scaled in (True, False):
        trace = oracles.trace(x, w_q, w_k, w_v, scale=None if scaled else 1.0)
        near = 10 * NEAR[backend.precision]
        np.testing.assert_allclose(result.weights[scaled], trace["weights"], atol=near)
        for row, weights in enumerate(trace["weights"], 1):
            expected = np.array(gradient_oracles.jacobian(weights), dtype=float)
            np.testing.assert_allclose(result.jacobian(scaled, row), expected, atol=near)
        assert result.weights[scaled].dtype == np.float64
        assert not result.weights[scaled].flags.writeable


@pytest.mark.parametrize("scaled", [True, False])
def test_the_norm_is_the_mean_over_rows_with_the_error_of_independent_draws(backend, scaled):
    found = measure_reach(PARAMS, backend=backend).found[3, scaled].norm
    means = []
    for x, w_q, w_k, w_v, _ in draws(PARAMS, 3):
        weights = oracles.trace(x, w_q, w_k, w_v, scale=None if scaled else 1.0)["weights"]
        jacobians = (np.array(gradient_oracles.jacobian(row), dtype=float) for row in weights)
        means.append(np.mean([np.linalg.norm(each) for each in jacobians]))
    near = NEAR[backend.precision]
    assert found == pytest.approx((np.mean(means), abs(means[0] - means[1]) / 2), abs=near)


def test_a_width_is_the_same_whatever_the_others_are(backend):
    many = measure_reach(replace(PARAMS, d_ks=(16, 4, 16)), backend=backend)
    alone = measure_reach(replace(PARAMS, d_ks=(4,)), backend=backend)
    assert list(many.found) == [(4, True), (4, False), (16, True), (16, False)]
    assert {way: many.found[way] for way in alone.found} == alone.found
    assert (many.backend_name, many.precision) == (backend.name, backend.precision)


def test_at_width_one_scaling_changes_nothing(backend):
    found = measure_reach(replace(PARAMS, d_ks=(1,)), backend=backend).found
    assert found[1, True].sizes == found[1, False].sizes


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_more_gradient_reaches_w_q_without_scaling_and_the_more_so_the_wider(seed):
    found = measure_reach(ReachParams(d_ks=(4, 256), seed=seed), backend="numpy").found
    ratios = {}
    for d_k in (4, 256):
        scaled, unscaled = (found[d_k, way].sizes["w_q"] for way in (True, False))
        ratios[d_k] = unscaled[0] / scaled[0]
    assert unscaled[0] - scaled[0] > 3 * math.hypot(unscaled[1], scaled[1])  # at 256
    # Less than the missing factor sqrt(d_k) itself, since saturation takes some of it back.
    assert 1 < ratios[4] < ratios[256] < 16


def test_results_repeat_and_follow_the_seed():
    first, again = (measure_reach(PARAMS, backend="numpy").found for _ in range(2))
    assert first == again
    assert measure_reach(replace(PARAMS, seed=6), backend="numpy").found != first


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"d_ks": ()}, "Choose from 1 to 16 different values of d_k at a time, got 0."),
        ({"d_ks": (0,)}, "d_k must be a whole number from 1 to 1024, got 0."),
        ({"d_ks": (4, 1025)}, "d_k must be a whole number from 1 to 1024, got 1025."),
        ({"T": 1}, "T must be a whole number from 2 to 64, got 1."),
        ({"T": 65}, "T must be a whole number from 2 to 64, got 65."),
        ({"repeats": 1}, "repeats must be a whole number from 2 to 50, got 1."),
        ({"repeats": 51}, "repeats must be a whole number from 2 to 50, got 51."),
        ({"repeats": 2.0}, "repeats must be a whole number from 2 to 50, got 2.0."),
        ({"seed": -1}, "The seed must be a whole number from 0 to 999999, got -1."),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(change, sentence):
    with pytest.raises(OptionError) as refused:
        measure_reach(replace(PARAMS, **change))
    assert str(refused.value) == sentence

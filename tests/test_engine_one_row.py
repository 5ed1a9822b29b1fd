"""One row of weights at many factors, beside softmax written as a loop."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import NumberError, OptionError
from engine.experiments.one_row import LARGEST_FACTOR, one_row, weights_at
from engine.experiments.presets import random_example, textbook, three_scores
from engine.experiments.worked_example import Params, run
from tests.oracles import softmax_row
from tests.tolerances import assert_close
from tests.worked_examples import examples

FACTORS = st.lists(st.floats(0, 50), min_size=1, max_size=6)
SCORES = st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=12)


def expected(scores, visible, factor):
    """Return softmax(factor * scores) over the visible keys, one key at a time."""
    multiplied = [
        factor * float(score) if seen else -math.inf
        for score, seen in zip(scores, visible, strict=True)
    ]
    return softmax_row(multiplied)


def visible_keys(result, row):
    T, S = result.sizes.T, result.sizes.S
    return [not result.params.causal or key <= row + S - T for key in range(S)]


@given(params=examples(), row=st.integers(0, 4), factors=FACTORS)
def test_every_weight_is_that_of_the_loop(backend, params, row, factors):
    result = run(params, backend=backend)
    row %= result.sizes.T
    found = one_row(result, row, factors=factors)
    scores, visible = result.trace.scores[row], visible_keys(result, row)
    assert found.factors.tolist() == sorted(factors)
    assert found.visible.tolist() == visible
    for factor, weights in zip(found.factors.tolist(), found.weights, strict=True):
        np.testing.assert_allclose(
            weights, expected(scores, visible, factor), rtol=1e-9, atol=1e-12
        )


@given(params=examples(), row=st.integers(0, 4))
def test_the_two_that_are_named_are_those_of_the_trace(backend, params, row):
    on = run(replace(params, scaled=True), backend=backend)
    off = run(replace(params, scaled=False), backend=backend)
    row %= on.sizes.T
    largest = float(np.abs(on.trace.scores).max())
    for either in (on, off):
        found = one_row(either, row)
        assert found.factor_scaled == pytest.approx(1 / math.sqrt(on.sizes.d_k))
        assert_close(found.scaled, on.trace.weights[row], on.precision, scores=largest)
        assert_close(found.unscaled, off.trace.weights[row], on.precision, scores=largest)


@given(params=examples(), row=st.integers(0, 4))
def test_a_hidden_key_has_exactly_nothing_and_the_rest_shares_one(params, row):
    result = run(params, backend="numpy")
    row %= result.sizes.T
    found = one_row(result, row)
    assert np.all(found.weights[:, ~found.visible] == 0)
    assert np.all(found.weights >= 0)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1, rtol=1e-12)


@given(SCORES, FACTORS)
def test_large_scores_neither_overflow_nor_turn_into_nothing(scores, factors):
    visible = np.ones(len(scores), dtype=bool)
    found = weights_at(np.array(scores), visible, np.array(factors))
    for factor, weights in zip(factors, found, strict=True):
        np.testing.assert_allclose(
            weights, expected(scores, visible, factor), rtol=1e-6, atol=1e-10
        )


@pytest.mark.parametrize("largest", [1e300, np.finfo(float).max])
def test_scores_that_lie_further_apart_than_a_float_holds(largest):
    found = weights_at(
        np.array([largest, -largest]), np.array([True, True]), np.array([0, 1e-300, 2])
    )
    np.testing.assert_array_equal(found[0], [0.5, 0.5])
    np.testing.assert_array_equal(found[2], [1, 0])
    assert np.isfinite(found).all()


def test_a_row_without_keys_is_all_zeros():
    found = weights_at(np.array([1.0, 2.0]), np.zeros(2, dtype=bool), np.array([0.0, 1.0]))
    np.testing.assert_array_equal(found, np.zeros((2, 2)))


def test_no_factor_shares_equally_and_a_large_one_gives_everything_to_the_largest_score():
    result = run(textbook(), backend="numpy")
    found = one_row(result, 0, factors=[0, 1e6])
    np.testing.assert_allclose(found.weights[0], 0.25, rtol=1e-15)
    assert found.weights[1].tolist() == [0, 1, 0, 0]
    assert found.effective.tolist() == pytest.approx([4, 1])


def test_three_scores_as_the_text_prints_them():
    """2.1, 0.4 and -0.3, worked out here with exponentials alone."""
    result = run(three_scores(), backend="numpy")
    scores = result.trace.scores[0].tolist()
    found = one_row(result, 0, factors=[1])
    exponentials = [math.exp(score) for score in scores]
    np.testing.assert_allclose(
        found.weights[0], [each / sum(exponentials) for each in exponentials], rtol=1e-12
    )


@given(params=examples(), row=st.integers(0, 4))
def test_more_factor_never_means_more_effective_keys(params, row):
    result = run(params, backend="numpy")
    found = one_row(result, row % result.sizes.T)
    assert np.all(np.diff(found.effective) <= 1e-9)
    assert found.effective[0] == pytest.approx(found.visible.sum())
    assert found.effective_scaled >= found.effective_unscaled - 1e-9


@given(params=examples(), row=st.integers(0, 4))
@settings(max_examples=20)
def test_the_usual_factors_rise_from_0_and_hold_the_two_that_are_named(params, row):
    result = run(params, backend="numpy")
    found = one_row(result, row % result.sizes.T)
    assert found.factors[0] == 0
    assert found.factors[-1] == LARGEST_FACTOR
    assert np.all(np.diff(found.factors) > 0)
    assert found.factor_scaled in found.factors
    assert 1.0 in found.factors


def test_a_row_that_turns_at_once_is_sampled_where_it_turns():
    params = random_example(0, 3, 4, 2, 2)
    huge = replace(params, x=tuple(tuple(1e3 * v for v in row) for row in params.x))
    found = one_row(run(huge, backend="numpy"), 0)
    largest = found.weights.max(axis=1)
    assert ((largest > 0.4) & (largest < 0.99)).sum() >= 8


@pytest.mark.parametrize("row", [-1, 4, True, 1.0])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(OptionError, match="from 0 to 3"):
        one_row(run(Params(), backend="numpy"), row)


@pytest.mark.parametrize("factor", [-0.1, math.nan, math.inf])
def test_a_factor_that_is_no_number_of_0_or_more_is_refused(factor):
    with pytest.raises(NumberError, match="0 or more"):
        one_row(run(Params(), backend="numpy"), 0, factors=[1.0, factor])


def example_with_scores(*scores: float) -> Params:
    """Return an example with d_k = 1 whose first query has these scores."""
    x = tuple((score,) for score in (1.0, *scores))
    one = ((1.0,),)
    return Params(x=x, w_q=one, w_k=one, w_v=one, tokens=tuple(f"x{n}" for n in range(len(x))))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6))
def test_straight_lines_between_the_usual_factors_stay_on_the_curve(scores):
    found = one_row(run(example_with_scores(*scores), backend="numpy"), 0)
    between = (found.factors[1:] + found.factors[:-1]) / 2
    exact = one_row(run(example_with_scores(*scores), backend="numpy"), 0, factors=between)
    chords = (found.weights[1:] + found.weights[:-1]) / 2
    assert np.abs(chords - exact.weights).max() < 0.002


@pytest.mark.parametrize(
    ("scores", "leaders"),
    [((2e-8, 4e-8, 3e-8), (0,)), ((1.0, 0.5), (0, 1)), ((5.0, 5.0, 4.0), (1, 2))],
)
def test_the_leaders_are_those_of_the_scores_however_small_their_gaps(scores, leaders):
    assert one_row(run(example_with_scores(*scores), backend="numpy"), 0).leaders == leaders


def test_small_scores_have_one_leader():
    x = tuple(tuple(cell * 1e-4 for cell in row) for row in Params().x)
    result = run(replace(Params(), x=x), backend="numpy")
    assert one_row(result, 0).leaders == (1,)  # scores 2, 4, 3 and 3, times 1e-8
    assert one_row(result, 2).leaders == (0, 1, 2, 3)

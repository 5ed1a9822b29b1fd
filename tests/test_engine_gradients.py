"""Gradients by hand against exact arithmetic, difference quotients and those of MLX itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import NumberError, ShapeError
from engine.attention import softmax
from engine.gradients import (
    attention_backward,
    backward,
    jacobian_norm,
    softmax_backward,
    softmax_jacobian,
)
from tests import gradient_oracles as oracles
from tests.conftest import require_backend

NAMES = ("q", "k", "v")
NEAR = {"float64": 1e-12, "float32": 2e-5}  # of the largest component, some hundred roundings


def softmax_of(scores):
    exponentials = np.exp(np.asarray(scores) - np.max(scores))
    return exponentials / exponentials.sum()


# From even rows to weights that underflow: exp(-745) is the last number above 0.
ROWS = st.lists(st.floats(-760, 0), min_size=1, max_size=6).map(softmax_of)


@given(weights=ROWS)
@example(weights=softmax_of([0, -700]))
@example(weights=softmax_of([0, -40, -40.5]))
@example(weights=softmax_of([0, -0.001, -800]))
@example(weights=np.array([1.0, 0.0, 0.0]))
@example(weights=np.array([1.0]))
@example(weights=np.full(7, 1 / 7))
@settings(max_examples=100)
def test_the_norm_is_accurate_down_to_the_smallest_number(weights):
    expected = oracles.jacobian_norm(weights)
    assert float(jacobian_norm(weights)) == pytest.approx(expected, rel=1e-13, abs=2e-323)


@given(weights=ROWS)
@settings(max_examples=60)
def test_every_entry_of_the_jacobian_is_exact_to_rounding(weights):
    found = softmax_jacobian(weights)
    for row, exact in zip(found, oracles.jacobian(weights), strict=True):
        for entry, value in zip(row, exact, strict=True):
            assert entry == pytest.approx(float(value), rel=1e-13, abs=2e-323)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-15)
    assert not np.signbit(found[found == 0]).any()


def test_the_jacobian_is_the_slope_of_softmax():
    scores = np.random.default_rng(3).normal(size=5)
    found = softmax_jacobian(softmax_of(scores))
    for j in range(5):
        nudge = 1e-6 * np.eye(5)[j]
        slope = (softmax_of(scores + nudge) - softmax_of(scores - nudge)) / 2e-6
        np.testing.assert_allclose(found[:, j], slope, atol=1e-9)


def test_the_closed_form_of_two_keys():
    # Frobenius norm 2 a (1 - a); at (5, 4) a (1 - a) = 1 / (2 + e + 1/e).
    product = 1 / (2 + math.e + 1 / math.e)
    weights = [1 / (1 + math.exp(-1)), 1 / (1 + math.e)]
    np.testing.assert_allclose(
        softmax_jacobian(weights), [[product, -product], [-product, product]]
    )
    assert float(jacobian_norm(weights)) == pytest.approx(2 * product)


def test_equal_weights_give_the_largest_norm_there_is_for_two_keys():
    assert float(jacobian_norm([0.5, 0.5])) == pytest.approx(0.5)


def test_each_row_of_a_stack_is_taken_alone():
    weights = np.random.default_rng(5).dirichlet(np.ones(4), size=(2, 3))
    weights[1, 2] = 0  # may look nowhere
    jacobians, norms = softmax_jacobian(weights), jacobian_norm(weights)
    assert (jacobians.shape, norms.shape) == ((2, 3, 4, 4), (2, 3))
    for place in np.ndindex(2, 3):
        np.testing.assert_array_equal(jacobians[place], softmax_jacobian(weights[place]))
        assert norms[place] == pytest.approx(np.linalg.norm(jacobians[place]))
    assert norms[1, 2] == 0


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("keys", [3, 1024])
def test_weights_of_a_narrow_type_sum_to_1_to_their_own_rounding(dtype, keys):
    weights = np.random.default_rng(1).dirichlet(np.ones(keys)).astype(dtype)
    assert jacobian_norm(weights).dtype == np.float64
    assert softmax_jacobian(weights).shape == (keys, keys)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, 0.6], "must sum to 1, got a sum of 1.1"),
        ([[0.5, 0.5], [0.5, 0.4]], "must sum to 1, got a sum of 0.9"),
        ([1.5, -0.5], "must not be negative, got -0.5"),
        ([math.nan, 1], "finite numbers, got nan"),
    ],
)
@pytest.mark.parametrize("function", [softmax_jacobian, jacobian_norm])
def test_what_are_no_weights_is_refused(function, weights, message):
    with pytest.raises(NumberError, match=message):
        function(weights)


@st.composite
def heads(draw, size=1.5):
    """Inputs of one head with a mask and a scale, and the gradient of its output."""
    T, S, D, E = (draw(st.integers(1, 4)) for _ in range(4))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    q, k, v, d_output = (
        random.uniform(-size, size, shape) for shape in ((T, D), (S, D), (S, E), (T, E))
    )
    mask = random.random((T, S)) < draw(st.sampled_from([0.4, 0.8, 1.0]))
    scale = draw(st.sampled_from([None, 1.0, 0.3, -0.5, 0.0]))
    return {"q": q, "k": k, "v": v, "d_output": d_output, "mask": mask, "scale": scale}


def used_scale(head):
    return 1 / math.sqrt(head["q"].shape[1]) if head["scale"] is None else head["scale"]


def expected_gradients(head, method):
    scale = used_scale(head)
    return method(head["q"], head["k"], head["v"], head["d_output"], head["mask"], scale)


@given(head=heads())
@settings(max_examples=25)
def test_gradients_are_the_central_differences(head):
    found = attention_backward(**head, backend="numpy")
    for name, expected in zip(
        NAMES, expected_gradients(head, oracles.central_differences), strict=True
    ):
        allowed = 1e-6 * np.abs(expected).max() + 1e-9  # which a loss of size 10 errs by
        np.testing.assert_allclose(getattr(found, name), expected, rtol=0, atol=allowed)


@given(head=heads())
@settings(max_examples=25)
def test_gradients_are_exact_to_rounding(backend, head):
    found = attention_backward(**head, backend=backend)
    for name, expected in zip(NAMES, expected_gradients(head, oracles.complex_steps), strict=True):
        gradient = getattr(found, name)
        assert gradient.dtype.name == backend.precision
        near = NEAR[backend.precision] * max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(gradient, expected, rtol=0, atol=near)
    d_weights = head["d_output"] @ head["v"].T
    np.testing.assert_allclose(found.weights, d_weights, atol=10 * NEAR[backend.precision])
    # The gradient by q is that by the scores times k, and no row of it adds to anything.
    np.testing.assert_allclose(found.scores @ head["k"], found.q, atol=10 * NEAR[backend.precision])
    np.testing.assert_allclose(found.scores.sum(axis=-1), 0, atol=10 * NEAR[backend.precision])
    assert not found.scores[~head["mask"]].any()


@given(head=heads(size=30.0))
@settings(max_examples=25)
def test_gradients_stay_exact_where_softmax_is_saturated(head):
    head["scale"] = 1.0
    found = attention_backward(**head, backend="numpy")
    scores = head["q"] @ head["k"].T
    d_weights = head["d_output"] @ head["v"].T
    for i, allowed in enumerate(head["mask"]):
        if not allowed.any():
            assert not found.scores[i].any()
            continue
        expected = oracles.scores_gradient_exactly(scores[i][allowed], d_weights[i][allowed])
        # A score of size s errs by some s eps, and its weight by as much relatively.
        near = 1e-15 * (10 + 4 * np.abs(scores[i]).max())
        for entry, (value, size) in zip(found.scores[i][allowed], expected, strict=True):
            assert entry == pytest.approx(value, rel=0, abs=near * size + 1e-300)


def test_the_largest_weight_has_the_gradient_that_the_others_have_together(backend):
    # In a difference with 1 it would be lost: 1 - e^-60 rounds to 1.
    weights = np.array([[1.0, math.exp(-60), math.exp(-62)]])
    slopes = np.array([[3.0, 1.0, -2.0]])
    found = backend.run(softmax_backward, weights, slopes)[0]
    expected = [2 * math.exp(-60) + 5 * math.exp(-62), -2 * math.exp(-60), -5 * math.exp(-62)]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def automatic(xp: Any, q: Any, k: Any, v: Any, d_output: Any, hidden: Any, *, scale: float) -> Any:
    """Return what MLX differentiates by itself."""

    def loss(q: Any, k: Any, v: Any) -> Any:
        scores = xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale + hidden
        return (xp.matmul(xp.softmax(scores, axis=-1), v) * d_output).sum()

    return list(xp.grad(loss, argnums=(0, 1, 2))(q, k, v))


@given(head=heads())
@settings(max_examples=25)
def test_gradients_are_those_of_automatic_differentiation(head):
    mlx = require_backend("mlx")
    head["mask"][:, 0] = True  # MLX has no gradient of a row that may look nowhere
    hidden = np.where(head["mask"], 0.0, -np.inf)
    inputs = (head["q"], head["k"], head["v"], head["d_output"], hidden)
    expected = mlx.run(automatic, *inputs, scale=used_scale(head))
    found = attention_backward(**head, backend=mlx)
    for name, gradient in zip(NAMES, expected, strict=True):
        near = NEAR["float32"] * max(1.0, np.abs(gradient).max())
        np.testing.assert_allclose(getattr(found, name), gradient, rtol=0, atol=near)


@given(seed=st.integers(0, 2**32 - 1), shared=st.booleans())
@settings(max_examples=15)
def test_leading_axes_are_taken_one_by_one(backend, seed, shared):
    random = np.random.default_rng(seed)
    q, k, v, d_output = (
        random.normal(size=(2, 3, *shape)) for shape in ((4, 2), (5, 2), (5, 3), (4, 3))
    )
    mask = random.random((4, 5) if shared else (2, 1, 4, 5)) < 0.7
    whole = attention_backward(q, k, v, d_output, mask=mask, backend=backend)
    for place in np.ndindex(2, 3):
        own = mask if shared else mask[place[0], 0]
        parts = (q[place], k[place], v[place], d_output[place])
        alone = attention_backward(*parts, mask=own, backend=backend)
        for name in ("q", "k", "v", "scores", "weights"):
            near = 10 * NEAR[backend.precision]
            np.testing.assert_allclose(
                getattr(whole, name)[place], getattr(alone, name), atol=near, err_msg=name
            )


def test_backward_is_the_same_from_weights_that_are_given(backend):
    random = np.random.default_rng(7)
    q, k, v, d_output = (random.normal(size=s) for s in ((4, 2), (5, 2), (5, 3), (4, 3)))

    def compute(xp, q, k, v, d_output):
        weights = softmax(xp, xp.matmul(q, xp.swapaxes(k, -1, -2)) * 0.5)
        return backward(xp, q, k, v, weights, d_output, 0.5)

    found = backend.run(compute, q, k, v, d_output)
    expected = attention_backward(q, k, v, d_output, scale=0.5, backend=backend)
    for gradient, name in zip(found, ("q", "k", "v", "scores", "weights"), strict=True):
        np.testing.assert_array_equal(gradient, getattr(expected, name))


def test_a_key_that_no_query_sees_has_no_gradient(backend):
    random = np.random.default_rng(9)
    q, k, v, d_output = (random.normal(size=s) for s in ((4, 2), (5, 2), (5, 3), (4, 3)))
    mask = np.arange(5) != 2
    found = attention_backward(q, k, v, d_output, mask=mask, backend=backend)
    assert not found.k[2].any()
    assert not found.v[2].any()
    assert found.k[1].any()


ONES = {"q": (4, 2), "k": (5, 2), "v": (5, 3), "d_output": (4, 3)}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"k": (5, 3)}, ShapeError, "`k` must match `q` in its last axis"),
        ({"v": (4, 3)}, ShapeError, "as many positions as `k`"),
        (
            {"d_output": (4, 2)},
            ShapeError,
            r"`d_output` must have the shape.*\(4, 3\), got \(4, 2\)",
        ),
        ({"q": (4,)}, ShapeError, "at least two axes"),
        ({"q": (2, 4, 2)}, ShapeError, "the same leading ones"),
        ({"mask": (3, 3)}, ShapeError, "`mask` must broadcast"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(change, error, message):
    arrays: dict[str, Any] = {name: np.ones(shape) for name, shape in (ONES | change).items()}
    if "mask" in arrays:
        arrays["mask"] = arrays["mask"].astype(bool)
    with pytest.raises(error, match=message):
        attention_backward(**arrays, backend="numpy")


def test_numbers_that_are_none_or_too_large_are_refused(backend):
    arrays = {name: np.ones(shape) for name, shape in ONES.items()}
    with pytest.raises(NumberError, match="`v` must hold finite numbers, got nan at row 1"):
        attention_backward(**arrays | {"v": np.full((5, 3), np.nan)}, backend=backend)
    large = 1e30 if backend.precision == "float32" else 1e200
    with pytest.raises(NumberError, match=f"The gradient of .* overflows {backend.precision}"):
        attention_backward(
            **arrays | {"v": np.full((5, 3), large), "d_output": np.full((4, 3), large)},
            backend=backend,
        )

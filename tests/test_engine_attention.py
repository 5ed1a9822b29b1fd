"""Both backends against loop-written oracles, golden values and what must always hold."""

from __future__ import annotations

import json
import math
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine import (
    AttentionTrace,
    NumberError,
    attend,
    causal_mask,
    get_backend,
    padding_mask,
    sliding_window_mask,
    trace_attention,
)
from engine.backends import fused
from engine.backends.blocked import blocked_attention
from engine.backends.blocked_rows import Rows
from engine.backends.bounds import safe_limit, score_bound
from tests import oracles
from tests.conftest import require_backend
from tests.tolerances import TOLERANCES, assert_close

GOLDEN = json.loads((Path(__file__).parent / "data/golden.json").read_text(encoding="utf-8"))
STEPS = ("q", "k", "v", "scores", "scaled", "masked", "weights", "output")
CASES: dict[str, dict[str, Any]] = {
    "bidirectional": {},
    "causal": {"mask": np.tri(4, dtype=bool)},
    "unscaled": {"scale": 1.0},
}


def matrices(rows, columns, size=4.0):
    return arrays(np.float64, (rows, columns), elements=st.floats(-size, size, width=16))


@st.composite
def heads(draw, size=4.0):
    """Inputs of one head; context, mask and scale may be None."""
    T, S, M, D, E = (draw(st.integers(1, 5)) for _ in range(5))
    context = draw(st.none() | matrices(S, M, size))
    keys = T if context is None else S
    return {
        "x": draw(matrices(T, M, size)),
        "w_q": draw(matrices(M, D, size)),
        "w_k": draw(matrices(M, D, size)),
        "w_v": draw(matrices(M, E, size)),
        "context": context,
        "mask": draw(st.none() | arrays(np.bool_, (T, keys))),
        "scale": draw(st.none() | st.sampled_from([1.0, 0.5, -0.25, 0.0])),
    }


@st.composite
def calls(draw, size=3.0):
    """Arguments of attend: sizes, dtypes, grouped heads, mask, bias, causal, scale."""
    B, shared, G, D, E = (draw(st.integers(1, most)) for most in (2, 2, 3, 4, 4))
    T, S = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    causal = draw(st.booleans()) and T <= S
    dtype = draw(st.sampled_from(["float16", "float32", "float64"]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def numbers(*shape):
        return random.uniform(-size, size, shape).astype(dtype)

    part = [n if draw(st.booleans()) else 1 for n in (B, shared * G, T, S)]
    mask = random.random(part) < draw(st.sampled_from([0.0, 0.5, 0.9])) + 1e-9
    bias = random.normal(size=[*part[:3], S])
    bias[random.random(bias.shape) < 0.3] = -np.inf
    return {
        "q": numbers(B, shared * G, T, D),
        "k": numbers(B, shared, S, D),
        "v": numbers(B, shared, S, E),
        "mask": mask if draw(st.booleans()) else None,
        "bias": bias if draw(st.booleans()) else None,
        "causal": causal,
        "scale": draw(st.none() | st.sampled_from([1.0, 0.25, -0.5])),
    }


def expected_of(call):
    """Return the oracle's answer and the size of the largest score."""
    q, k = call["q"], call["k"]
    full = (*q.shape[:3], k.shape[2])
    spread = {
        name: None if call[name] is None else np.broadcast_to(call[name], full)
        for name in ("mask", "bias")
    }
    scale = 1 / math.sqrt(q.shape[3]) if call["scale"] is None else call["scale"]
    largest = oracles.largest_score(q, k, scale)
    if call["bias"] is not None:
        largest += np.abs(call["bias"][np.isfinite(call["bias"])]).max(initial=0)
    return oracles.attend(**call | spread | {"scale": scale}), largest


def computed_in(dtype, backend):
    return backend.precision if np.dtype(dtype) == np.float64 else np.dtype(dtype).name


# --- the six steps -----------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_textbook_example(backend, case):
    trace = trace_attention(**GOLDEN["inputs"], **CASES[case], backend=backend)
    for step in STEPS:
        cells = [[-np.inf if c is None else c for c in row] for row in GOLDEN[case][step]]
        assert_close(getattr(trace, step), cells, backend.precision)


def test_the_three_scores_of_the_second_text(backend):
    golden = GOLDEN["three_scores"]
    row = [golden["scores"]]
    for scale, name in ((1 / math.sqrt(golden["d_k"]), "weights"), (1.0, "weights_unscaled")):
        trace = trace_attention(
            [[1.0]], [[1.0]], [[1.0]], [[1.0]],
            context=np.transpose(row), scale=scale, backend=backend,
        )  # fmt: skip
        assert_close(trace.weights, [golden[name]], backend.precision)


@pytest.mark.parametrize("pair", GOLDEN["saturation"])
def test_saturation(backend, pair):
    keys = [[float(score)] for score in pair.split(",")]
    one = [[1.0]]
    trace = trace_attention(one, one, one, one, context=keys, scale=1.0, backend=backend)
    assert_close(trace.weights, [GOLDEN["saturation"][pair]], backend.precision, scores=50)


@given(head=heads())
def test_every_step_equals_the_loops(backend, head):
    trace = trace_attention(**head, backend=backend)
    expected = oracles.trace(**head)
    largest = np.abs(expected["scores"]).max()
    for step in STEPS:
        actual, wanted = getattr(trace, step), expected[step]
        assert actual.shape == wanted.shape
        assert actual.dtype == backend.precision
        finite = np.isfinite(wanted)
        np.testing.assert_array_equal(np.isfinite(actual), finite)
        size = max(1.0, np.abs(wanted[finite]).max(initial=0))
        if step == "output":
            size = max(1.0, np.abs(expected["v"]).max())
        assert_close(
            actual[finite], wanted[finite], backend.precision, largest=size,
            scores=largest if step in ("weights", "output") else 1.0,
        )  # fmt: skip


@given(head=heads())
def test_weights_are_shares(backend, head):
    trace = trace_attention(**head, backend=backend)
    sums = trace.weights.sum(axis=1)
    seen = np.ones(len(sums), bool) if head["mask"] is None else head["mask"].any(axis=1)
    assert (trace.weights >= 0).all()
    assert_close(sums, seen.astype(float), backend.precision)
    assert (trace.weights[~seen] == 0).all()
    assert (trace.output[~seen] == 0).all()
    if head["mask"] is not None:
        assert (trace.weights[~head["mask"]] == 0).all()
        assert (trace.masked[~head["mask"]] == -np.inf).all()
        np.testing.assert_array_equal(trace.mask, head["mask"])
    else:
        assert trace.mask is None


@given(head=heads())
def test_causal_is_zero_above_the_diagonal(backend, head):
    head = head | {"context": None, "mask": causal_mask(len(head["x"]))}
    trace = trace_attention(**head, backend=backend)
    assert (np.triu(trace.weights, 1) == 0).all()
    later = head["x"].copy()
    later[-1] += 1.0
    moved = trace_attention(**head | {"x": later}, backend=backend)
    np.testing.assert_array_equal(trace.output[:-1], moved.output[:-1])


@given(head=heads(), seed=st.integers(0, 2**32 - 1))
def test_permuted_tokens_give_permuted_outputs(backend, head, seed):
    head = head | {"context": None, "mask": None}
    order = np.random.default_rng(seed).permutation(len(head["x"]))
    straight = trace_attention(**head, backend=backend)
    permuted = trace_attention(**head | {"x": head["x"][order]}, backend=backend)
    largest = max(1.0, np.abs(straight.v).max())
    scores = np.abs(straight.scores).max()
    assert_close(
        permuted.output, straight.output[order], backend.precision, largest=largest, scores=scores
    )


@given(head=heads(), shift=st.floats(-8, 8, width=16))
def test_a_shift_of_a_whole_score_row_changes_nothing(backend, head, shift):
    # One more column of ones in the keys and of ``shift`` in the queries adds it to every score.
    x = np.column_stack([head["x"], np.ones(len(head["x"]))])
    corner = np.array([[1.0]])

    def block(weight, last):
        wide = np.zeros((weight.shape[0] + 1, weight.shape[1] + 1))
        wide[:-1, :-1], wide[-1:, -1:] = weight, last
        return wide

    plain = {"context": None, "mask": None, "scale": 0.5}
    w_v = np.vstack([head["w_v"], np.zeros(head["w_v"].shape[1])])
    straight = trace_attention(**head | plain, backend=backend)
    shifted = trace_attention(
        x, block(head["w_q"], shift * corner), block(head["w_k"], corner), w_v,
        scale=0.5, backend=backend,
    )  # fmt: skip
    scores = np.abs(straight.scores).max() + abs(shift)
    assert_close(shifted.scores, straight.scores + shift, backend.precision, largest=scores + 1)
    assert_close(shifted.weights, straight.weights, backend.precision, scores=scores)


def test_scores_of_ten_thousand_give_no_nan(backend):
    x = np.array([[100.0], [-100.0], [99.0]])
    trace = trace_attention(x, [[1.0]], [[1.0]], [[1.0]], scale=1.0, backend=backend)
    assert np.abs(trace.scores).max() == 1e4
    np.testing.assert_allclose(trace.weights, np.eye(3)[[0, 1, 0]], atol=1e-30)
    np.testing.assert_allclose(trace.output, [[100.0], [-100.0], [100.0]], rtol=1e-6)


def test_an_input_is_not_changed_and_a_mask_is_copied(backend):
    x, mask = np.ones((2, 2)), np.ones((2, 2), bool)
    trace = trace_attention(x, x, x, x, mask=mask, backend=backend)
    mask[:] = False
    assert trace.mask is not None
    assert trace.mask.all()
    assert (x == 1).all()


def test_a_mask_broadcasts(backend):
    x = np.ones((3, 2))
    trace = trace_attention(x, np.eye(2), np.eye(2), x[:2], mask=[[True, True, False]],
                            backend=backend)  # fmt: skip
    assert_close(trace.weights, [[0.5, 0.5, 0.0]] * 3, backend.precision)


def test_a_backend_is_given_by_name_or_as_itself():
    one = [[1.0]]
    by_name = trace_attention(one, one, one, one, backend="numpy")
    as_itself = trace_attention(one, one, one, one, backend=get_backend("numpy"))
    assert isinstance(by_name, AttentionTrace)
    assert by_name.output == as_itself.output == 1.0


# --- the fast path -----------------------------------------------------------------------------


@given(call=calls())
def test_attend_equals_the_loops(backend, call):
    output = attend(**call, backend=backend)
    expected, scores = expected_of(call)
    assert output.dtype == call["q"].dtype
    assert_close(
        output, expected, computed_in(call["q"].dtype, backend), largest=3.0, scores=scores
    )


@given(call=calls(size=200.0))
def test_attend_with_large_scores_equals_the_loops(backend, call):
    # Weights are nearly 0 or 1 here, and an error of the score could turn a tie: float64 values
    # are compared on NumPy, elsewhere the output must still be an average of the values.
    output = attend(**call, backend=backend)
    if computed_in(call["q"].dtype, backend) == "float64":
        expected, scores = expected_of(call)
        assert_close(output, expected, "float64", largest=200.0, scores=scores)
    assert np.isfinite(output).all()
    assert np.abs(output).max() <= 200.0 * (1 + 10 * TOLERANCES["float16"].rtol)


@given(call=calls(), query_block=st.integers(1, 4), key_block=st.integers(1, 4))
def test_numpy_blocks_of_any_size_give_the_same(call, query_block, key_block):
    expected, scores = expected_of(call)
    scale = 1 / math.sqrt(call["q"].shape[3]) if call["scale"] is None else call["scale"]
    output = blocked_attention(
        **call | {"scale": scale}, query_block=query_block, key_block=key_block
    )
    precision = "float64" if call["q"].dtype == np.float64 else "float32"
    assert_close(output, expected, precision, largest=3.0, scores=scores)


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ({}, 16),
        ({"causal": True}, 1 + 2 + 3 + 4),
        ({"mask": sliding_window_mask(8, 3)[None, None]}, 1 + 2 + 2 + 2),
        ({"mask": padding_mask([4], 8)}, 2 * 4),
    ],
)
def test_numpy_skips_blocks_that_are_hidden_whole(monkeypatch, options, blocks):
    seen = []
    compute = Rows._scores

    def counted(*arguments):
        seen.append(1)
        return compute(*arguments)

    monkeypatch.setattr(Rows, "_scores", counted)
    x = np.random.default_rng(4).normal(size=(1, 1, 8, 2))
    call: dict[str, Any] = {"mask": None, "bias": None, "causal": False, "scale": 1.0} | options
    blocked_attention(x, x, x, **call, query_block=2, key_block=2)
    assert len(seen) == blocks


@pytest.mark.parametrize("heads_together", [1, 2, 3])
def test_numpy_takes_several_heads_in_a_block(monkeypatch, heads_together):
    # Blocks of 2 x 2 scores for each of two query heads that share a key-value head.
    monkeypatch.setattr("engine.backends.blocked_plan.BLOCK_ENTRIES", heads_together * 2 * 2 * 2)
    random = np.random.default_rng(7)
    call: dict[str, Any] = {
        "q": random.normal(size=(2, 6, 3, 4)),
        "k": random.normal(size=(2, 3, 5, 4)),
        "v": random.normal(size=(2, 3, 5, 2)),
        "mask": random.random((1, 6, 3, 5)) < 0.7,
        "bias": random.normal(size=(2, 1, 1, 5)),
        "causal": True,
        "scale": 0.5,
    }
    expected, scores = expected_of(call)
    output = blocked_attention(**call, query_block=2, key_block=2)
    assert_close(output, expected, "float64", largest=3.0, scores=scores)


@given(call=calls(), query_block=st.integers(1, 4))
def test_mlx_blocks_of_any_size_give_the_same(call, query_block):
    backend = require_backend("mlx")
    expected, scores = expected_of(call)
    scale = 1 / math.sqrt(call["q"].shape[3]) if call["scale"] is None else call["scale"]
    prepared = fused.prepare(**call | {"scale": scale})

    def compute(mx):
        return prepared.run(mx, lambda build: np.array(build()), query_block=query_block)

    output = backend.run(compute)
    assert_close(output, expected, prepared.q.dtype.name, largest=3.0, scores=scores)


@given(call=calls())
def test_a_key_that_nobody_sees_does_not_matter(backend, call):
    S = call["k"].shape[2]
    hidden = np.arange(S) == S - 1
    call = call | {"mask": ~hidden[None, None, None, :], "causal": False}
    first = attend(**call, backend=backend)
    changed = {name: call[name].copy() for name in ("k", "v")}
    for array in changed.values():
        array[:, :, -1] = 7.0
    again = attend(**call | changed, backend=backend)
    # Rounding may differ, since a larger key can call for the careful way around exp.
    assert_close(again, first, computed_in(first.dtype, backend), largest=3.0, scores=30.0)


@pytest.mark.parametrize("kind", ["mask", "bias", "both", "causal and mask"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_row_that_may_look_nowhere_gives_zeros(backend, kind, dtype):
    q, k, v = (np.ones((1, 2, 3, 4), dtype) for _ in range(3))
    mask = np.ones((3, 3), bool)
    bias = np.zeros((3, 3))
    if kind in ("mask", "both"):
        mask[1] = False
    if kind == "bias":
        bias[1] = -np.inf
    if kind == "both":
        mask[2], bias[2] = [True, False, True], [-np.inf, 0, -np.inf]
    if kind == "causal and mask":
        mask[1, :2] = False
    given_arguments: dict[str, Any] = {
        "mask": None if kind == "bias" else mask,
        "bias": None if kind in ("mask", "causal and mask") else bias,
    }
    output = attend(q, k, v, **given_arguments, causal=kind.startswith("causal"), backend=backend)
    zero_rows = [1, 2] if kind == "both" else [1]
    assert (output[:, :, zero_rows] == 0).all()
    assert (output[:, :, 0] == 1).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_attend_with_scores_of_ten_thousand(backend, dtype):
    q = np.array([[100.0], [-100.0]], dtype)
    k = np.array([[100.0], [-100.0], [50.0]], dtype)
    v = np.array([[1.0], [2.0], [3.0]], dtype)
    output = attend(q, k, v, scale=1.0, backend=backend)
    np.testing.assert_array_equal(output, np.array([[1.0], [2.0]], dtype))
    assert output.dtype == dtype


@pytest.mark.parametrize("size", [100.0, 300.0])
def test_float16_scores_beyond_its_whole_numbers_stay_right(backend, size):
    # 5,000 and 5,003.125 are 3.125 apart, but 4 in float16; 300 x 300 is infinite in float16.
    q = np.array([[size]], np.float16)
    k = np.array([[size / 2], [size / 2 + 1 / 32]], np.float16)
    v = np.array([[0.0], [1.0]], np.float16)
    output = attend(q, k, v, scale=1.0, backend=backend)
    expected = oracles.attend(q[None, None], k[None, None], v[None, None], scale=1.0)
    assert_close(output, expected[0, 0], "float16", largest=0.1)


def test_mlx_computes_float16_in_float16():
    half = np.ones((1, 1, 2, 2), np.float16)
    options: dict[str, Any] = {"mask": None, "bias": None, "causal": False, "scale": 1.0}
    assert fused.prepare(half, half, half, **options).q.dtype == np.float16
    wider = fused.prepare(half, half, half.astype(np.float32), **options)
    assert wider.q.dtype == wider.v.dtype == np.float32


def test_attend_works_on_a_matrix_alone(backend):
    random = np.random.default_rng(3)
    q, k, v = (random.normal(size=shape) for shape in ((3, 4), (5, 4), (5, 2)))
    mask = random.random((3, 5)) < 0.5
    output = attend(q, k, v, mask=mask, bias=np.ones(5), backend=backend)
    assert output.shape == (3, 2)
    four = attend(q[None, None], k[None, None], v[None, None], mask=mask, backend=backend)
    assert_close(output, four[0, 0], backend.precision, largest=3.0, scores=5.0)


def test_integers_are_returned_as_float64(backend):
    whole = np.array([[1, 2], [3, 4]])
    output = attend(whole, whole, whole, backend=backend)
    assert output.dtype == np.float64
    expected = oracles.attend(*[whole[None, None]] * 3)
    assert_close(output, expected[0, 0], backend.precision, largest=4.0, scores=18.0)


def test_the_dtype_of_the_queries_decides(backend):
    q, k = np.ones((2, 2), np.float32), np.ones((2, 2), np.float64)
    assert attend(q, k, k, backend=backend).dtype == np.float32
    assert attend(k, q, q, backend=backend).dtype == np.float64


def test_attend_and_trace_agree(backend):
    random = np.random.default_rng(5)
    x, w_q, w_k, w_v = (random.normal(size=s) for s in ((6, 4), (4, 3), (4, 3), (4, 2)))
    trace = trace_attention(x, w_q, w_k, w_v, mask=causal_mask(6), backend=backend)
    output = attend(trace.q, trace.k, trace.v, causal=True, backend=backend)
    assert_close(output, trace.output, backend.precision, largest=5.0, scores=20.0)


@pytest.mark.parametrize("largest", [3e38, 1e30])
def test_values_near_the_end_of_float32_are_averaged(largest):
    v = np.full((600, 1), largest, np.float32)
    zeros = np.zeros((600, 1), np.float32)
    output = attend(zeros[:2], zeros, v, backend="numpy")
    np.testing.assert_allclose(output, v[:2], rtol=1e-5)


@pytest.mark.parametrize("sign", [1, -1])
def test_scores_that_overflow_are_refused(backend, sign):
    power = 1 if backend.precision == "float32" else 8
    q = np.array([[1e20**power]])
    with pytest.raises(NumberError, match="overflow float"):
        attend(q, sign * q, [[1.0]], backend=backend)


def test_a_number_that_does_not_fit_the_backend_is_refused():
    backend = require_backend("mlx")
    with pytest.raises(NumberError, match=r"`k` must fit float32, got 1e\+300 at row 1, column 1"):
        attend([[1.0]], [[1e300]], [[1.0]], backend=backend)
    with pytest.raises(NumberError, match="`bias` must fit float32"):
        attend([[1.0]], [[1.0]], [[1.0]], bias=[[-1e300]], backend=backend)


def test_a_bias_that_does_not_fit_the_queries_is_refused_on_numpy():
    ones = np.ones((1, 1), np.float32)
    with pytest.raises(NumberError, match="`bias` overflow float32"):
        attend(ones, ones, ones, bias=[[-1e300]], backend="numpy")
    output = attend(ones, ones, ones, bias=[[np.finfo(np.float32).min]], backend="numpy")
    assert output == 1.0  # a finite bias hides nothing from a row that has only one key


@given(call=calls(size=1000.0))
@example(
    call={
        "q": np.full((1, 1, 1, 3), 1e200), "k": np.full((1, 1, 1, 3), 1e200),
        "v": np.ones((1, 1, 1, 1)), "mask": None, "bias": None, "causal": False, "scale": 1.0,
    }
)  # fmt: skip
def test_no_score_exceeds_the_bound(call):
    scale = 1.0 if call["scale"] is None else call["scale"]
    with np.errstate(over="ignore"):
        largest = oracles.largest_score(call["q"], call["k"], scale)
    assert largest <= score_bound(call["q"], call["k"], scale) * (1 + 1e-5)


def test_a_bound_that_cannot_be_computed_is_infinite():
    long, zero = np.full((1, 3), 1e200), np.zeros((1, 3))
    assert score_bound(long, zero, 1.0) == math.inf


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_below_the_safe_limit_no_bias_overflows(dtype):
    score, bias = dtype(safe_limit(np.dtype(dtype))), np.finfo(dtype).max
    assert np.isfinite(score + bias)
    assert np.isfinite(-score - bias)


@pytest.mark.parametrize("extra", ["nothing", "causal", "mask and bias"])
def test_blocks_stay_far_below_the_score_matrix(extra):
    T, H, D = 4096, 4, 16
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((1, H, T, D), np.float32) for _ in range(3))
    options: dict[str, Any] = {"causal": extra == "causal"}
    if extra == "mask and bias":
        options |= {"mask": causal_mask(T), "bias": np.zeros((T, T), np.float32)}
    call = partial(attend, q, k, v, **options, backend="numpy")
    get_backend("numpy")
    tracemalloc.start()
    try:
        call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    one_head = T * T * q.itemsize
    assert peak < one_head / 8, f"{peak / 1e6:.1f} MB, one head's scores are {one_head / 1e6} MB"


def test_an_output_that_the_dtype_of_the_query_cannot_hold_is_refused(backend):
    q = np.ones((2, 2), dtype=np.float16)
    v = np.full((2, 3), 1e6, dtype=np.float32)
    with pytest.raises(NumberError, match="must fit float16"):
        attend(q, q, v, backend=backend)
    np.testing.assert_allclose(attend(q.astype(np.float32), q, v, backend=backend), 1e6)


@pytest.mark.parametrize("value", [1e39, 1e-60])
def test_mlx_refuses_what_float32_would_turn_into_infinity_or_zero(value):
    x = np.array([[1.0, value]])
    weights = np.eye(2)
    backend = require_backend("mlx")
    with pytest.raises(NumberError, match=r"must fit float32, got 1e.* at row 1, column 2"):
        trace_attention(x, weights, weights, weights, backend=backend)
    trace_attention(np.array([[1.0, 0.0]]), weights, weights, weights, backend=backend)

"""Predicted bytes against arrays that are really allocated, in passes that really compute."""

from __future__ import annotations

import math
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.memory.params import Params
from engine.experiments.memory.tensors import METHODS, NAMES, cost_of, needed, tensors_of
from tests import gradient_oracles, memory_oracles

TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "float16": 0.08}
FORMATS = {8: np.float64, 4: np.float32, 2: ml_dtypes.bfloat16}


@st.composite
def small_sizes(draw):
    H_kv, group = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    return memory_oracles.Sizes(
        B=draw(st.integers(1, 2)),
        H=H_kv * group,
        H_kv=H_kv,
        T=draw(st.integers(1, 6)),
        D=draw(st.integers(1, 3)),
        layers=draw(st.integers(1, 3)),
        dtype=draw(st.sampled_from(["float64", "float32", "float16"])),
        block=draw(st.integers(1, 7)),
        window=draw(st.integers(1, 7)),
    )


def params_of(sizes, **changes):
    known = {
        "T": sizes.T,
        "batch": sizes.B,
        "layers": sizes.layers,
        "heads": sizes.H,
        "kv_heads": sizes.H_kv,
        "d_k": sizes.D,
        "dtype": sizes.dtype,
        "block": sizes.block,
        "window": sizes.window,
    }
    return replace(Params(), **known | changes)


def reference(sizes, method, q, k, v):
    """Return the output of softmax(q k^T / sqrt(D)) v over the visible pairs."""
    mask, output = memory_oracles.visible(sizes, method), np.zeros(q.shape)
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            weights = np.exp(k[b, g, mask[i]] @ q[b, h, i] / math.sqrt(sizes.D))
            output[b, h, i] = weights @ v[b, g, mask[i]] / weights.sum()
    return output


@pytest.mark.parametrize("method", METHODS)
@given(sizes=small_sizes(), cache=st.booleans())
def test_a_prompt_holds_what_is_predicted(method, sizes, cache):
    held = memory_oracles.Held()
    q, k, v, output = memory_oracles.prompt(
        held, sizes, method, cache, np.random.default_rng(sizes.T)
    )
    close = TOLERANCES[sizes.dtype]
    np.testing.assert_allclose(output, reference(sizes, method, q, k, v), atol=close, rtol=close)
    assert needed(params_of(sizes, cache=cache, mode="inference"), method) == held.peak


@pytest.mark.parametrize("method", METHODS)
@given(sizes=small_sizes())
@settings(max_examples=25)
def test_a_backward_pass_holds_what_is_predicted(method, sizes):
    held = memory_oracles.Held()
    *inputs, d_output, d_q, d_k, d_v = memory_oracles.training(
        held, sizes, method, np.random.default_rng(sizes.T)
    )
    assert needed(params_of(sizes, mode="training"), method) == held.peak
    if sizes.dtype == "float64":  # what was kept is enough: these are the gradients
        expected = gradients(sizes, method, inputs, d_output)
        for found, right in zip((d_q, d_k, d_v), expected, strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-8, atol=1e-9)


def gradients(sizes, method, inputs, d_output):
    """Return the gradients by q, k and v from a step into the complex, head by head."""
    sums = [np.zeros(array.shape) for array in inputs]
    mask = memory_oracles.visible(sizes, method)
    for b, h, g in sizes.heads:
        places = ((b, h), (b, g), (b, g))
        q, k, v = (array[place] for array, place in zip(inputs, places, strict=True))
        found = gradient_oracles.complex_steps(
            q, k, v, d_output[b, h], mask, 1 / math.sqrt(sizes.D)
        )
        for total, place, gradient in zip(sums, places, found, strict=True):
            total[place] += gradient
    return sums


@given(sizes=small_sizes(), devices=st.integers(1, 4))
@settings(max_examples=25)
def test_a_device_that_others_visit_holds_what_is_predicted(sizes, devices):
    sizes = replace(sizes, layers=1)
    held = memory_oracles.Held()
    output, right = memory_oracles.ring(held, sizes, devices, np.random.default_rng(sizes.T))
    close = TOLERANCES[sizes.dtype]
    np.testing.assert_allclose(output, right, atol=close, rtol=close)
    for cache in (True, False):
        params = params_of(sizes, cache=cache, devices=devices)
        assert needed(params, "materialised") == held.peak


@st.composite
def any_params(draw):
    kv_heads, group = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return replace(
        Params(),
        T=draw(st.integers(1, 40)),
        batch=draw(st.integers(1, 3)),
        layers=draw(st.integers(1, 4)),
        heads=kv_heads * group,
        kv_heads=kv_heads,
        d_k=draw(st.integers(1, 9)),
        d_model=draw(st.integers(1, 9)),
        d_ff=draw(st.integers(0, 9)),
        gated=draw(st.booleans()),
        dtype=draw(st.sampled_from(["float64", "float32", "bfloat16", "float16"])),
        mode=draw(st.sampled_from(["inference", "training"])),
        cache=draw(st.booleans()),
        block=draw(st.integers(1, 50)),
        window=draw(st.integers(1, 50)),
        devices=draw(st.integers(1, 50)),
        weights=draw(st.booleans()),
    )


@given(params=any_params(), method=st.sampled_from(METHODS))
def test_each_tensor_takes_the_bytes_that_numpy_allocates_for_its_shape(params, method):
    tensors = tensors_of(params, method)
    for tensor in tensors:
        array = np.empty(tensor.shape, FORMATS[tensor.itemsize])
        assert array.nbytes * tensor.copies == tensor.bytes, tensor
    total = sum(tensor.bytes for tensor in tensors)
    assert needed(params, method) == cost_of(params, method)(params.T) == total
    places = [NAMES.index(tensor.name) for tensor in tensors]
    assert places == sorted(set(places))  # each name once, in the order that is promised


@pytest.mark.parametrize("method", METHODS)
@given(params=any_params())
@settings(max_examples=60)
def test_a_device_holds_what_one_alone_would_of_its_own_tokens_and_the_keys_that_visit(
    method, params
):
    rows = math.ceil(params.T / params.devices)
    alone = {t.name: t for t in tensors_of(params, method, T=rows, devices=1)}
    shared = {t.name: t for t in tensors_of(params, method)}
    visiting = {"k_in_transit", "v_in_transit"} if params.devices > 1 else set()
    assert set(shared) == set(alone) | visiting
    for name in visiting:
        assert shared[name].shape == alone["k"].shape
        assert shared[name].copies == 1
    pairs = {"scores", "weights", "d_scores", "d_weights"} if method != "blocked" else set()
    last = params.T if method == "materialised" else min(params.window, params.T)
    for name in set(alone) - pairs:
        assert shared[name] == alone[name]
    for name in pairs & set(shared):
        assert shared[name].shape == (params.batch, params.heads, rows, last)


@pytest.mark.parametrize("gated", [True, False])
@pytest.mark.parametrize("devices", [1, 3])
def test_the_parameters_are_those_of_the_matrices_of_every_layer_whole_on_each_device(
    gated, devices
):
    params = replace(
        Params(), layers=3, heads=6, kv_heads=2, d_k=5, d_model=7, d_ff=11, gated=gated,
        dtype="float32", weights=True, devices=devices,
    )  # fmt: skip
    queries, keys = (7, 6 * 5), (7, 2 * 5)
    matrices = [queries, keys, keys, (6 * 5, 7), (7, 11), (11, 7), *[(7, 11)] * gated]
    layers = [[np.empty(shape, np.float32) for shape in matrices] for _ in range(3)]
    allocated = sum(matrix.nbytes for layer in layers for matrix in layer)
    for method in METHODS:
        extra = needed(params, method) - needed(replace(params, weights=False), method)
        assert extra == allocated


@pytest.mark.parametrize("method", METHODS)
def test_a_window_longer_than_the_sequence_is_no_window(method):
    for mode in ("inference", "training"):
        params = replace(Params(), T=100, window=5_000, mode=mode, layers=5)
        assert needed(params, "window") == needed(params, "materialised")
        short = replace(params, window=7)
        assert needed(short, method) == needed(params, method) or method == "window"
    assert needed(replace(params, window=7), "window") < needed(params, "window")

"""Every refusal names the rule, what arrived and where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import (
    EngineError,
    NumberError,
    OptionError,
    ShapeError,
    attend,
    get_backend,
    trace_attention,
)
from engine.shapes import as_bias, as_mask, as_numbers, as_scale, as_size, require_range

ONE = [[1.0]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floating_numbers_keep_their_precision(dtype):
    assert as_numbers(np.ones((2, 3), dtype), "x").dtype == dtype


@pytest.mark.parametrize("value", [[[1, 2]], np.ones((1, 2), np.uint8)])
def test_integers_become_float64(value):
    assert as_numbers(value, "x").dtype == np.float64


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ([["1", "a"]], NumberError, ["`x`", "real numbers", "<U1"]),
        ([[1, None]], NumberError, ["`x`", "real numbers", "object"]),
        ([[1 + 2j]], NumberError, ["`x`", "complex128"]),
        ([[True]], NumberError, ["`x`", "bool"]),
        ([[1, 2], [3]], ShapeError, ["`x`", "equal length"]),
        (np.empty((0, 3)), ShapeError, ["`x`", "at least one entry", "(0, 3)"]),
        ([[1, 2], [3, np.nan]], NumberError, ["`x`", "nan", "row 2, column 2"]),
        ([[1, np.inf], [3, 4]], NumberError, ["`x`", "inf", "row 1, column 2"]),
        (np.full((2, 1, 2, 2), -np.inf), NumberError, ["`x`", "-inf", "(1, 1, 1, 1)"]),
        (np.full((1, 1, 2, 2), -np.inf), NumberError, ["`x`", "-inf", "row 1, column 1"]),
    ],
)
def test_what_is_no_finite_number_is_refused(value, kind, words):
    with pytest.raises(kind) as caught:
        as_numbers(value, "x")
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_longdouble_is_refused_where_it_is_wider_than_float64():
    if np.dtype(np.longdouble).itemsize == 8:
        assert as_numbers(np.ones(1, np.longdouble), "x").shape == (1,)
        return
    with pytest.raises(NumberError, match="at most 64 bits"):
        as_numbers(np.ones(1, np.longdouble), "x")


def test_a_bias_may_hold_minus_infinity_only():
    assert as_bias([[0.0, -np.inf]])[0, 1] == -np.inf
    with pytest.raises(NumberError, match=r"`bias`.* got inf at row 1, column 2"):
        as_bias([[0.0, np.inf]])
    with pytest.raises(NumberError, match=r"`bias`.* got nan at row 2, column 1"):
        as_bias([[0.0], [np.nan]])


@pytest.mark.parametrize("value", [[[0, 1]], [[0.0, -np.inf]], [["yes"]]])
def test_a_mask_is_boolean(value):
    with pytest.raises(NumberError, match=r"`mask` must hold True \(may look\) or False, got"):
        as_mask(value)


def test_scale_defaults_to_one_over_the_root_of_d_k():
    assert as_scale(None, 16) == 0.25
    assert as_scale(2, 16) == 2.0


@pytest.mark.parametrize("value", [np.nan, np.inf, "wide", [1.0, 2.0]])
def test_a_scale_is_one_finite_number(value):
    with pytest.raises(NumberError, match="`scale` must be"):
        as_scale(value, 4)


def test_a_size_is_a_whole_number_of_at_least_one():
    assert as_size(np.int64(3), "T") == 3
    with pytest.raises(OptionError, match=r"`T` must be a whole number, got 2\.5"):
        as_size(2.5, "T")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`T` must be at least 1, got 0"):
        as_size(0, "T")


def test_a_number_too_large_for_float32_is_named():
    with pytest.raises(NumberError, match=r"`x` must fit float32, got 1e\+300 at row 1, column 2"):
        require_range(np.array([[0.0, 1e300]]), "x", "float32")
    with pytest.raises(NumberError, match=r"got -1e\+300 at index \(2, 1, 1\)"):
        require_range(np.array([[[0.0]], [[-1e300]]]), "x", "float32")
    require_range(np.array([[3e38]]), "x", "float32")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"x": [1.0, 2.0]}, ["`x`", "two axes", "(2,)"]),
        ({"context": [[1.0, 2.0]]}, ["`context`", "d_model", "(1, 2)"]),
        ({"w_q": [[1.0], [2.0]]}, ["`w_q`", "one row for each of the 1 columns", "(2, 1)"]),
        ({"w_v": [[1.0], [2.0]]}, ["`w_v`", "one row for each"]),
        ({"w_k": [[1.0, 2.0]]}, ["`w_k`", "d_k", "w_q=(1, 1)", "w_k=(1, 2)"]),
        ({"mask": [[True, True]]}, ["`mask`", "broadcast to (1, 1)", "(1, 2)"]),
    ],
)
def test_sizes_that_do_not_fit_a_trace_are_named(changes, words):
    given = {"x": ONE, "w_q": ONE, "w_k": ONE, "w_v": ONE} | changes
    with pytest.raises(ShapeError) as caught:
        trace_attention(**given)
    assert all(word in str(caught.value) for word in words), str(caught.value)


SHAPES_THAT_FAIL = {
    "three axes": ((2, 3, 4), (2, 3, 4), (2, 3, 4), "four axes (B, H, T, D) or all two"),
    "mixed axes": ((1, 1, 3, 4), (3, 4), (3, 4), "four axes (B, H, T, D) or all two"),
    "last axis": ((1, 4, 8, 64), (1, 4, 8, 32), (1, 4, 8, 32), "`k` must match `q` in its last"),
    "positions": ((3, 4), (3, 4), (2, 4), "`v` must have as many positions as `k`"),
    "batch": ((2, 1, 3, 4), (1, 1, 3, 4), (1, 1, 3, 4), "the same batch size"),
    "heads": ((1, 4, 3, 4), (1, 2, 3, 4), (1, 4, 3, 4), "`v` must have as many heads as `k`"),
    "multiple": ((1, 3, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4), "a multiple of the heads of `k`"),
}


@pytest.mark.parametrize("case", SHAPES_THAT_FAIL)
def test_sizes_that_do_not_fit_attend_are_named(case):
    *shapes, words = SHAPES_THAT_FAIL[case]
    with pytest.raises(ShapeError) as caught:
        attend(*(np.ones(shape) for shape in shapes))
    assert words in str(caught.value)
    assert str(tuple(shapes[1])) in str(caught.value)


def test_causal_with_more_queries_than_keys_is_refused(backend):
    with pytest.raises(ShapeError, match="at least as many keys as queries, got T = 3, S = 2"):
        attend(np.ones((3, 4)), np.ones((2, 4)), np.ones((2, 4)), causal=True, backend=backend)


@pytest.mark.parametrize("name", ["mask", "bias"])
def test_a_mask_or_bias_must_broadcast(name):
    extra: dict[str, Any] = {name: np.ones((3, 3), bool if name == "mask" else float)}
    with pytest.raises(ShapeError, match=rf"`{name}` must broadcast to \(2, 3\), got \(3, 3\)"):
        attend(np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 4)), **extra)


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_nan_in_attend_is_named(backend, name):
    arrays: dict[str, Any] = {key: np.ones((2, 2)) for key in ("q", "k", "v")}
    arrays[name][1, 0] = np.nan
    with pytest.raises(NumberError, match=f"`{name}` must hold finite .* nan at row 2, column 1"):
        attend(**arrays, backend=backend)


STEPS_THAT_OVERFLOW: dict[str, dict[str, Any]] = {
    "projection Q": {"x": [[1e30]], "w_q": [[1e30]]},
    "projection V": {"x": [[1e30]], "w_v": [[1e30]]},
    "scores overflow": {"x": [[1e15]], "w_q": [[1e10]], "w_k": [[1e10]]},
    "scaled scores": {"x": [[1e15]], "scale": 1e30},
}


@pytest.mark.parametrize("step", STEPS_THAT_OVERFLOW)
def test_an_overflow_names_its_step_and_place(backend, step):
    # float64 reaches further by a factor of 8 in the exponent: 1e38 ** 8 = 1e304.
    power = 1 if backend.precision == "float32" else 8
    given = {"x": ONE, "w_q": ONE, "w_k": ONE, "w_v": ONE} | STEPS_THAT_OVERFLOW[step]
    larger: dict[str, Any] = {
        name: float(value) ** power if name == "scale" else np.array(value) ** power
        for name, value in given.items()
    }
    with pytest.raises(NumberError) as caught:
        trace_attention(**larger, backend=backend)
    assert step in str(caught.value)
    assert f"{backend.precision} at row 1, column 1" in str(caught.value)


def test_an_unknown_backend_is_refused():
    with pytest.raises(OptionError, match="`backend` must be one of mlx, numpy, got 'torch'"):
        get_backend("torch")


def test_an_error_keeps_its_template_and_values():
    with pytest.raises(EngineError) as caught:
        as_size(0, "T")
    error = caught.value
    assert error.template.format(**error.values) == str(error)
    assert error.values["name"] == "T"


@pytest.mark.parametrize(
    "value", ["x" * 10**6, 10**5000, -(10**5000), 2**4096], ids=["text", "huge", "low", "power"]
)
def test_an_error_cuts_what_no_sentence_can_hold(value):
    error = EngineError("It must be small, got {value}.", value=value)
    assert len(str(error)) < 500
    assert str(error).endswith(".")
    assert str(error.with_values(error.values)) == str(error)


@pytest.mark.parametrize("number", [0, -7, 999_999, 2**64, -(2**100)])
def test_an_error_writes_a_number_as_it_is(number):
    assert str(EngineError("Got {value}.", value=number)) == f"Got {number}."


@pytest.mark.parametrize("backend", [3.0, object(), ("numpy",)])
def test_what_is_no_backend_is_refused(backend):
    with pytest.raises(OptionError, match="`backend` must be a backend, the name of one, or None"):
        attend(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)), backend=backend)

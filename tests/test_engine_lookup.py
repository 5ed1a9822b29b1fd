"""Soft lookup: every similarity and temperature against loops, and what a table refuses."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import get_backend
from engine.errors import EngineError
from engine.experiments.lookup import soft, table
from engine.experiments.lookup.similarities import additive_weights
from engine.experiments.lookup.soft import run
from engine.experiments.lookup.table import SIMILARITIES, Params, validate
from tests import lookup_oracles, oracles

# What float32 may be off by: of the scores (which grow with the cells) and of weights.
OFF = {"float64": 1e-12, "float32": 2e-5}
CELL = st.integers(-40, 40).map(lambda tenths: tenths / 10)


@st.composite
def tables(draw, similarity=None):
    """Draw a table of 1 to 5 rows, in which no vector is zero."""
    n, d, e = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    vector = st.tuples(*[CELL] * d).filter(any)
    keys = draw(st.lists(vector, min_size=n, max_size=n, unique=True))
    return Params(
        names=tuple(f"k{number}" for number in range(n)),
        keys=tuple(keys),
        values=tuple(draw(st.lists(st.tuples(*[CELL] * e), min_size=n, max_size=n))),
        query=draw(vector),
        similarity=similarity or draw(st.sampled_from(SIMILARITIES)),
        temperature=draw(st.sampled_from((0.1, 0.5, 1.0, 3.0, 50.0))),
        seed=draw(st.integers(0, 5)),
    )


def expected_scores(params, similarity):
    weights = additive_weights(params.seed, params.d)
    return [lookup_oracles.score(similarity, params.query, key, weights) for key in params.keys]


@given(params=tables())
def test_every_similarity_is_what_loops_find(backend, params):
    result = run(params, backend=backend)
    off = OFF[backend.precision]
    for similarity in SIMILARITIES:
        scores = expected_scores(params, similarity)
        weights, output = lookup_oracles.look(scores, params.values, params.temperature)
        found = result.found[similarity]
        assert found.refused is None
        # A weight is off by as much, relatively, as its score over the temperature is.
        slack = off * (1 + max(map(abs, scores))) / min(1.0, params.temperature)
        np.testing.assert_allclose(found.scores, scores, rtol=off, atol=off * 64)
        np.testing.assert_allclose(found.weights, weights, rtol=8 * slack, atol=slack)
        np.testing.assert_allclose(found.output, output, rtol=8 * slack, atol=32 * slack)
        np.testing.assert_allclose(found.contributions.sum(axis=0), found.output, atol=64 * off)
        entropy = -sum(w * math.log(w) for w in weights if w > 0)
        assert found.effective == pytest.approx(math.exp(entropy), rel=40 * slack)
    assert result.soft is result.found[params.similarity]
    assert result.shuffled_difference <= 64 * off


@given(params=tables())
def test_the_curve_is_the_lookup_at_each_temperature(params):
    result = run(params, backend="numpy")
    scores = expected_scores(params, params.similarity)
    for place in (0, 40, 80, 120, -1):
        weights, output = lookup_oracles.look(scores, params.values, result.temperatures[place])
        np.testing.assert_allclose(result.curve[place], weights, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(result.curve_output[place], output, rtol=1e-8, atol=1e-8)
    (chosen,) = np.flatnonzero(result.temperatures == params.temperature)
    np.testing.assert_allclose(result.curve[chosen], result.soft.weights, rtol=1e-12)


@given(params=tables())
def test_between_its_temperatures_the_curve_is_as_good_as_straight(params):
    result = run(params, backend="numpy")
    between = np.sqrt(result.temperatures[:-1] * result.temperatures[1:])
    scores = np.array(expected_scores(params, params.similarity))
    exact = np.exp((scores - scores.max()) / between[:, None])
    exact /= exact.sum(axis=1, keepdims=True)
    assert np.abs((result.curve[:-1] + result.curve[1:]) / 2 - exact).max() < 0.001


@pytest.mark.parametrize("chosen", [0.001, 0.0123, 1.0, 7.7, 1000.0])
def test_temperatures_rise_by_equal_factors_and_hold_the_chosen_one(chosen):
    temperatures = soft.temperatures_of(chosen)
    assert (temperatures[0], temperatures[-1]) == pytest.approx((0.001, 1000.0), rel=1e-12)
    assert np.count_nonzero(temperatures == chosen) == 1
    factors = temperatures[1:] / temperatures[:-1]
    assert factors.min() > 1
    others = np.delete(temperatures, np.flatnonzero(temperatures == chosen))
    steps = np.diff(np.log10(others))
    assert np.sort(steps)[:-1] == pytest.approx(6 / 160, rel=1e-6)
    assert factors.max() < 1.1


def test_the_ends_of_the_curve_are_hard_lookup_and_the_plain_mean(backend):
    result = run(Params(), backend=backend)
    assert result.nearest == (0,)
    assert result.hard_output == pytest.approx([5.0])
    assert result.curve[0] == pytest.approx([1, 0, 0, 0], abs=1e-6)
    assert result.mean_output == pytest.approx([(5 + 3 + 7 + 2) / 4])
    assert result.curve[-1] == pytest.approx([0.25] * 4, abs=1e-3)
    assert result.curve_output[-1] == pytest.approx(result.mean_output, abs=5e-3)
    assert result.exact is None


def test_the_default_query_is_nearest_to_the_first_key_by_every_untrained_measure(backend):
    for similarity in SIMILARITIES[:-1]:
        assert run(Params(similarity=similarity), backend=backend).nearest == (0,)


@pytest.mark.parametrize("similarity", ["dot", "scaled", "gaussian", "cosine"])
def test_keys_that_tie_but_for_rounding_are_nearest_together(backend, similarity):
    # The same seven numbers in eleven orders: sums of them differ in their last digits.
    numbers = (0.11, 0.23, 0.37, 0.41, 0.67, 0.73, 0.89)
    orders = tuple(numbers[n:] + numbers[:n] for n in range(7)) + tuple(
        (*numbers[n:][::-1], *numbers[:n]) for n in range(1, 5)
    )
    tied = Params(
        names=tuple(f"k{number}" for number in range(12)),
        keys=(*orders, (-1.0, *[0.1] * 6)),
        values=tuple((float(number),) for number in range(12)),
        query=(0.3,) * 7,
        similarity=similarity,
    )
    result = run(tied, backend=backend)
    assert result.nearest == tuple(range(11))
    assert result.hard_output == pytest.approx([5.0])
    step = 0.001 if similarity in {"dot", "scaled"} else -0.001  # from 0.89, nearer the query
    apart = replace(tied, keys=(*orders, (*numbers[:6], numbers[6] + step)))
    assert run(apart, backend=backend).nearest == (11,)


def test_far_keys_do_not_blur_which_of_the_near_ones_is_nearest(backend):
    params = Params(
        names=("near", "nearer", "far"),
        keys=((1000.0, 998.0), (1000.0, 999.0), (-1000.0, -1000.0)),
        values=((1.0,), (2.0,), (3.0,)),
        query=(1000.0, 1000.0),
        similarity="gaussian",
    )
    assert run(params, backend=backend).nearest == (1,)


def test_a_key_equal_to_the_query_is_what_a_dictionary_finds(backend):
    assert run(Params(query=(0.5, 1.5)), backend=backend).exact == 1
    assert run(Params(query=(0.5, 1.500001)), backend=backend).exact is None


def test_the_gaussian_kernel_at_temperature_sigma_squared_is_nadaraya_and_watson(backend):
    sigma, params = 0.7, Params(similarity="gaussian", temperature=0.7**2)
    kernel = [math.exp(-(math.dist(params.query, key) ** 2) / (2 * sigma**2))
              for key in params.keys]  # fmt: skip
    regression = sum(k * v[0] for k, v in zip(kernel, params.values, strict=True)) / sum(kernel)
    assert run(params, backend=backend).soft.output == pytest.approx([regression], rel=1e-5)


def test_additive_weights_depend_on_the_seed_and_their_place_only():
    wide, narrow = additive_weights(3, 8), additive_weights(3, 2)
    for large, small in zip(wide, narrow, strict=True):
        cut = large[:2, :2] if large.ndim == 2 else large[:2]
        np.testing.assert_allclose(cut * math.sqrt(8), small * math.sqrt(2))
    drawn = [
        each.ravel() * math.sqrt(8) for seed in range(40) for each in additive_weights(seed, 8)
    ]
    assert np.concatenate(drawn).std() == pytest.approx(1, abs=0.05)
    assert not np.allclose(wide.w_query, wide.w_key)
    assert not np.allclose(wide.w_query, additive_weights(4, 8).w_query)


# --- Lengths and angles ---------------------------------------------------------------


@given(params=tables())
def test_lengths_and_angles_are_those_of_the_vectors(backend, params):
    plane = run(params, backend=backend).plane
    off = 1e-6 if backend.precision == "float64" else 2e-3
    assert plane.query_length == pytest.approx(math.hypot(*params.query), rel=1e-6)
    for place, key in enumerate(params.keys):
        assert plane.key_lengths[place] == pytest.approx(math.hypot(*key), rel=1e-6)
        assert plane.dots[place] == pytest.approx(lookup_oracles.dot(params.query, key), abs=1e-4)
        cosine = lookup_oracles.score("cosine", params.query, key)
        assert plane.cosines[place] == pytest.approx(cosine, abs=1e-6)
        if params.d == 2:
            turned = plane.angles[place] - lookup_oracles.signed_angle(params.query, key)
            assert min(abs(turned), 360 - abs(turned)) < off
            assert -180 < plane.angles[place] <= 180
        else:
            angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
            assert plane.angles[place] == pytest.approx(angle, abs=off)


@pytest.mark.parametrize(
    ("query", "key", "angle"),
    [
        ((1.0, 0.0), (0.0, 2.0), 90.0),
        ((1.0, 0.0), (0.0, -2.0), -90.0),
        ((1.0, 0.0), (-3.0, 0.0), 180.0),
        ((0.0, -1.0), (0.0, 3.0), 180.0),
        ((-1.0, 0.0), (3.0, 0.0), 180.0),
        ((1.0, 0.0), (2.0, 0.0), 0.0),
        ((1.0,), (-2.0,), 180.0),
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0001), math.degrees(math.atan(0.0001))),
    ],
)
def test_an_angle_turns_the_query_into_the_key(backend, query, key, angle):
    params = Params(names=("a",), keys=(key,), values=((1.0,),), query=query)
    assert run(params, backend=backend).plane.angles == pytest.approx([angle], abs=1e-5)


def test_a_zero_vector_has_no_angle(backend):
    keys = ((2.0, 0.0), (0.0, 0.0), (-1.0, 1.0), (0.0, -1.5))
    plane = run(Params(keys=keys), backend=backend).plane
    assert np.isnan(plane.angles).tolist() == [False, True, False, False]
    assert np.isnan(plane.cosines).tolist() == [False, True, False, False]
    assert plane.key_lengths[1] == plane.dots[1] == 0
    assert np.isnan(run(Params(query=(0.0, 0.0)), backend=backend).plane.angles).all()


# --- What is refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"query": (0.0, 0.0)}, "The query is a zero vector"),
        (
            {"keys": ((2.0, 0.0), (0.5, 1.5), (0.0, 0.0), (0.0, -1.5))},
            "The key of orange is a zero",
        ),
    ],
)
def test_a_zero_vector_has_no_cosine_but_every_other_score(backend, changed, sentence):
    params = replace(Params(), **changed)
    refused = run(params, backend=backend).found["cosine"]
    assert str(refused.refused).startswith(sentence)
    assert refused.weights.size == refused.scores.size == refused.output.size == 0
    assert refused.effective == 0
    others = [run(params, backend=backend).found[name] for name in SIMILARITIES if name != "cosine"]
    assert all(each.refused is None and each.weights.sum() == pytest.approx(1) for each in others)
    with pytest.raises(EngineError, match=sentence):
        run(replace(params, similarity="cosine"), backend=backend)


REFUSALS = [
    ({"keys": (), "values": (), "names": ()}, "The table is empty"),
    ({"names": ("a", "b", "a", "c")}, "Rows 1 and 3 have the same name, a;"),
    (
        {"keys": ((1.0, 0.0), (0.5, 1.5), (0.0, 1.0), (0.5, 1.5))},
        "Rows 2 and 4, banana and lemon, have the same key",
    ),
    ({"keys": ((0.0, 1.0), (2.0, 2.0), (-0.0, 1.0), (5.0, 5.0))}, "Rows 1 and 3"),
    ({"names": ("a", "b")}, "number of token labels of K must be 4"),
    ({"names": ("a", " ", "c", "d")}, "The token label of K, row 2 is empty"),
    ({"names": "abcd"}, "The names of the keys must be a list of texts"),
    ({"values": ((1.0,), (2.0,))}, "as many rows of V as of K, got 2 and 4"),
    ({"query": (1.0, 2.0, 3.0)}, "as wide as they are, d = 2; got 3"),
    ({"query": ()}, "q is empty"),
    ({"query": (1.0, "abc")}, "q, row 1, column 2 holds abc"),
    ({"query": (1.0, math.nan)}, "q, row 1, column 2 is empty or NaN"),
    ({"query": (1.0, math.inf)}, "q, row 1, column 2 is infinite"),
    ({"query": (1.0, 1000.5)}, "must be 0, or from 0.000001 to 1000 in size, got 1000.5."),
    ({"query": (1.0, -1e-7)}, "in size, got -0.0000001."),
    ({"keys": ((1.0,) * 9,), "values": ((1.0,),), "names": ("a",)}, "K must have from 1 to 8"),
    ({"values": ((1.0,) * 5,) * 4}, "V must have from 1 to 4 numbers, got 5"),
    ({"values": ((1.0,), (1.0,), (1.0,), ("",))}, "V, row 4, column 1 is empty"),
    (
        {"keys": tuple((float(n), 1.0) for n in range(13))},
        "The table must have from 1 to 12 rows, got 13",
    ),
    ({"similarity": "euclid"}, "one of dot, scaled, cosine, gaussian, additive, got euclid"),
    ({"temperature": 0}, "temperature 0 is hard lookup; choose 0.001 or more"),
    ({"temperature": -0.0}, "temperature 0 is hard lookup"),
    (
        {"temperature": math.inf},
        "infinite temperature is the plain mean of the values; choose 1000",
    ),
    ({"temperature": math.nan}, "must be a number from 0.001 to 1000, got nan"),
    ({"temperature": 1e-5}, "must be a number from 0.001 to 1000, got 0.00001"),
    ({"temperature": -1.5}, "got -1.5"),
    ({"temperature": 1000.1}, "got 1000.1"),
    ({"temperature": True}, "The temperature must be a number"),
    ({"temperature": "1"}, "The temperature must be a number"),
    ({"seed": -1}, "The seed must be a whole number from 0"),
    ({"seed": 1.5}, "The seed must be a whole number from 0"),
]


@pytest.mark.parametrize(("changed", "sentence"), REFUSALS)
def test_what_is_wrong_with_a_table_is_said_in_a_sentence(changed, sentence):
    with pytest.raises(EngineError) as refused:
        validate(replace(Params(), **changed))
    assert sentence in str(refused.value)
    with pytest.raises(EngineError):
        run(replace(Params(), **changed), backend="numpy")


@pytest.mark.parametrize("wrong", ["", "abc", None, 3, 10**400, 2.5, (), ((),), [], {}, ("a",)])
@pytest.mark.parametrize("name", [field.name for field in fields(Params)])
def test_a_field_of_any_type_is_refused_and_never_crashes(name, wrong):
    if (name, wrong) in (("seed", 3), ("temperature", 2.5), ("temperature", 3)):
        return
    with pytest.raises(EngineError) as refused:
        validate(replace(Params(), **{name: wrong}))
    assert len(str(refused.value)) < 700


def test_cells_may_be_text_as_typed():
    cells: dict[str, Any] = {
        "names": [" apple ", "banana", "orange", "lemon"],
        "keys": [["2", "０"], ["0.5", "1.5"], ["−1", "1"], ["0", "-1.5"]],
        "values": (("5",), ("3",), ("7",), ("2",)),
        "query": ("1.5", " 0.5 "),
    }
    typed = replace(Params(), **cells)
    assert table.checked(typed) == Params()
    assert run(typed, backend="numpy").params == Params()
    assert hash(table.checked(typed)) == hash(Params())


def test_limits_are_themselves_allowed(backend):
    rows = range(12)
    most = Params(
        names=tuple(f"k{n}" for n in rows),
        keys=tuple((1000.0, -1000.0, float(n), 1e-6, 0.0, 0.0, 0.0, 0.0) for n in rows),
        values=((1000.0,) * 4,) * 12,
        query=(1000.0,) * 8,
        temperature=0.001,
        seed=999_999,
    )
    for params in (most, replace(most, temperature=1000.0)):
        found = run(params, backend=backend).found.values()
        assert all(each.weights.sum() == pytest.approx(1) for each in found)
    one = Params(names=("a",), keys=((1.0,),), values=((2.0,),), query=(0.0,))
    result = run(one, backend=backend)
    assert result.soft.weights.tolist() == [1.0]
    assert result.soft.output.tolist() == [2.0]
    assert (result.curve == 1).all()


def test_a_result_can_be_shared():
    result = run(Params(), backend="numpy")
    arrays = [getattr(result, name) for name in ("hard_output", "mean_output", "temperatures",
              "curve", "curve_output")]  # fmt: skip
    for each in (*result.found.values(), result.plane):
        arrays += [value for value in vars(each).values() if isinstance(value, np.ndarray)]
    assert len(arrays) == 5 + 5 * 4 + 4
    assert not any(array.flags.writeable for array in arrays)
    heard: list[float] = []
    run(Params(), backend="numpy", progress=heard.append)
    assert heard == [1.0]
    assert result.backend_name == "numpy"
    assert result.precision == get_backend("numpy").precision
    assert oracles.softmax_row(result.soft.scores) == pytest.approx(result.soft.weights)

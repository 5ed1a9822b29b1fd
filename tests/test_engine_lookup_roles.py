"""What a token gives to itself, and the axis of softmax, against loops."""

from __future__ import annotations

import math
import statistics
from dataclasses import fields, replace

import numpy as np
import pytest

from engine.errors import EngineError
from engine.experiments.lookup import roles
from engine.experiments.lookup.axes import AxesParams, compare_axes
from engine.experiments.lookup.roles import RolesParams, measure_roles
from engine.experiments.masks.inputs import head_of
from engine.experiments.student import errors_of_chance
from tests import lookup_oracles, oracles

SMALL = RolesParams(T=3, d_model=4, d_k=2, draws=7, seed=5)


def drawn(params):
    """Return tokens, W_Q and W_K of every draw: three streams of one seed."""
    shapes = ((params.T, params.d_model), *[(params.d_model, params.d_k)] * 2)
    found = [
        np.random.default_rng([params.seed, place]).standard_normal((params.draws, *shape))
        for place, shape in enumerate(shapes)
    ]
    return found[0], *(each / math.sqrt(params.d_model) for each in found[1:])


def traces(params, way):
    for x, w_q, w_k in zip(*drawn(params), strict=True):
        yield oracles.trace(x, w_q, w_q if way == "tied" else w_k, w_q)


@pytest.mark.parametrize("params", [SMALL, replace(SMALL, T=1), replace(SMALL, d_model=1, d_k=1)])
@pytest.mark.parametrize("way", ["free", "tied"])
def test_the_diagonal_is_what_loops_find(backend, params, way):
    result = measure_roles(params, backend=backend)
    role = getattr(result, way)
    found = list(traces(params, way))
    expected = [lookup_oracles.diagonal(trace["weights"]) for trace in found]
    off = 1e-12 if backend.precision == "float64" else 2e-6
    assert role.diagonal == pytest.approx(expected, abs=off)
    assert role.mean == pytest.approx(statistics.mean(expected), abs=off)
    assert role.deviation == pytest.approx(statistics.stdev(expected), abs=4 * off)
    assert role.error == pytest.approx(statistics.stdev(expected) / math.sqrt(7), abs=4 * off)
    np.testing.assert_allclose(role.first, found[0]["weights"], atol=off)
    np.testing.assert_allclose(role.first_scores, found[0]["scaled"], atol=8 * off)
    apart = max(
        abs(trace["scaled"][i][j] - trace["scaled"][j][i])
        for trace in found for i in range(params.T) for j in range(params.T)
    )  # fmt: skip
    largest = max(float(np.abs(trace["scaled"]).max()) for trace in found)
    assert role.asymmetry == pytest.approx(apart / largest, abs=8 * off)
    assert result.even == 1 / params.T


def test_one_token_gives_itself_everything(backend):
    result = measure_roles(replace(SMALL, T=1), backend=backend)
    for role in (result.free, result.tied):
        assert (role.mean, role.deviation, role.error, role.asymmetry) == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_free_projections_leave_the_diagonal_near_one_in_t_and_a_shared_one_does_not(seed):
    result = measure_roles(RolesParams(seed=seed), backend="numpy")
    assert abs(result.free.mean - 1 / 16) < 4 * result.free.error
    assert result.tied.mean == pytest.approx(0.96, abs=0.02)
    assert result.tied.asymmetry < 1e-12 < 0.5 < result.free.asymmetry


def test_the_length_of_a_vector_alone_lifts_the_diagonal_where_lengths_differ_much():
    narrow = measure_roles(RolesParams(d_model=1, d_k=8, draws=1000), backend="numpy")
    assert narrow.free.mean - narrow.even > 4 * narrow.free.error


def test_fewer_draws_are_the_first_of_more_however_they_are_held(backend, monkeypatch):
    whole = measure_roles(SMALL, backend=backend)
    fewer = measure_roles(replace(SMALL, draws=3), backend=backend)
    assert fewer.free.diagonal == pytest.approx(whole.free.diagonal[:3], rel=1e-6)
    monkeypatch.setattr(roles, "BLOCK", 2 * SMALL.d_model * SMALL.T)
    heard: list[float] = []
    blocks = measure_roles(SMALL, backend=backend, progress=heard.append)
    assert blocks.tied.diagonal == pytest.approx(whole.tied.diagonal, rel=1e-6)
    assert heard == pytest.approx([2 / 7, 4 / 7, 6 / 7, 1])
    assert blocks.free.asymmetry == pytest.approx(whole.free.asymmetry, rel=1e-5)
    np.testing.assert_allclose(blocks.free.first, whole.free.first, rtol=1e-5)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"T": 0}, "T must be a whole number from 1 to 64, got 0"),
        ({"T": 65}, "T must be a whole number from 1 to 64, got 65"),
        ({"d_model": 257}, "d_model must be a whole number from 1 to 256"),
        ({"d_k": "64"}, "d_k must be a whole number from 1 to 256"),
        ({"draws": 1}, "The number of draws must be a whole number from 2 to 1000, got 1"),
        ({"seed": -1}, "The seed must be a whole number"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(changed, sentence):
    with pytest.raises(EngineError, match=sentence):
        measure_roles(replace(RolesParams(), **changed), backend="numpy")


@pytest.mark.parametrize("wrong", ["", "abc", None, 2.0, True, 10**400, [], math.nan])
@pytest.mark.parametrize("name", [field.name for field in fields(RolesParams)])
def test_a_field_of_any_type_is_refused_and_never_crashes(name, wrong):
    with pytest.raises(EngineError):
        measure_roles(replace(RolesParams(), **{name: wrong}), backend="numpy")


@pytest.mark.parametrize(
    ("degrees", "errors"),
    [(1, 235.80), (2, 19.21), (3, 9.22), (4, 6.62), (10, 3.96), (20, 3.42), (100, 3.077)],
)
def test_what_chance_reaches_is_that_of_published_tables(degrees, errors):
    """Joint Committee for Guides in Metrology, 100:2008, table G.2, p = 99.73 %."""
    assert errors_of_chance(degrees) == pytest.approx(errors, abs=0.006)


def test_results_can_be_shared():
    role = measure_roles(SMALL, backend="numpy").free
    assert not role.first.flags.writeable
    assert not role.first_scores.flags.writeable
    assert hash(role.diagonal)


# --- The axis of softmax --------------------------------------------------------------

INPUTS = [
    AxesParams(),
    AxesParams(source="sentence", sentence="a b c a", seed=2),
    AxesParams(source="sentence", sentence="alone"),
    AxesParams(source="random", T=24, d_k=5, seed=3),
]


@pytest.mark.parametrize("params", INPUTS, ids=lambda params: f"{params.source}{params.seed}")
def test_columns_are_what_loops_find(backend, params):
    result = compare_axes(params, backend=backend)
    head = head_of(params)
    trace = oracles.trace(head.x, head.w_q, head.w_k, head.w_v)
    columns = np.array([oracles.softmax_row(list(column)) for column in trace["scaled"].T]).T
    off = 1e-12 if backend.precision == "float64" else 1e-5
    np.testing.assert_allclose(result.scores, trace["scaled"], atol=off)
    np.testing.assert_allclose(result.rows, trace["weights"], atol=off)
    np.testing.assert_allclose(result.columns, columns, atol=off)
    np.testing.assert_allclose(result.row_sums, 1, atol=off)
    np.testing.assert_allclose(result.column_sums, 1, atol=off)
    T = len(head.tokens)
    sums = [math.fsum(columns[i]) for i in range(T)]
    np.testing.assert_allclose(result.row_sums_of_columns, sums, atol=8 * off)
    sums = [math.fsum(trace["weights"][:, j]) for j in range(T)]
    np.testing.assert_allclose(result.column_sums_of_rows, sums, atol=8 * off)
    output = oracles.project(columns, trace["v"])
    np.testing.assert_allclose(result.output_rows, trace["output"], atol=8 * off)
    np.testing.assert_allclose(result.output_columns, output, atol=8 * off)
    weights = float(np.abs(columns - trace["weights"]).max())
    assert result.difference_weights == pytest.approx(weights, abs=2 * off)
    outputs = float(np.abs(output - trace["output"]).max())
    assert result.difference_output == pytest.approx(outputs, abs=16 * off)
    assert result.largest_output == pytest.approx(float(np.abs(trace["output"]).max()), abs=8 * off)
    assert result.tokens == head.tokens
    assert not any(each.flags.writeable for each in vars(result).values()
                   if isinstance(each, np.ndarray))  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"source": "sentence", "sentence": " ".join(["ab"] * 25)}, "more than 24 tokens"),
        ({"source": "random", "T": 25}, "T must be a whole number from 2 to 24, got 25"),
        ({"source": "random", "T": 1}, "T must be a whole number from 2 to 24"),
        ({"source": "random", "T": ""}, "T must be a whole number"),
        ({"source": "sentence", "sentence": 3}, "sentence must be text"),
        ({"source": "sentence", "sentence": " "}, "The sentence is empty"),
        ({"source": "random", "d_k": "abc"}, "d_k must be a whole number"),
        ({"source": "random", "seed": None}, "The seed must be a whole number"),
        ({"source": "books"}, "The source must be one of"),
        ({"source": []}, "The source must be one of"),
    ],
)
def test_an_input_that_does_not_fit_is_said_in_a_sentence(changed, sentence):
    with pytest.raises(EngineError, match=sentence):
        compare_axes(replace(AxesParams(), **changed), backend="numpy")

"""Whom "it" means: the picture drawn by hand, what one layer cannot do, and two that can."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError
from engine.experiments.context import single_layer
from engine.experiments.context.pictured import PictureParams, picture_of
from engine.experiments.context.single_layer import (
    SingleLayerParams,
    compare_in_one_layer,
    inputs_of,
)
from engine.experiments.context.two_layers import FEATURES, TwoLayersParams, walk_through
from engine.experiments.masks.inputs import word_vectors
from tests import oracles, property_oracles
from tests.tolerances import TOLERANCES, assert_close

SENTENCE = "The animal didn't cross the street because it was too"
WORDS = {ending: tuple(f"{SENTENCE} {ending}".split()) for ending in ("tired", "wide")}
T, IT, ANIMAL, STREET, LAST = 11, 7, 1, 5, 10
WRONG = ["", "abc", None, float("nan"), -1, True, 10**400]


# The picture ---------------------------------------------------------------------------------


def test_the_picture_has_the_weights_of_the_text():
    tired = picture_of(PictureParams()).of("tired")
    assert tired.tokens == WORDS["tired"]
    assert dict(zip(tired.tokens, tired.weights, strict=True)) == {
        "The": 0.05,
        "animal": 0.45,
        "didn't": 0.02,
        "cross": 0.05,
        "the": 0.03,
        "street": 0.10,
        "because": 0.05,
        "it": None,
        "was": 0.05,
        "too": 0.05,
        "tired": 0.15,
    }
    assert tired.from_text
    assert tired.query == IT
    assert tired.total == 1.0


def test_ours_has_animal_and_street_in_each_others_place():
    tired, wide = picture_of(PictureParams()).endings
    assert (tired.name, wide.name) == ("tired", "wide")
    assert wide.tokens == WORDS["wide"]
    assert not wide.from_text
    swapped = list(tired.weights)
    swapped[ANIMAL], swapped[STREET] = swapped[STREET], swapped[ANIMAL]
    assert list(wide.weights) == swapped
    assert (wide.query, wide.total) == (IT, 1.0)


# One layer -----------------------------------------------------------------------------------

LAYERS = st.builds(
    SingleLayerParams,
    d_model=st.integers(1, 6),
    d_k=st.integers(1, 4),
    heads=st.integers(1, 3),
    seed=st.integers(0, 999),
    positions=st.booleans(),
    spread=st.floats(0, 1.5),
)


@given(LAYERS)
@settings(max_examples=8)
def test_the_row_of_it_is_what_loops_compute(backend, params):
    result = compare_in_one_layer(params, backend=backend)
    x, w_q, w_k = inputs_of(params)
    assert result.tokens == (WORDS["tired"], WORDS["wide"])
    assert result.weights.shape == (2, params.heads, T)
    for side, head in np.ndindex(2, params.heads):
        found = oracles.trace(x[side], w_q[head], w_k[head], w_k[head])
        row, scaled = found["weights"][IT], found["scaled"][IT]
        scores = max(1.0, float(np.abs(scaled).max()))
        assert_close(result.weights[side, head], row, backend.precision, scores=scores)
        assert result.log_ratio[side, head] == pytest.approx(
            scaled[ANIMAL] - scaled[STREET],
            abs=(TOLERANCES[backend.precision].score + 1e-13) * scores * 10,
        )
    moved = np.abs(result.weights[0] - result.weights[1]).sum(axis=-1) / 2
    assert result.movement == pytest.approx(moved, abs=1e-6)
    assert result.largest_difference == result.difference.max()


@given(LAYERS)
@settings(max_examples=25)
def test_no_matrices_change_the_ratio_of_two_weights(backend, params):
    result = compare_in_one_layer(params, backend=backend)
    assert result.ratio_is_kept
    assert result.largest_difference <= result.rounding
    assert result.rounding < {"float64": 1e-10, "float32": 0.05}[backend.precision]


@pytest.mark.parametrize(
    "params",
    [
        SingleLayerParams(256, 256, 2, 5, positions=True, spread=4.0),
        SingleLayerParams(1, 1, 64, 5, positions=False, spread=4.0),
    ],
)
def test_the_sharpest_heads_keep_the_ratio_where_weights_vanish(backend, params):
    result = compare_in_one_layer(params, backend=backend)
    assert np.isfinite(result.log_ratio).all()
    assert np.abs(result.log_ratio).max() > 20
    assert result.ratio_is_kept


def test_the_weights_themselves_change_with_the_last_word(backend):
    result = compare_in_one_layer(SingleLayerParams(), backend=backend)
    first, second = result.weights[..., LAST]
    assert (np.abs(first - second) > 0.005).all()
    assert (result.movement > 0.005).all()
    assert result.weights.sum(axis=-1) == pytest.approx(np.ones((2, 8)), abs=1e-6)


def test_a_word_that_took_up_its_context_would_change_the_ratio(backend, monkeypatch):
    """The measure can fail: the same heads on vectors that know a little of the last word."""

    def mixed(tokens, seed, d_model):
        vectors = word_vectors(tokens, seed, d_model)
        return vectors + 0.1 * vectors[-1]

    monkeypatch.setattr(single_layer, "word_vectors", mixed)
    result = compare_in_one_layer(SingleLayerParams(), backend=backend)
    assert result.largest_difference > 0.05
    assert not result.ratio_is_kept


def test_words_are_static_and_places_are_added():
    placed, plain = (
        inputs_of(SingleLayerParams(d_model=6, positions=positions))[0]
        for positions in (True, False)
    )
    np.testing.assert_array_equal(plain[0][:LAST], plain[1][:LAST])
    assert not np.array_equal(plain[0][LAST], plain[1][LAST])
    assert not np.array_equal(plain[0][0], plain[0][4]), "upper and lower case are two words"
    for side in (0, 1):
        np.testing.assert_allclose(placed[side], property_oracles.placed(plain[side]), atol=1e-14)


def test_a_head_is_the_same_beside_others_and_as_wide_as_said():
    few, many = (inputs_of(SingleLayerParams(64, 32, heads)) for heads in (2, 5))
    np.testing.assert_array_equal(few[1], many[1][:2])
    np.testing.assert_array_equal(few[2], many[2][:2])
    wider = inputs_of(SingleLayerParams(64, 32, 5, spread=2.0))
    for usual, wide in zip(many[1:], wider[1:], strict=True):
        assert usual.std() * 8 == pytest.approx(1, abs=0.03)
        np.testing.assert_allclose(wide, 2 * usual)
    assert not np.array_equal(many[1], many[2])


@pytest.mark.parametrize("name", ["d_model", "d_k", "heads", "seed", "positions", "spread"])
@pytest.mark.parametrize("value", WRONG)
def test_a_layer_that_cannot_be_is_refused(name, value):
    if (name, value) == ("positions", True):
        return
    with pytest.raises(EngineError):
        compare_in_one_layer(replace(SingleLayerParams(), **{name: value}), backend="numpy")


def test_nobody_writes_into_a_result(backend):
    result = compare_in_one_layer(SingleLayerParams(), backend=backend)
    walk = walk_through(TwoLayersParams(), backend=backend)
    arrays = [result.weights, result.log_ratio, walk.layers[0].w_q, *walk.endings[0].states]
    arrays += [walk.endings[1].traces[1].weights]
    assert not any(array.flags.writeable for array in arrays)


# Two layers ----------------------------------------------------------------------------------

LIVING, WIDTH, PRONOUN, ASKS_LIVING, ASKS_WIDTH = range(5)


def by_loops(ending, strength, *, residual):
    """Return rows of "it" and states of the model, from matrices that are written here."""
    x = np.zeros((T, 5))
    x[ANIMAL, LIVING] = x[STREET, WIDTH] = x[IT, PRONOUN] = 1
    x[LAST, ASKS_LIVING if ending == "tired" else ASKS_WIDTH] = 1
    w_q = [np.zeros((5, 1)), np.zeros((5, 2))]
    w_k = [np.zeros((5, 1)), np.zeros((5, 2))]
    w_v = [np.zeros((5, 5)), np.zeros((5, 5))]
    w_q[0][PRONOUN, 0] = strength
    w_k[0][ASKS_LIVING, 0] = w_k[0][ASKS_WIDTH, 0] = 1
    w_v[0][ASKS_LIVING, ASKS_LIVING] = w_v[0][ASKS_WIDTH, ASKS_WIDTH] = 1
    w_q[1][ASKS_LIVING, 0] = w_q[1][ASKS_WIDTH, 1] = strength
    w_k[1][LIVING, 0] = w_k[1][WIDTH, 1] = 1
    w_v[1][LIVING, LIVING] = w_v[1][WIDTH, WIDTH] = 1
    rows, states = [], [x]
    for layer in (0, 1):
        found = oracles.trace(states[-1], w_q[layer], w_k[layer], w_v[layer])
        rows.append(found["weights"][IT])
        states.append(found["output"] + (states[-1] if residual else 0))
    return rows, states


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("strength", [0, 0.3, 4.0, 50.0])
def test_both_layers_are_what_loops_compute(backend, strength, residual):
    result = walk_through(TwoLayersParams(strength, residual), backend=backend)
    assert result.features == FEATURES
    for walk in result.endings:
        rows, states = by_loops(walk.name, strength, residual=residual)
        for layer in (0, 1):
            error = {"dtype": backend.precision, "scores": strength}
            assert_close(walk.row(layer), rows[layer], **error)
            ratio = math.log(rows[layer][ANIMAL] / rows[layer][STREET])
            assert walk.log_ratios[layer] == pytest.approx(ratio, abs=2e-5)
        for count, state in enumerate(states):
            assert_close(walk.states[count], state, backend.precision, scores=strength)
            np.testing.assert_array_equal(walk.carried(count), walk.states[count][IT])


@given(st.floats(0.01, 50))
def test_it_finds_its_noun_by_the_formula_of_both_softmaxes(backend, strength):
    """Layer 1 gives e^s : 1 for each of 10 words, layer 2 e^(s a / root 2) : 1."""
    result = walk_through(TwoLayersParams(strength), backend=backend)
    heard = math.exp(strength) / (math.exp(strength) + T - 1)
    found = math.exp(strength * heard / math.sqrt(2))
    for walk, noun, other in ((result.endings[0], ANIMAL, STREET), (result.endings[1], STREET, 1)):
        assert walk.found == noun
        assert walk.row(0)[LAST] == pytest.approx(heard, rel=1e-4)
        assert walk.row(1)[noun] == pytest.approx(found / (found + T - 1), rel=1e-4)
        assert walk.row(1)[other] == pytest.approx(1 / (found + T - 1), rel=1e-3)
        assert walk.log_ratios[0] == 0.0, "layer 1 alone tells the nouns apart with neither ending"
        assert walk.row(0)[ANIMAL] == walk.row(0)[STREET]
    assert result.is_turned


@pytest.mark.parametrize("strength", [3e-4, 1e-4, 1e-5, 1e-9, 1e-3, 2e-3])
def test_what_it_finds_is_not_up_to_the_backend(backend, strength):
    """A lead of s a / root 2 is less than 256 steps of float32 up to a strength of 4.7e-4."""
    result = walk_through(TwoLayersParams(strength), backend=backend)
    heard = math.exp(strength) / (math.exp(strength) + T - 1)
    lead = strength * heard / math.sqrt(2)
    assert result.is_turned == (lead > 3.05e-5)
    for walk in result.endings:
        assert (walk.found is None) == (lead < 3.05e-5)
        assert walk.lead == pytest.approx(lead, abs=1e-6)


@pytest.mark.parametrize("params", [TwoLayersParams(0.0), TwoLayersParams(residual=False)])
def test_without_sharpness_or_residual_it_finds_nothing(backend, params):
    result = walk_through(params, backend=backend)
    assert [walk.found for walk in result.endings] == [None, None]
    assert not result.is_turned
    assert np.ptp(result.endings[0].row(1)) < 1e-6


def test_it_ends_as_what_the_sentence_made_of_it(backend):
    """The same word, two vectors: one knows of the living, the other of a width."""
    result = walk_through(TwoLayersParams(10.0), backend=backend)
    tired, wide = (result.of(name) for name in ("tired", "wide"))
    np.testing.assert_array_equal(tired.carried(0), wide.carried(0))
    assert np.argmax(tired.carried(2)[[LIVING, WIDTH]]) == LIVING
    assert np.argmax(wide.carried(2)[[LIVING, WIDTH]]) == WIDTH
    mirrored = wide.carried(2)[[WIDTH, LIVING, PRONOUN, ASKS_WIDTH, ASKS_LIVING]]
    assert_close(tired.carried(2), mirrored, backend.precision, scores=10)


@pytest.mark.parametrize("name", ["strength", "residual"])
@pytest.mark.parametrize("value", [*WRONG, 50.01])
def test_two_layers_that_cannot_be_are_refused(name, value):
    if (name, value) == ("residual", True):
        return
    with pytest.raises(EngineError):
        walk_through(replace(TwoLayersParams(), **{name: value}), backend="numpy")

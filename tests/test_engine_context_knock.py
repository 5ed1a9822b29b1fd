"""Keys that are knocked out: the effect on a token, and what its weight says of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

from engine.errors import ModelError, OptionError
from engine.experiments.context import effects as measuring
from engine.experiments.context.effects import ROWS, SCOPES, every_place, place_of, removable
from engine.experiments.context.knock import KnockParams, knock
from engine.experiments.context.ranks import chance_of, mean_ranks, rank_correlation
from engine.experiments.context.recorded import record
from engine.experiments.context.sentences import CHINESE, PAIRS, RECORDED
from engine.experiments.context.study import StudyParams, study
from engine.models.loading import load
from tests import context_oracles as oracles
from tests import real_model
from tests.model_folders import write_model

CASES = [(scope, rows) for scope in SCOPES for rows in ROWS]
TEXT = {"bert": "it was too tired", "gpt2": "the it an it"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Tiny models with generated weights, a folder for each family."""
    return {
        family: str(write_model(tmp_path_factory.mktemp("models") / family, family, seed=3))
        for family in TEXT
    }


def lacking(params, query, key):
    """Return who lacks the key: a function of layer, head, query and key, from 0."""

    def lacks(layer, head, i, j):
        return (
            j == key
            and (params.rows == "all" or i == query)
            and (params.scope == "everywhere" or layer == params.layer - 1)
            and (params.scope != "head" or head == params.head - 1)
        )

    return lacks


def oracle_effects(folder, family, params, ids, query):
    """Return the effects in float64, from the model's files."""
    config = json.loads((Path(folder) / "config.json").read_text("utf-8"))
    tensors = load_file(f"{folder}/model.safetensors")
    model = (oracles.Bert if family == "bert" else oracles.Gpt2)(tensors, config)
    whole = model.final(ids, lambda *_: False)[query]
    found: list[float] = []
    for key in range(len(ids)):
        if not oracles.removable(len(ids), family == "gpt2", query, params.rows, key):
            found.append(math.nan)
            continue
        moved = model.final(ids, lacking(params, query, key))[query]
        found.append(float(np.linalg.norm(moved - whole) / np.linalg.norm(whole)))
    return found


@pytest.mark.parametrize("family", TEXT)
@pytest.mark.parametrize(("scope", "rows"), CASES)
def test_effects_are_those_of_a_model_that_lacks_the_key(family, scope, rows, backend, folders):
    folder, text = folders[family], TEXT[family]
    params = KnockParams(folder, "", text, query=4, scope=scope, layer=2, head=3, rows=rows)
    shares: list[float] = []
    found = knock(params, backend=backend, progress=shares.append)
    ids = load(folder).encode(text).ids
    expected = oracle_effects(folder, family, params, ids, 3)
    np.testing.assert_allclose(found.effects, expected, atol=1e-5)
    known = [n for n, each in enumerate(expected) if not math.isnan(each)]
    assert found.measured == len(known) >= 3
    assert found.top_effect == max(known, key=lambda n: expected[n])
    assert found.top_weight == max(known, key=lambda n: found.weights[n])
    weights = [[found.study.attention[layer, head, 3] for head in range(4)] for layer in range(3)]
    every = [row for layer in weights for row in layer]
    here = {"head": weights[1][2:3], "layer": weights[1], "everywhere": every}
    np.testing.assert_allclose(found.weights, np.mean(here[scope], axis=0), atol=1e-6)
    lists = [[values[n] for n in known] for values in (found.weights, found.effects)]
    assert found.correlation == pytest.approx(oracles.spearman(*lists), abs=1e-12)
    assert shares[-1] == 1
    assert found.backend_name == backend.name


def test_the_record_holds_what_the_real_model_gives():
    """Each kind of place, both kinds of rows: a sample, since all of them take minutes."""
    folder = str(real_model.folder())
    asked = [
        KnockParams(folder, "", PAIRS[0].first, 11, "head", 5, 1, "token"),
        KnockParams(folder, "", PAIRS[1].second, 0, "layer", 3, 1, "token"),
        KnockParams(folder, "", CHINESE, 4, "everywhere", 1, 1, "token"),
        KnockParams(folder, "", PAIRS[2].first, 2, "head", 6, 12, "all"),
        KnockParams(folder, "", PAIRS[3].first, 0, "layer", 1, 1, "all"),
        KnockParams(folder, "", PAIRS[0].second, 1, "everywhere", 1, 1, "all"),
    ]
    for params in asked:
        live = knock(params, backend="numpy")
        kept = knock(replace(params, model=""))
        assert not live.study.recorded
        assert kept.study.recorded
        np.testing.assert_allclose(kept.effects, live.effects, rtol=0, atol=1e-5)
        np.testing.assert_allclose(kept.weights, live.weights, rtol=0, atol=1e-5)
        assert kept.query == live.query


@pytest.mark.parametrize("text", RECORDED)
def test_every_knock_out_of_a_recorded_text_is_there(text):
    found = record().texts[text]
    T = len(found.tokens)
    assert found.effects.shape == (2, 6 * 12 + 6 + 1, T, T)
    assert np.isfinite(found.effects).all()
    assert (found.effects >= 0).all()
    for number, (layer, head) in {0: (1, 1), 48: (5, 1), 71: (6, 12)}.items():
        kept = knock(KnockParams(text=text, query=T, layer=layer, head=head, rows="all"))
        np.testing.assert_array_equal(kept.effects, found.effects[1, number, T - 1])
        np.testing.assert_array_equal(
            kept.weights, found.attention[layer - 1, head - 1, T - 1].astype(np.float64)
        )


@given(st.integers(1, 6), st.booleans(), st.integers(0, 5), st.sampled_from(ROWS))
def test_a_key_is_taken_where_every_token_keeps_one(T, causal, query, rows):
    query = min(query, T - 1)
    expected = [oracles.removable(T, causal, query, rows, key) for key in range(T)]
    assert removable(T, causal, query, rows).tolist() == expected


def test_nothing_is_measured_of_a_token_that_sees_itself_alone(folders):
    found = knock(KnockParams(folders["gpt2"], "", "a", layer=1))
    assert found.study.length == 1
    assert (found.measured, found.top_weight, found.top_effect) == (0, -1, -1)
    assert np.isnan([*found.effects, found.correlation, found.chance]).all()


def test_places_are_numbered_as_they_are_recorded():
    read = study(StudyParams())
    places = every_place(6, 12)
    assert [place.number for place in places] == list(range(79))
    for layer in range(1, 7):
        for head in range(1, 13):
            found = place_of(read, "head", layer, head)
            assert found == places[(layer - 1) * 12 + head - 1]
            assert found.of(read.attention).shape[:2] == (1, 1)
        assert place_of(read, "layer", layer, 99) == places[72 + layer - 1]
    assert place_of(read, "everywhere", 99, 99) == places[-1]


# What is refused.


@pytest.mark.parametrize("value", ["", "Head", None, 3, math.nan, "x" * 999, "tokens"])
def test_scope_and_rows_are_among_those_there_are(value):
    for name in ("scope", "rows"):
        with pytest.raises(OptionError, match="A key is knocked out") as caught:
            knock(replace(KnockParams(), **{name: value}))
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [0, 13, -1, 1.0, "1", "", None, True, math.nan, 10**400])
def test_layer_and_head_are_those_of_the_model(value):
    for name, most in (("layer", 6), ("head", 12)):
        with pytest.raises(OptionError, match=f"{name} must be a whole number from 1 to {most}"):
            knock(replace(KnockParams(), **{name: value}))
    knock(KnockParams(scope="everywhere", layer=7, head=13))  # there they do not count
    knock(KnockParams(scope="layer", head=13))


@pytest.mark.parametrize("value", [17, -1, 1.0, "", None])
def test_the_token_is_one_of_the_text(value):
    with pytest.raises(OptionError, match="whole number from 0 to 16"):
        knock(KnockParams(query=value))


def test_long_texts_and_changed_models_are_refused(folders, monkeypatch):
    params = KnockParams(folders["bert"], "", TEXT["bert"], layer=1)
    other = replace(study(StudyParams(params.model, "", params.text)), version="0" * 12)
    with pytest.raises(ModelError, match="is wanted"):
        knock(params, study=lambda _: other)
    monkeypatch.setattr(measuring, "MOST_TOKENS", 5)
    with pytest.raises(OptionError, match="at most 5 tokens, got 6"):
        knock(params)
    with pytest.raises(ModelError, match="load a model"):
        knock(KnockParams(text="it"))


def test_a_listener_can_stop_it(folders):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        knock(KnockParams(folders["bert"], "", "it", layer=1), progress=stop)


# Ranks.

NUMBERS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=3, max_size=12)


@given(NUMBERS)
def test_rank_correlation_is_that_of_loops(pairs):
    one, other = (np.array(each, float) for each in zip(*pairs, strict=True))
    assert mean_ranks(one).tolist() == [oracles.rank(one.tolist(), n) for n in one.tolist()]
    found = rank_correlation(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert math.isnan(found)
        return
    assert found == pytest.approx(oracles.spearman(one.tolist(), other.tolist()), abs=1e-12)
    assert rank_correlation(one**3, other) == pytest.approx(found, abs=1e-12)
    assert -1 <= found <= 1


def test_what_two_numbers_say_is_nothing():
    assert math.isnan(rank_correlation(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    assert math.isnan(chance_of(2))
    three = np.arange(3.0)
    assert rank_correlation(three, three) == pytest.approx(1, abs=1e-12)
    assert rank_correlation(three, -three) == pytest.approx(-1, abs=1e-12)


@pytest.mark.parametrize("count", [10, 17, 60])
def test_one_correlation_in_twenty_exceeds_chance(count):
    draw, fixed = np.random.default_rng(count), np.arange(float(count))
    found = [abs(rank_correlation(fixed, draw.permutation(count))) for _ in range(1000)]
    share = float(np.mean(np.array(found) > chance_of(count)))
    assert share == pytest.approx(0.05, abs=0.02)


def test_what_rounding_moves_has_no_effect():
    whole = np.array([1.0, 0.0], np.float32)
    lacking_ = np.array([[1.0, 1e-7], [1.0, 1e-3]], np.float32)
    found = measuring.relative(lacking_, whole)
    assert found[0] == 0
    assert found[1] == pytest.approx(1e-3, rel=1e-5)
    assert measuring.relative(lacking_[:, ::-1] * 0, whole * 0).tolist() == [0, 0]

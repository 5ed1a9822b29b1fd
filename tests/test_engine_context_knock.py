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
from safetensors.numpy import load_file, save_file

from engine.backends import get_backend
from engine.errors import ModelError, OptionError
from engine.experiments.context import effects as measuring
from engine.experiments.context.effects import (
    ROWS,
    SCOPES,
    Scope,
    every_place,
    place_of,
    removable,
)
from engine.experiments.context.knock import KnockParams, correlation_of, knock
from engine.experiments.context.ranks import chance_of, mean_ranks, rank_correlation
from engine.experiments.context.record import recorded_floors
from engine.experiments.context.recorded import record
from engine.experiments.context.sentences import CHINESE, PAIRS, RECORDED
from engine.experiments.context.study import StudyParams, study
from engine.models.forward import run_model
from engine.models.loading import load
from engine.models.nudged import run_nudged
from engine.models.steps import Steps
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
    assert found.top_effect in found.top_effects
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
        kept = knock(
            KnockParams(text=text, query=T, scope="head", layer=layer, head=head, rows="all")
        )
        above = np.maximum(kept.floor, 1e-5)
        np.testing.assert_array_equal(np.where(kept.effects > above, kept.effects, 0),
                                      np.where(found.effects[1, number, T - 1] > above,
                                               found.effects[1, number, T - 1], 0))  # fmt: skip
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
        with pytest.raises(OptionError, match="A key is cut") as caught:
            knock(replace(KnockParams(), **{name: value}))
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [0, 13, -1, 1.0, "1", "", None, True, math.nan, 10**400])
def test_layer_and_head_are_those_of_the_model(value):
    for name, most in (("layer", 6), ("head", 12)):
        with pytest.raises(OptionError, match=f"{name} must be a whole number from 1 to {most}"):
            knock(replace(KnockParams(scope="head"), **{name: value}))
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


def test_an_effect_is_a_share_of_the_length():
    whole = np.array([3.0, 4.0], np.float32)
    found = measuring.relative(np.array([[3.0, 4.0], [3.0, 4.5]], np.float32), whole)
    assert found.tolist() == pytest.approx([0, 0.1])
    assert measuring.relative(np.zeros((2, 2)), whole * 0).tolist() == [0, 0]
    kept = measuring.above(np.array([1e-6, 2e-6, 3e-6, math.nan]), 2e-6).tolist()
    assert kept[:3] == [0, 0, 3e-6]
    assert math.isnan(kept[3])


# Rounding.

DEEP = "the animal didn't cross the street because it was too tired"


@pytest.fixture(scope="module")
def sharp(tmp_path_factory):
    """A deep model whose softmaxes are sharp: it makes thousands of times as much of rounding."""
    folder = tmp_path_factory.mktemp("models") / "sharp"
    write_model(folder, "bert", seed=3, num_hidden_layers=12)
    tensors = load_file(folder / "model.safetensors")
    sharper = {name: each * 12 for name, each in tensors.items() if "self.query" in name
               or "self.key" in name}  # fmt: skip
    save_file({**tensors, **sharper}, folder / "model.safetensors")
    return str(folder)


def test_what_is_not_looked_at_has_no_effect_however_far_rounding_carries(sharp, backend):
    asked = KnockParams(sharp, "", DEEP, query=3, scope="head", layer=1)
    unseen = moved = 0
    for head in range(1, 5):
        found = knock(replace(asked, head=head), backend=backend)
        none = found.weights < 1e-12
        unseen += none.sum()
        moved += (found.effects > 0).sum()
        assert (found.effects[none] == 0).all()
        assert found.floor > 1e-5
        assert ((found.effects == 0) | (found.effects > found.floor)).all()
    assert unseen > 20
    assert moved > 0


def test_the_floor_is_low_where_rounding_carries_no_farther(folders, backend):
    ids = load(folders["bert"]).encode(TEXT["bert"]).ids
    for layer, head in ((1, 1), (3, 2)):
        params = KnockParams(folders["bert"], "", TEXT["bert"], query=4, scope="head",
                             layer=layer, head=head)  # fmt: skip
        found = knock(params, backend=backend)
        expected = np.array(oracle_effects(folders["bert"], "bert", params, ids, 3))
        assert 1e-6 < found.floor < 1e-5
        assert (np.abs(found.effects - expected) < found.floor).all()


def test_nudged_runs_differ_by_single_steps_of_float32(folders, backend):
    model = load(folders["gpt2"])
    ids = model.encode(TEXT["gpt2"]).ids
    whole = run_model(model.config, model.parameters, ids, backend=backend).final
    found = run_nudged(model.config, model.parameters, ids, start=2, runs=3, backend=backend)
    again = run_nudged(model.config, model.parameters, ids, start=2, runs=3, backend=backend)
    np.testing.assert_array_equal(found, again)
    assert found.shape == (3, *whole.shape)
    apart = [np.linalg.norm(each - whole) / np.linalg.norm(whole) for each in found]
    assert 1e-8 < min(apart) <= max(apart) < 1e-5
    assert not np.array_equal(found[0], found[1])


def test_numbers_are_nudged_before_each_layer_and_after_the_last(folders, monkeypatch):
    """With layers that do nothing, every number takes four steps of float32, up or down."""
    monkeypatch.setattr(Steps, "layer", lambda _self, _layer, x, _visible: (x, None))
    model = load(folders["bert"])
    ids = model.encode(TEXT["bert"]).ids
    whole = entering_vectors(model, ids)
    found = run_nudged(model.config, model.parameters, ids, runs=4, backend="numpy")
    steps = np.rint((found - whole) / np.spacing(np.abs(whole)))
    seen, counts = np.unique(steps, return_counts=True)
    common = [
        int(each) for each, count in zip(seen, counts, strict=True) if count > steps.size / 50
    ]
    assert common == [-4, -2, 0, 2, 4]


def entering_vectors(model, ids):
    """Return what enters the first layer, (T, width)."""
    return Steps(model.config, model.parameters, ids, get_backend("numpy")).embedded()[0]


@pytest.mark.parametrize("text", RECORDED)
def test_the_record_has_nothing_between_nought_and_rounding(text):
    found = record().texts[text]
    T = len(found.tokens)
    assert found.floors.shape == (6, T)
    assert (found.floors >= np.float32(2e-6)).all()
    assert found.floors.max() < 1e-5
    asked: list[tuple[int, Scope, int]] = [(1, "head", 1), (T, "layer", 2), (T, "everywhere", 1)]
    for query, scope, layer in asked:
        for rows in ROWS:
            kept = knock(KnockParams(text=text, query=query, scope=scope, layer=layer, rows=rows))
            assert kept.floor == found.floors[layer - 1, query - 1]
            number = place_of(kept.study, scope, layer, 1).number
            there = found.effects[ROWS.index(rows), number, query - 1].tolist()
            expected = [0 if each <= kept.floor else each for each in there]
            assert kept.effects.tolist() == expected


def test_the_floors_of_the_record_are_those_of_the_real_model():
    model = load(str(real_model.folder()))
    assert model.version == record().version
    for text in (RECORDED[3], CHINESE):
        encoded = model.encode(text)
        whole = run_model(model.config, model.parameters, encoded.ids, backend="numpy").final
        live = recorded_floors(model, encoded, whole)
        np.testing.assert_allclose(record().texts[text].floors, live, rtol=0.5)


def test_several_keys_can_be_the_largest():
    read = study(StudyParams())
    T, weights = read.length, np.zeros_like(read.attention)
    weights[..., :] = 1 / T
    alike = knock(
        KnockParams(query=3, scope="head"), study=lambda _: replace(read, attention=weights)
    )
    assert alike.top_weights == tuple(range(T))
    assert alike.top_weight == 0
    assert len(alike.top_effects) == 1
    weights[..., [2, 5]] = 0.2
    weights[..., 5] *= 1 + 1e-7
    two = knock(
        KnockParams(query=3, scope="head"), study=lambda _: replace(read, attention=weights)
    )
    assert (two.top_weight, two.top_weights) == (2, (2, 5))
    weights[..., 5] *= 1 + 1e-4
    one = knock(
        KnockParams(query=3, scope="head"), study=lambda _: replace(read, attention=weights)
    )
    assert (one.top_weight, one.top_weights) == (5, (5,))


def test_effects_that_are_mostly_rounding_have_no_order():
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    assert math.isnan(correlation_of(weights, np.array([3.0, 0.0, 0.0, 0.0])))
    assert correlation_of(weights, np.array([3.0, 2.0, 0.0, 0.0])) == pytest.approx(
        np.corrcoef([4, 3, 2, 1], [4, 3, 1.5, 1.5])[0, 1]
    )

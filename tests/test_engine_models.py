"""A whole model's forward pass, against PyTorch's recorded numbers and a model written in loops."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import get_backend
from engine.errors import ModelError, OutOfMemoryError
from engine.models import memory
from engine.models.activations import activate, complementary_error
from engine.models.bert import run_layer
from engine.models.config import config_from
from engine.models.forward import run_model
from engine.models.parameters import assembled, expected
from tests import model_oracles, real_model
from tests.record_reference import DATA, STEPS, TEXTS

RIGHT = 1e-4  # as close as every weight and vector of a real model must be
FAMILIES = ("bert", "gpt2")
# Parts of the names that BERT and GPT-2 give the same weights.
HIT = {
    "words": ("word_embeddings", "wte"),
    "inner": ("intermediate.dense.weight", "c_fc.weight"),
    "queries and keys": ("query.weight", "key.weight", "c_attn.weight"),
    "values": ("value.weight", "attn.c_proj.weight"),
    "gain": ("0.output.LayerNorm.weight", "0.ln_2.weight"),
}


def built(values, weights):
    """Return the configuration and the parameters of a checkpoint in memory."""
    config = config_from(values)
    return config, assembled(config, expected(config, weights), dict(weights))


def generated(family, seed=0, **sizes):
    """Return config.json, the weights, and both as the engine has them."""
    usual = {"layers": 2, "heads": 2, "size": 3, "inner": 5, "vocabulary": 9, "positions": 8}
    activation = "gelu" if family == "bert" else "gelu_new"
    asked = {**usual, "activation": activation, **sizes}
    values = model_oracles.generated_config(family, **asked)
    weights = model_oracles.generated_weights(values, np.random.default_rng(seed))
    return values, weights, *built(values, weights)


@pytest.fixture(scope="module")
def minilm():
    safetensors = pytest.importorskip("safetensors.numpy")
    folder = real_model.folder()
    values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return built(values, safetensors.load_file(folder / "model.safetensors"))


@pytest.fixture(scope="module")
def recorded():
    with np.load(DATA / "reference_minilm.npz", allow_pickle=False) as kept:
        return dict(kept)


@pytest.mark.parametrize("name", TEXTS)
def test_a_real_model_gives_what_pytorch_gives(backend, minilm, recorded, name):
    rows = recorded[f"{name}.rows"]
    config, parameters = minilm
    passed = run_model(config, parameters, recorded[f"{name}.ids"], backend=backend)
    attention = recorded[f"{name}.attention"] / STEPS
    assert np.abs(passed.attention[:, :, rows] - attention).max() < RIGHT
    assert np.abs(passed.final[rows] - recorded[f"{name}.final"]).max() < RIGHT
    assert passed.attention.dtype == passed.final.dtype == np.float32


def test_the_recorded_texts_are_of_every_kind(recorded):
    lengths = {name: len(recorded[f"{name}.ids"]) for name in TEXTS}
    unknown = 100  # [UNK] in BERT's vocabulary
    assert len(lengths) == 5
    assert lengths["long"] > 128
    assert unknown in recorded["chinese.ids"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_model_as_transformers_writes_it_gives_what_pytorch_gives(backend, family):
    with np.load(DATA / "reference_tiny.npz", allow_pickle=False) as kept:
        own = {key: kept[key] for key in kept.files if key.startswith(family)}
    start = f"{family}.weights."
    weights = {key.removeprefix(start): own[key] for key in own if key.startswith(start)}
    assert not any(name.startswith(("embeddings", "wte")) for name in weights), "with a prefix"
    config, parameters = built(json.loads(str(own[f"{family}.config"])), weights)
    passed = run_model(config, parameters, own[f"{family}.ids"], backend=backend)
    assert np.abs(passed.attention - own[f"{family}.attention"]).max() < RIGHT / 10
    assert np.abs(passed.final - own[f"{family}.final"]).max() < RIGHT / 10


@given(
    family=st.sampled_from(FAMILIES),
    layers=st.integers(1, 3),
    heads=st.integers(1, 3),
    size=st.integers(2, 4),
    inner=st.integers(1, 7),
    activation=st.sampled_from(["gelu", "gelu_new", "relu"]),
    seed=st.integers(0, 99),
    data=st.data(),
)
@settings(max_examples=20)
def test_any_model_gives_what_loops_give(backend, family, seed, data, **sizes):
    values, weights, config, parameters = generated(family, seed, **sizes)
    ids = data.draw(st.lists(st.integers(0, 8), min_size=1, max_size=6))
    attention, final = model_oracles.forward(values, weights, ids)
    passed = run_model(config, parameters, ids, backend=backend)
    assert passed.attention.shape == (config.layers, config.heads, len(ids), len(ids))
    np.testing.assert_allclose(passed.attention, attention, atol=RIGHT)
    np.testing.assert_allclose(passed.final, final, atol=RIGHT * np.abs(final).max())


def test_a_decoder_sees_nothing_that_comes_later(backend):
    _, _, config, parameters = generated("gpt2")
    one, other = (
        run_model(config, parameters, [4, 2, 7, last], backend=backend) for last in (0, 8)
    )
    assert not np.triu(one.attention, 1).any()
    np.testing.assert_array_equal(one.final[:3], other.final[:3])
    assert np.abs(one.final[3] - other.final[3]).max() > 0.1


def test_what_a_run_gives_is_written_by_no_one(backend):
    _, _, config, parameters = generated("bert")
    passed = run_model(config, parameters, [1, 2], backend=backend)
    for array in (passed.attention, passed.final, parameters.words, *parameters.layers[0].arrays()):
        assert not array.flags.writeable


def test_progress_is_told_after_each_layer(backend):
    _, _, config, parameters = generated("bert", layers=4)
    told: list[float] = []
    run_model(config, parameters, [1, 2], backend=backend, progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_listener_that_raises_stops_the_run(backend):
    class StopError(Exception):
        pass

    def stop(_share):
        raise StopError

    _, _, config, parameters = generated("bert")
    with pytest.raises(StopError):
        run_model(config, parameters, [1, 2], backend=backend, progress=stop)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([], "1 to 8 tokens, got 0"),
        (np.zeros(0, int), "1 to 8 tokens, got 0"),
        ([0] * 9, "1 to 8 tokens, got 9"),
        ([0, 9], "Token 2 is number 9 of the vocabulary, and the model has vectors for numbers 0"),
        ([-1], "Token 1 is number -1"),
        ([0.5], "whole numbers in one row, got float64"),
        (["a"], "whole numbers in one row"),
        ([[1, 2]], "of shape (1, 2)"),
        ([True], "got bool"),
    ],
)
def test_what_is_no_token_of_the_model_is_refused(ids, said):
    _, _, config, parameters = generated("bert")
    with pytest.raises(ModelError) as refused:
        run_model(config, parameters, ids, backend="numpy")
    assert said in str(refused.value)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", HIT)
@pytest.mark.parametrize("factor", [1e20, 1e38])
def test_numbers_that_overflow_are_refused_and_never_read_as_zero(backend, family, name, factor):
    _, weights, _, _ = generated(family, seed=3)
    values = generated(family)[0]
    hit = HIT[name]
    large = {
        key: array * np.float32(factor) if any(each in key for each in hit) else array
        for key, array in weights.items()
    }
    config, parameters = built(values, large)
    try:
        passed = run_model(config, parameters, [1, 5, 2], backend=backend)
    except ModelError as error:
        assert "overflow float32" in str(error)
        return
    # What can be held in float32 is right, and what is right can be compared with loops.
    attention, final = model_oracles.forward(values, large, [1, 5, 2])
    np.testing.assert_allclose(passed.attention, attention, atol=RIGHT)
    np.testing.assert_allclose(passed.final, final, atol=RIGHT * np.abs(final).max())


def test_a_text_too_long_for_the_memory_is_refused_before_it_begins(backend, monkeypatch):
    _, _, config, parameters = generated("bert")
    monkeypatch.setattr(backend, "free_bytes", lambda: 10)
    monkeypatch.setattr(backend, "run", lambda *_: pytest.fail("nothing that does not fit begins"))
    with pytest.raises(OutOfMemoryError, match="needs 1 MB, and 0 MB are free"):
        run_model(config, parameters, [1, 2], backend=backend)


@pytest.mark.parametrize(("heads", "T", "inner"), [(8, 64, 64), (2, 48, 512), (1, 8, 16)])
def test_a_layer_takes_no_more_than_is_reckoned(heads, T, inner):
    _, _, config, parameters = generated("bert", heads=heads, size=16, inner=inner, positions=T)
    x = np.random.default_rng(0).normal(size=(3, T, config.width)).astype(np.float32)
    visible = np.ones((1, 1, T, T), bool)
    arrays = (x, visible, *parameters.layers[0].arrays())
    static = {"heads": heads, "epsilon": 1e-3, "activation": "gelu"}
    peak = get_backend("numpy").measure(run_layer, *arrays, **static).peak_bytes
    reckoned = 3 * memory.run_bytes(config, T)
    assert peak <= reckoned + 20_000  # of Python's own
    assert T < 10 or reckoned < 2 * peak


def test_the_error_function_is_right_to_float32(backend):
    x = np.concatenate([np.linspace(0, 12, 20_001), [30.0, 1e30]]).astype(np.float32)
    found = backend.run(complementary_error, x)
    true = np.array([math.erfc(float(each)) for each in x])
    assert found.dtype == np.float32
    assert np.abs(found - true).max() < 3e-7


@pytest.mark.parametrize("name", ["gelu", "gelu_new", "relu"])
def test_activations_are_right_to_float32(backend, name):
    x = np.concatenate([np.linspace(-12, 12, 20_001), [-1e30, 1e30]]).astype(np.float32)
    found = backend.run(activate, x, name=name)
    (true,) = model_oracles.activated([[float(each) for each in x[:-2]]], name)
    assert np.abs(found[:-2] - true).max() < 2e-6  # the spacing of float32 near 12 is 1e-6
    assert np.abs(found[:-2] - true)[np.abs(x[:-2]) < 1].max() < 2e-7
    assert abs(found[-2]) < 1e-6
    assert found[-1] == np.float32(1e30)


def test_importing_the_models_loads_no_library():
    source = Path(memory.__file__).with_name("__init__.py").read_text(encoding="utf-8")
    assert "import" not in source.partition('"""\n')[2]

"""What a config.json and the names in a file of weights may say, and what is refused in words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ModelError
from engine.models.config import ModelConfig, config_from
from engine.models.parameters import assembled, expected
from tests import model_oracles
from tests.test_engine_models import FAMILIES, built, generated

BERT = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "hidden_size": 384,
    "intermediate_size": 1536,
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
GPT2 = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "n_layer": 12,
    "n_head": 12,
    "n_embd": 768,
    "vocab_size": 50257,
    "n_positions": 1024,
    "n_ctx": 1024,
}
USUAL = {"bert": BERT, "gpt2": GPT2}


def refusal(values):
    with pytest.raises(ModelError) as refused:
        config_from(values)
    return str(refused.value)


def test_a_bert_is_read():
    assert config_from({**BERT, "layer_norm_eps": 1e-5, "hidden_act": "relu"}) == ModelConfig(
        "bert", 6, 12, 384, 1536, 30522, 512, 1e-5, "relu", 2
    )


def test_what_a_config_leaves_out_is_what_transformers_takes():
    bert, gpt2 = config_from(BERT), config_from(GPT2)
    assert (bert.epsilon, bert.activation) == (1e-12, "gelu")
    assert (gpt2.epsilon, gpt2.activation) == (1e-5, "gelu_new")
    assert (gpt2.inner, gpt2.segments) == (3072, 0)
    assert config_from({**GPT2, "n_inner": None}) == gpt2
    assert config_from({**GPT2, "n_inner": 7}).inner == 7


@pytest.mark.parametrize(
    ("family", "change"),
    [
        ("bert", {"architectures": ["BertForMaskedLM"]}),
        ("bert", {"architectures": None}),
        ("bert", {"model_type": None}),
        ("bert", {"auto_map": {"AutoTokenizer": "mine.Tokenizer"}}),
        ("bert", {"position_embedding_type": "absolute", "is_decoder": False}),
        ("gpt2", {"architectures": ["GPT2ForSequenceClassification"]}),
        ("gpt2", {"architectures": ["GPT2Model"], "model_type": None}),
        ("gpt2", {"scale_attn_weights": True, "reorder_and_upcast_attn": True}),
    ],
)
def test_heads_and_statements_of_the_usual_change_nothing(family, change):
    assert config_from({**USUAL[family], **change}) == config_from(USUAL[family])


def test_two_names_of_one_function_are_one():
    for name in ("gelu_fast", "gelu_pytorch_tanh", "gelu_new"):
        assert config_from({**BERT, "hidden_act": name}).activation == "gelu_new"


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"architectures": ["RobertaForMaskedLM"], "model_type": "roberta"}, "RobertaForMaskedLM"),
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, "LlamaForCausalLM"),
        ({"architectures": None, "model_type": "distilbert"}, "distilbert"),
        ({"architectures": ["JinaBertForMaskedLM"]}, "JinaBertForMaskedLM"),
        ({"architectures": ["BertModel", "Mine"]}, "Mine"),
        ({"architectures": ["BertLMHeadModel"]}, "BertLMHeadModel"),
        ({"model_type": "roberta"}, "roberta"),
        ({"architectures": [""]}, '""'),
        ({"architectures": [], "model_type": "roberta"}, "roberta"),
        ({"architectures": "Mine", "model_type": None}, "Mine"),
        ({"architectures": ["x\ud800" + "y" * 900], "model_type": None}, "x?" + "y" * 58 + "…"),
    ],
)
def test_another_architecture_is_refused_by_its_name(change, name):
    said = refusal({**BERT, **change})
    assert said.startswith(f"This model is of the architecture {name};"), said
    assert "BertModel and its heads" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"architectures": ["GPT2Model"]}, "names two architectures, GPT2Model and bert; it must"),
        ({"architectures": ["BertModel", "GPT2Model"]}, "two architectures, BertModel and GPT2Mo"),
        ({"model_type": 5}, 'model_type in config.json must be text such as "bert", got 5.'),
        ({"model_type": ["bert"]}, 'must be text such as "bert", got ["bert"].'),
        ({"model_type": 7, "architectures": []}, "model_type in config.json must be text"),
        (
            {"architectures": [3]},
            'architectures in config.json must be text such as "BertModel", g',
        ),
        ({"architectures": [["BertModel"]], "model_type": None}, 'got [["BertModel"]].'),
        ({"architectures": {"BertModel": 1}}, 'got {"BertModel": 1}.'),
    ],
)
def test_an_architecture_that_is_not_stated_as_one_name_is_refused(change, said):
    assert said in refusal({**BERT, **change})


@pytest.mark.parametrize(
    ("family", "change", "said"),
    [
        (
            "bert",
            {"position_embedding_type": "relative_key"},
            'to "relative_key", a variant that is not computed here; only models with "absolute" c',
        ),
        ("bert", {"is_decoder": True}, "sets is_decoder to true"),
        ("bert", {"add_cross_attention": True}, "sets add_cross_attention to true"),
        ("bert", {"is_decoder": 0}, "sets is_decoder to 0"),
        ("gpt2", {"add_cross_attention": True}, "sets add_cross_attention to true"),
        ("gpt2", {"scale_attn_weights": False}, "only models with true can be loaded"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "only models with false"),
        ("bert", {"auto_map": {"AutoModel": "mine.Model"}}, "code of its own"),
        ("bert", {"hidden_act": "silu"}, "hidden_act in config.json must be one of gelu"),
        ("bert", {"hidden_act": None}, "got null"),
        ("gpt2", {"activation_function": ["relu"]}, 'got ["relu"]'),
        ("bert", {"layer_norm_eps": 0}, "above 0 and at most 1, got 0"),
        ("bert", {"layer_norm_eps": math.nan}, "got NaN"),
        ("bert", {"layer_norm_eps": "abc"}, 'got "abc".'),
        ("bert", {"layer_norm_eps": "1e-12"}, 'got "1e-12".'),
        ("bert", {"layer_norm_eps": {1}}, "got set."),
        ("bert", {"layer_norm_eps": True}, "got true"),
        ("bert", {"layer_norm_eps": 10**400}, "got 10^400"),
        ("gpt2", {"layer_norm_epsilon": -1e-5}, "layer_norm_epsilon in config.json"),
        ("bert", {"num_attention_heads": 7}, "7 heads and a width of 384"),
        ("bert", {"num_hidden_layers": 0}, "num_hidden_layers in config.json must be a whole"),
        ("bert", {"num_hidden_layers": 257}, "from 1 to 256, got 257"),
        ("bert", {"hidden_size": 384.0}, "got 384.0"),
        ("bert", {"hidden_size": "384"}, 'got "384".'),
        ("bert", {"hidden_size": 10**400}, "got 10^400"),
        ("bert", {"vocab_size": True}, "got true"),
        ("bert", {"type_vocab_size": None}, "type_vocab_size in config.json"),
        ("gpt2", {"n_inner": 0}, "n_inner in config.json"),
        ("gpt2", {"n_positions": -1}, "n_positions in config.json"),
    ],
)
def test_what_would_be_computed_differently_or_cannot_be_is_refused(family, change, said):
    assert said in refusal({**USUAL[family], **change})


@pytest.mark.parametrize("family", FAMILIES)
def test_a_size_that_is_missing_is_named(family):
    for key in set(USUAL[family]) - {"architectures", "model_type", "n_ctx"}:
        values = {name: value for name, value in USUAL[family].items() if name != key}
        assert f"config.json lacks {key}" in refusal(values)


@pytest.mark.parametrize("values", [None, [], "BertModel", 3])
def test_what_is_no_object_is_refused(values):
    assert "an object in braces" in refusal(values)


def test_a_config_that_names_nothing_is_refused():
    assert "names no architecture" in refusal({})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@given(family=st.sampled_from(FAMILIES), data=st.data())
def test_any_value_is_read_or_refused_in_words(family, data):
    usual = USUAL[family]
    key = data.draw(st.sampled_from([*usual, "hidden_act", "n_inner", "auto_map", "is_decoder"]))
    try:
        config_from({**usual, key: data.draw(ANYTHING)})
    except ModelError as error:
        assert 20 < len(str(error)) < 400


@pytest.mark.parametrize("family", FAMILIES)
def test_every_tensor_goes_where_it_belongs(family):
    values, weights, config, parameters = generated(family)
    layer = parameters.layers[1]
    if family == "bert":
        at = "encoder.layer.1."
        np.testing.assert_array_equal(
            parameters.words, weights["embeddings.word_embeddings.weight"]
        )
        np.testing.assert_array_equal(layer.key_weight, weights[at + "attention.self.key.weight"].T)
        np.testing.assert_array_equal(layer.outer_weight, weights[at + "output.dense.weight"].T)
    else:
        at, width = "h.1.", values["n_embd"]
        np.testing.assert_array_equal(parameters.words, weights["wte.weight"])
        three = weights[at + "attn.c_attn.weight"]
        np.testing.assert_array_equal(layer.key_weight, three[:, width : 2 * width])
        np.testing.assert_array_equal(layer.outer_weight, weights[at + "mlp.c_proj.weight"])
        assert parameters.segments is None
    assert layer.inner_weight.shape == (config.width, config.inner)
    assert np.shares_memory(parameters.words, next(iter(weights.values()))), "nothing is copied"


@pytest.mark.parametrize(("family", "prefix"), [("bert", "bert."), ("gpt2", "transformer.")])
def test_names_may_have_a_prefix_and_other_tensors_are_not_needed(family, prefix):
    _, weights, config, parameters = generated(family)
    with_head = {prefix + name: array for name, array in weights.items()}
    with_head |= {"cls.predictions.bias": np.zeros(3), "lm_head.weight": np.zeros(1)}
    tensors = expected(config, with_head)
    assert {tensor.name for tensor in tensors} == {prefix + name for name in weights}
    other = assembled(config, tensors, with_head)
    np.testing.assert_array_equal(other.layers[0].arrays()[0], parameters.layers[0].arrays()[0])


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_a_checkpoint(family):
    values, weights, config, _ = generated(family)
    shapes = {tensor.name: tensor.shape for tensor in expected(config, weights)}
    assert shapes == model_oracles.checkpoint_shapes(values)


def test_the_first_names_of_normalisations_are_known():
    values, weights, _config, parameters = generated("bert")
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): array
        for name, array in weights.items()
    }
    _, read = built(values, old)
    np.testing.assert_array_equal(read.gain, parameters.gain)
    np.testing.assert_array_equal(read.layers[1].feed_shift, parameters.layers[1].feed_shift)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_tensor_that_is_missing_is_named(family):
    _, weights, config, _ = generated(family)
    for name in weights:
        with pytest.raises(ModelError) as refused:
            expected(config, set(weights) - {name})
        assert f"lack the tensor {name};" in str(refused.value)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_shape_of_another_model_is_refused(family):
    _, weights, config, _ = generated(family)
    name = list(weights)[-1]
    wrong = {**weights, name: np.zeros(5, np.float32)}
    with pytest.raises(ModelError) as refused:
        assembled(config, expected(config, wrong), wrong)
    assert f"The tensor {name} must have the shape (6,)" in str(refused.value)
    assert "has (5,)" in str(refused.value)

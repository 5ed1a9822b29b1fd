"""The sizes and choices of a model, read from its config.json.

What a key means and what stands for it where it is missing are those of the Hugging Face library
``transformers`` (BertConfig and GPT2Config). Variants that are computed differently are refused:
to run them as if they were the usual model would give wrong numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import ModelError
from engine.experiments.whole_number import is_whole
from engine.models.architecture import Family, family_of
from engine.models.said import said

Activation = Literal["gelu", "gelu_new", "relu"]

# Names of one and the same function are one.
ACTIVATIONS: dict[str, Activation] = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_new",
    "gelu_fast": "gelu_new",
    "gelu_pytorch_tanh": "gelu_new",
    "relu": "relu",
}
MOST_LAYERS = 256
MOST_HEADS = 256
WIDEST = 65_536
LARGEST_VOCABULARY = 4_000_000
MOST_POSITIONS = 1_000_000


@dataclass(frozen=True)
class ModelConfig:
    """What a forward pass has to know beside the weights.

    Attributes
    ----------
    family : {"bert", "gpt2"}
        An encoder in which every token sees every other, or a decoder with a causal mask.
    layers, heads, width, inner : int
        Number of layers; heads in each; size of a token's vector; size inside the feed-forward
        part. Each head has ``width / heads`` dimensions.
    vocabulary : int
        How many tokens the model has a vector for.
    positions : int
        The most tokens that a text may have.
    epsilon : float
        Added to the variance by every layer normalisation.
    activation : {"gelu", "gelu_new", "relu"}
        Of the feed-forward part: GELU by the error function, by the hyperbolic tangent, or ReLU.
    segments : int
        How many segments (first sentence, second sentence) have a vector; 0 for GPT-2.
    """

    family: Family
    layers: int
    heads: int
    width: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float
    activation: Activation
    segments: int


def config_from(values: Mapping[str, Any]) -> ModelConfig:
    """Return the configuration that a parsed config.json describes.

    Parameters
    ----------
    values : Mapping
        The object in config.json.

    Raises
    ------
    ModelError
        If it is no object, is of another architecture or of a variant that is computed
        differently, or holds sizes that no model can have.
    """
    if not isinstance(values, Mapping):
        raise ModelError(
            "config.json must hold an object in braces, got {value}.", value=said(values)
        )
    config = _bert(values) if family_of(values) == "bert" else _gpt2(values)
    if config.width % config.heads:
        raise ModelError(
            "The heads of a model must divide its width, and config.json gives {heads} heads and "
            "a width of {width}.",
            heads=config.heads,
            width=config.width,
        )
    return config


def _bert(values: Mapping[str, Any]) -> ModelConfig:
    _require(values, "is_decoder", False)
    _require(values, "add_cross_attention", False)
    _require(values, "position_embedding_type", "absolute")
    return ModelConfig(
        family="bert",
        layers=_size(values, ("num_hidden_layers",), MOST_LAYERS),
        heads=_size(values, ("num_attention_heads",), MOST_HEADS),
        width=_size(values, ("hidden_size",), WIDEST),
        inner=_size(values, ("intermediate_size",), WIDEST),
        vocabulary=_size(values, ("vocab_size",), LARGEST_VOCABULARY),
        positions=_size(values, ("max_position_embeddings",), MOST_POSITIONS),
        epsilon=_epsilon(values, "layer_norm_eps", 1e-12),
        activation=_activation(values, "hidden_act", "gelu"),
        segments=_size(values, ("type_vocab_size",), WIDEST),
    )


def _gpt2(values: Mapping[str, Any]) -> ModelConfig:
    _require(values, "add_cross_attention", False)
    _require(values, "scale_attn_weights", True)
    _require(values, "scale_attn_by_inverse_layer_idx", False)
    width = _size(values, ("n_embd", "hidden_size"), WIDEST)
    inner = None if values.get("n_inner") is None else _size(values, ("n_inner",), WIDEST)
    return ModelConfig(
        family="gpt2",
        layers=_size(values, ("n_layer", "num_hidden_layers"), MOST_LAYERS),
        heads=_size(values, ("n_head", "num_attention_heads"), MOST_HEADS),
        width=width,
        inner=4 * width if inner is None else inner,
        vocabulary=_size(values, ("vocab_size",), LARGEST_VOCABULARY),
        positions=_size(values, ("n_positions", "max_position_embeddings"), MOST_POSITIONS),
        epsilon=_epsilon(values, "layer_norm_epsilon", 1e-5),
        activation=_activation(values, "activation_function", "gelu_new"),
        segments=0,
    )


def _require(values: Mapping[str, Any], key: str, needed: object) -> None:
    """Refuse a variant that is computed differently; a key that is missing means the usual."""
    value = values.get(key)
    if value is None or (value == needed and isinstance(value, type(needed))):
        return
    raise ModelError(
        "config.json sets {key} to {value}, a variant that is not computed here; "
        "only models with {needed} can be loaded.",
        key=key,
        value=said(value),
        needed=said(needed),
    )


def _size(values: Mapping[str, Any], keys: tuple[str, ...], most: int) -> int:
    """Return a size under the first of its names that is there."""
    key = next((each for each in keys if each in values), keys[0])
    if key not in values:
        raise ModelError("config.json lacks {key}, without which no model can be built.", key=key)
    value = values[key]
    if not is_whole(value, 1, most):
        raise ModelError(
            "{key} in config.json must be a whole number from 1 to {most}, got {value}.",
            key=key,
            most=most,
            value=said(value),
        )
    return int(value)


def _epsilon(values: Mapping[str, Any], key: str, usual: float) -> float:
    value = values.get(key, usual)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value <= 1:  # NaN is not either
        raise ModelError(
            "{key} in config.json must be a number above 0 and at most 1, got {value}.",
            key=key,
            value=said(value),
        )
    return float(value)


def _activation(values: Mapping[str, Any], key: str, usual: Activation) -> Activation:
    value = values.get(key, usual)
    if not isinstance(value, str) or value not in ACTIVATIONS:
        raise ModelError(
            "{key} in config.json must be one of {known}, got {value}.",
            key=key,
            known=", ".join(ACTIVATIONS),
            value=said(value),
        )
    return ACTIVATIONS[value]

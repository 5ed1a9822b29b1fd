"""The weights of a model: which tensors a file must hold, and where each of them goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from engine.errors import ModelError
from engine.experiments.read_only import close_fields, read_only
from engine.models.config import ModelConfig
from engine.shapes import Array

PREFIXES = {"bert": ("", "bert."), "gpt2": ("", "transformer.")}
# The name of a tensor outside the layers or in one, its size in letters, and where it goes.
# Letters: V vocabulary, P positions, S segments, W width, N inner, Q three times the width.
Row = tuple[str, str, str]
BERT: tuple[Row, ...] = (
    ("embeddings.word_embeddings.weight", "VW", "words"),
    ("embeddings.position_embeddings.weight", "PW", "places"),
    ("embeddings.token_type_embeddings.weight", "SW", "segments"),
    ("embeddings.LayerNorm.weight", "W", "gain"),
    ("embeddings.LayerNorm.bias", "W", "shift"),
)
# A Linear layer keeps its matrix as (out, in).
BERT_LAYER: tuple[Row, ...] = (
    ("attention.self.query.weight", "WW", "query_weight"),
    ("attention.self.query.bias", "W", "query_bias"),
    ("attention.self.key.weight", "WW", "key_weight"),
    ("attention.self.key.bias", "W", "key_bias"),
    ("attention.self.value.weight", "WW", "value_weight"),
    ("attention.self.value.bias", "W", "value_bias"),
    ("attention.output.dense.weight", "WW", "output_weight"),
    ("attention.output.dense.bias", "W", "output_bias"),
    ("attention.output.LayerNorm.weight", "W", "attention_gain"),
    ("attention.output.LayerNorm.bias", "W", "attention_shift"),
    ("intermediate.dense.weight", "NW", "inner_weight"),
    ("intermediate.dense.bias", "N", "inner_bias"),
    ("output.dense.weight", "WN", "outer_weight"),
    ("output.dense.bias", "W", "outer_bias"),
    ("output.LayerNorm.weight", "W", "feed_gain"),
    ("output.LayerNorm.bias", "W", "feed_shift"),
)
GPT2: tuple[Row, ...] = (
    ("wte.weight", "VW", "words"),
    ("wpe.weight", "PW", "places"),
    ("ln_f.weight", "W", "gain"),
    ("ln_f.bias", "W", "shift"),
)
# A Conv1D keeps its matrix as (in, out); queries, keys and values are one matrix.
GPT2_LAYER: tuple[Row, ...] = (
    ("ln_1.weight", "W", "attention_gain"),
    ("ln_1.bias", "W", "attention_shift"),
    ("attn.c_attn.weight", "WQ", "qkv_weight"),
    ("attn.c_attn.bias", "Q", "qkv_bias"),
    ("attn.c_proj.weight", "WW", "output_weight"),
    ("attn.c_proj.bias", "W", "output_bias"),
    ("ln_2.weight", "W", "feed_gain"),
    ("ln_2.bias", "W", "feed_shift"),
    ("mlp.c_fc.weight", "WN", "inner_weight"),
    ("mlp.c_fc.bias", "N", "inner_bias"),
    ("mlp.c_proj.weight", "NW", "outer_weight"),
    ("mlp.c_proj.bias", "W", "outer_bias"),
)
OUTSIDE = {"bert": BERT, "gpt2": GPT2}
INSIDE = {"bert": BERT_LAYER, "gpt2": GPT2_LAYER}
LAYER_NAME = {"bert": "encoder.layer.{layer}.", "gpt2": "h.{layer}."}
# BERT's first checkpoints write a normalisation as their TensorFlow code did.
OLD_ENDINGS = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


@dataclass(frozen=True, eq=False)
class LayerParameters:
    """The weights of one layer; every matrix is (in, out), used as ``x @ matrix + bias``.

    W is the model's width, N the size inside the feed-forward part.

    Attributes
    ----------
    query_weight, key_weight, value_weight, output_weight : np.ndarray
        (W, W). Head h has the columns h D to (h + 1) D of the first three, D = W / heads.
    query_bias, key_bias, value_bias, output_bias : np.ndarray
        (W,)
    inner_weight, inner_bias, outer_weight, outer_bias : np.ndarray
        (W, N), (N,), (N, W), (W,): the feed-forward part.
    attention_gain, attention_shift, feed_gain, feed_shift : np.ndarray
        (W,). The layer normalisations: after attention and after the feed-forward part in BERT,
        before them in GPT-2.
    """

    query_weight: Any
    query_bias: Any
    key_weight: Any
    key_bias: Any
    value_weight: Any
    value_bias: Any
    output_weight: Any
    output_bias: Any
    attention_gain: Any
    attention_shift: Any
    inner_weight: Any
    inner_bias: Any
    outer_weight: Any
    outer_bias: Any
    feed_gain: Any
    feed_shift: Any

    def arrays(self) -> tuple[Any, ...]:
        """Return every array in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, eq=False)
class Parameters:
    """The weights of a model, float32, closed to writing.

    Attributes
    ----------
    words : np.ndarray
        (vocabulary, W): the vector of each token.
    places : np.ndarray
        (positions, W): the vector of each position.
    segments : np.ndarray or None
        (segments, W) in BERT; None in GPT-2.
    gain, shift : np.ndarray
        (W,). The layer normalisation outside the layers: of the embeddings in BERT, of the final
        vectors in GPT-2.
    layers : tuple of LayerParameters
    """

    words: Array
    places: Array
    segments: Array | None
    gain: Array
    shift: Array
    layers: tuple[LayerParameters, ...]


@dataclass(frozen=True)
class Tensor:
    """One tensor that the file must hold.

    Attributes
    ----------
    name : str
        As the file calls it.
    shape : tuple of int
        As the file must store it.
    place : str
        The field it goes to; ``"qkv_weight"`` and ``"qkv_bias"`` are GPT-2's three in one.
    layer : int or None
        The layer, counted from 0; None outside the layers.
    """

    name: str
    shape: tuple[int, ...]
    place: str
    layer: int | None


def expected(config: ModelConfig, present: Collection[str]) -> tuple[Tensor, ...]:
    """Return the tensors a model of this configuration needs, by the names that the file uses.

    The names may stand alone or after ``bert.`` or ``transformer.``, as the model with a head
    writes them. Whatever else the file holds (a pooler, a head, buffers) is not needed.

    Parameters
    ----------
    config : ModelConfig
    present : collection of str
        The names in the file.

    Raises
    ------
    ModelError
        If one is missing.
    """
    names = frozenset(present)
    prefix = _prefix(config, names)
    tensors = [_tensor(config, row, prefix, None, names) for row in OUTSIDE[config.family]]
    for layer in range(config.layers):
        inside = prefix + LAYER_NAME[config.family].format(layer=layer)
        tensors += [_tensor(config, row, inside, layer, names) for row in INSIDE[config.family]]
    return tuple(tensors)


def assembled(
    config: ModelConfig, tensors: Sequence[Tensor], arrays: Mapping[str, Array]
) -> Parameters:
    """Return the parameters made of what was read; nothing is copied.

    Parameters
    ----------
    config : ModelConfig
    tensors : sequence of Tensor
        What `expected` returned.
    arrays : Mapping
        float32, by the name in the file; closed to writing here.

    Raises
    ------
    ModelError
        If a shape differs from the one expected.
    """
    groups: dict[int | None, dict[str, Array]] = {}
    for tensor in tensors:
        array = arrays[tensor.name]
        _require_shape(tensor, array)
        groups.setdefault(tensor.layer, {}).update(_placed(config, tensor.place, array))
    layers = tuple(_layer(groups[layer]) for layer in range(config.layers))
    outside: dict[str, Any] = {"segments": None, **groups[None]}
    return Parameters(**outside, layers=layers)


def _prefix(config: ModelConfig, names: frozenset[str]) -> str:
    """Return what stands before every name: that with which the words' vectors are there."""
    words = OUTSIDE[config.family][0][0]
    for prefix in PREFIXES[config.family]:
        if prefix + words in names:
            return prefix
    raise _missing(words)


def _tensor(
    config: ModelConfig, row: Row, before: str, layer: int | None, names: frozenset[str]
) -> Tensor:
    ending, letters, place = row
    name = before + ending
    if name not in names:
        name = _old(name)
    if name not in names:
        raise _missing(before + ending)
    sizes = _sizes(config)
    return Tensor(name, tuple(sizes[letter] for letter in letters), place, layer)


def _old(name: str) -> str:
    for ending, old in OLD_ENDINGS.items():
        if name.endswith(ending):
            return name.removesuffix(ending) + old
    return name


def _missing(name: str) -> ModelError:
    return ModelError(
        "The weights lack the tensor {name}; model.safetensors must hold the model that "
        "config.json describes.",
        name=name,
    )


def _sizes(config: ModelConfig) -> dict[str, int]:
    return {
        "V": config.vocabulary,
        "P": config.positions,
        "S": config.segments,
        "W": config.width,
        "N": config.inner,
        "Q": 3 * config.width,
    }


def _require_shape(tensor: Tensor, array: Array) -> None:
    if array.shape != tensor.shape:
        raise ModelError(
            "The tensor {name} must have the shape {wanted} by config.json, and has {shape}; the "
            "two files belong to different models.",
            name=tensor.name,
            wanted=tensor.shape,
            shape=array.shape,
        )


def _placed(config: ModelConfig, place: str, array: Array) -> dict[str, Array]:
    """Return a tensor under the field it goes to, as (in, out); GPT-2's three in one as three."""
    read_only(array)
    if place.startswith("qkv_"):
        kind = place.removeprefix("qkv_")
        parts = np.split(array, 3, axis=-1)
        return {
            f"{name}_{kind}": part
            for name, part in zip(("query", "key", "value"), parts, strict=True)
        }
    turned = config.family == "bert" and place.endswith("_weight")
    return {place: array.T if turned else array}


def _layer(places: dict[str, Array]) -> LayerParameters:
    layer = LayerParameters(**places)
    close_fields(layer)
    return layer

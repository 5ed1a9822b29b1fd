"""The weights of a model: which tensors a file must hold, and where each of them goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.models.config import ModelConfig
from engine.shapes import Array


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
    raise NotImplementedError


def assembled(
    config: ModelConfig, tensors: tuple[Tensor, ...], arrays: Mapping[str, Array]
) -> Parameters:
    """Return the parameters made of what was read; nothing is copied.

    Parameters
    ----------
    config : ModelConfig
    tensors : tuple of Tensor
        What `expected` returned.
    arrays : Mapping
        float32, by the name in the file; closed to writing here.

    Raises
    ------
    ModelError
        If a shape differs from the one expected.
    """
    raise NotImplementedError

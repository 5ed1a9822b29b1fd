"""The sizes and choices of a model, read from its config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Family = Literal["bert", "gpt2"]
Activation = Literal["gelu", "gelu_new", "relu"]


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
    raise NotImplementedError

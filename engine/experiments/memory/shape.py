"""The sizes of a Transformer that memory and arithmetic depend on.

Shape legend: H heads, H_kv key-value heads, D = d_k = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.memory.limits import grouped, require_heads
from engine.experiments.whole_number import is_whole

DTYPES: dict[str, int] = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}  # bytes each

MOST_LAYERS = 1_000
MOST_HEADS = 1_024
MOST_D_K = 4_096
MOST_WIDTH = 1_000_000  # d_model, d_ff


@dataclass(frozen=True)
class Shape:
    """The sizes of one model.

    Attributes
    ----------
    layers : int
        1 to 1,000.
    heads : int
        Query heads of a layer, 1 to 1,024.
    kv_heads : int
        Heads of keys and values; divides ``heads``. Fewer than ``heads`` is grouped-query
        attention (Ainslie et al. 2023, arXiv:2305.13245), 1 is multi-query attention.
    d_k : int
        Components of one query, key or value, 1 to 4,096.
    d_model : int
        Components of one token between the layers, 1 to 1,000,000.
    d_ff : int
        Components of the hidden layer of the feed-forward part, 0 (none) to 1,000,000.
    gated : bool
        Whether the feed-forward part has three matrices (SwiGLU, Shazeer 2020,
        arXiv:2002.05202), not two.
    """

    layers: int
    heads: int
    kv_heads: int
    d_k: int
    d_model: int
    d_ff: int
    gated: bool


def attention_parameters(shape: Shape) -> int:
    """Return the entries of W_Q, W_K, W_V and W_O of one layer; biases are not counted."""
    queries = shape.heads * shape.d_k
    keys = shape.kv_heads * shape.d_k
    return shape.d_model * (2 * queries + 2 * keys)  # W_Q and W_O, W_K and W_V


def feed_forward_parameters(shape: Shape) -> int:
    """Return the entries of the two or three matrices of one feed-forward part, no biases."""
    return (3 if shape.gated else 2) * shape.d_model * shape.d_ff


def require_shape(shape: Shape) -> None:
    """Refuse sizes out of their limits.

    Raises
    ------
    OptionError
        One sentence that says which size, what is allowed, and what arrived.
    """
    _require_counts(shape)
    _require_widths(shape)
    if shape.heads % shape.kv_heads:
        raise OptionError(
            "The number of KV heads must divide the number of heads: {kv_heads} does not divide "
            "{heads}.",
            kv_heads=shape.kv_heads,
            heads=shape.heads,
        )
    if not isinstance(shape.gated, bool):
        raise OptionError(
            "Whether the feed-forward part is gated must be true or false, got {value}.",
            value=grouped(shape.gated),
        )


def _require_counts(shape: Shape) -> None:
    if not is_whole(shape.layers, 1, MOST_LAYERS):
        raise OptionError(
            "The number of layers must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_LAYERS),
            size=grouped(shape.layers),
        )
    require_heads(shape.heads, MOST_HEADS)
    if not is_whole(shape.kv_heads, 1, MOST_HEADS):
        raise OptionError(
            "The number of KV heads must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_HEADS),
            size=grouped(shape.kv_heads),
        )


def _require_widths(shape: Shape) -> None:
    limits = (
        ("d_k", shape.d_k, 1, MOST_D_K),
        ("d_model", shape.d_model, 1, MOST_WIDTH),
        ("d_ff", shape.d_ff, 0, MOST_WIDTH),
    )
    for name, size, least, most in limits:
        if not is_whole(size, least, most):
            raise OptionError(
                "{name} must be a whole number from {least} to {most}, got {size}.",
                name=name,
                least=least,
                most=grouped(most),
                size=grouped(size),
            )

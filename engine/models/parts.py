"""What BERT and GPT-2 have in common: products, normalisation, attention, feed-forward part.

All are written in the names that NumPy and mlx.core share. Shapes: N runs of T tokens of width W,
H heads of size D = W / H.
"""

from __future__ import annotations

import math
from typing import Any

from engine.attention import softmax
from engine.models.activations import activate
from engine.models.parameters import LayerParameters


def linear(xp: Any, x: Any, weight: Any, bias: Any) -> Any:
    """Return ``x @ weight + bias`` for x (N, T, in): (N, T, out)."""
    flat = xp.reshape(x, (-1, x.shape[-1]))  # one large product is quicker than N small ones
    return xp.reshape(xp.matmul(flat, weight) + bias, (*x.shape[:-1], weight.shape[-1]))


def normalise(xp: Any, x: Any, gain: Any, shift: Any, epsilon: float) -> Any:
    """Return the layer normalisation of each token (Ba, Kiros and Hinton, 2016)."""
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    variance = xp.mean(centred * centred, axis=-1, keepdims=True)
    # Divided by an infinite variance everything would look like 0; NaN shows that it is lost.
    variance = xp.where(variance == float("inf"), float("nan"), variance)
    return centred / xp.sqrt(variance + epsilon) * gain + shift


def attend(xp: Any, x: Any, visible: Any, layer: LayerParameters, heads: int) -> tuple[Any, Any]:
    """Return the weights (N, H, T, T) of every head, and what attention gives, (N, T, W).

    ``visible`` is bool, broadcastable to the weights, True = may look.
    """
    q = _split(xp, linear(xp, x, layer.query_weight, layer.query_bias), heads)
    k = _split(xp, linear(xp, x, layer.key_weight, layer.key_bias), heads)
    v = _split(xp, linear(xp, x, layer.value_weight, layer.value_bias), heads)
    scale = 1.0 / math.sqrt(q.shape[-1])
    # Queries are scaled, not scores: T x D numbers and not T x T.
    scores = xp.matmul(q * scale, xp.swapaxes(k, -1, -2))
    weights = softmax(xp, xp.where(visible, scores, -float("inf")))
    mixed = xp.swapaxes(xp.matmul(weights, v), 1, 2)  # (N, T, H, D)
    joined = xp.reshape(mixed, x.shape)
    return weights, linear(xp, joined, layer.output_weight, layer.output_bias)


def feed(xp: Any, x: Any, layer: LayerParameters, activation: str) -> Any:
    """Return what the feed-forward part makes of each token, (N, T, W)."""
    inner = activate(xp, linear(xp, x, layer.inner_weight, layer.inner_bias), activation)
    return linear(xp, inner, layer.outer_weight, layer.outer_bias)


def _split(xp: Any, x: Any, heads: int) -> Any:
    """Return (N, T, W) as (N, H, T, D)."""
    runs, tokens, width = x.shape
    return xp.swapaxes(xp.reshape(x, (runs, tokens, heads, width // heads)), 1, 2)

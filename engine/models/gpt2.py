"""GPT-2 (Radford and others, 2019): a decoder that normalises before each part, and at the end.

A token sees itself and those before it. Shapes: N runs of T tokens of width W.
"""

from __future__ import annotations

from typing import Any

from engine.models.parameters import LayerParameters
from engine.models.parts import attend, feed, normalise


def embed(_xp: Any, words: Any, places: Any) -> Any:
    """Return the vectors that enter the first layer, (N, T, W).

    Parameters
    ----------
    words : array, (N, T, W)
        The vector of each token.
    places : array, (T, W)
        The vector of each position.
    """
    return words + places


def run_layer(
    xp: Any, x: Any, visible: Any, *arrays: Any, heads: int, epsilon: float, activation: str
) -> dict[str, Any]:
    """Return ``x`` after one layer, (N, T, W), and the ``weights``, (N, H, T, T).

    ``arrays`` are those of `LayerParameters`; ``visible`` is bool, True = may look.
    """
    layer = LayerParameters(*arrays)
    normal = normalise(xp, x, layer.attention_gain, layer.attention_shift, epsilon)
    weights, attended = attend(xp, normal, visible, layer, heads)
    x = x + attended
    normal = normalise(xp, x, layer.feed_gain, layer.feed_shift, epsilon)
    return {"x": x + feed(xp, normal, layer, activation), "weights": weights}


def finish(xp: Any, x: Any, gain: Any, shift: Any, *, epsilon: float) -> Any:
    """Return the final vectors, (N, T, W)."""
    return normalise(xp, x, gain, shift, epsilon)

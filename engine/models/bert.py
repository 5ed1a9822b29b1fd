"""BERT (Devlin and others, 2018): an encoder that normalises after each part.

Every token sees every other. Shapes: N runs of T tokens of width W.
"""

from __future__ import annotations

from typing import Any

from engine.models.parameters import LayerParameters
from engine.models.parts import attend, feed, normalise


def embed(
    xp: Any, words: Any, places: Any, segment: Any, gain: Any, shift: Any, *, epsilon: float
) -> Any:
    """Return the vectors that enter the first layer, (N, T, W).

    Parameters
    ----------
    xp : module
        NumPy or mlx.core.
    words : array, (N, T, W)
        The vector of each token.
    places : array, (T, W)
        The vector of each position.
    segment : array, (W,)
        The vector of the first segment: a text is one segment.
    gain, shift : array, (W,)
        Of the normalisation.
    """
    return normalise(xp, words + places + segment, gain, shift, epsilon)


def run_layer(
    xp: Any, x: Any, visible: Any, *arrays: Any, heads: int, epsilon: float, activation: str
) -> dict[str, Any]:
    """Return ``x`` after one layer, (N, T, W), and the ``weights``, (N, H, T, T).

    ``arrays`` are those of `LayerParameters`; ``visible`` is bool, True = may look.
    """
    layer = LayerParameters(*arrays)
    weights, attended = attend(xp, x, visible, layer, heads)
    x = normalise(xp, x + attended, layer.attention_gain, layer.attention_shift, epsilon)
    fed = feed(xp, x, layer, activation)
    return {
        "x": normalise(xp, x + fed, layer.feed_gain, layer.feed_shift, epsilon),
        "weights": weights,
    }

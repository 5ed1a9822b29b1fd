"""Attention as the textbook writes it: every step a whole T x T matrix."""

from __future__ import annotations

from typing import Any

from engine.attention import softmax


def compute(xp: Any, q: Any, k: Any, v: Any, *, scale: float, causal: bool) -> Any:
    """Compute attention in the names that NumPy and mlx.core share.

    Parameters
    ----------
    xp : module
        ``numpy`` or ``mlx.core``.
    q, k, v : array
        (B, H, T, D), (B, H, S, D), (B, H, S, E).
    scale : float
        What the scores are multiplied by.
    causal : bool
        Whether each query sees no key after its own; T = S then.

    Returns
    -------
    array
        (B, H, T, E).
    """
    scores = xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale  # (B, H, T, S)
    if causal:
        places = xp.arange(scores.shape[-1])
        scores = xp.where(places <= places[:, None], scores, -float("inf"))
    weights = softmax(xp, scores)  # (B, H, T, S)
    return xp.matmul(weights, v)  # (B, H, T, E)

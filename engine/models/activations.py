"""The functions inside the feed-forward part, in the names that NumPy and mlx.core share.

NumPy has no error function. Its complement is computed here for x >= 0 as
erfc(x) = exp(-x^2) P(x) / Q(x). The coefficients are a weighted least-squares fit (Lawson's
iteration) to exp(x^2) erfc(x), off by 7e-9 in erfc at most; all of them are positive, so that no
digits cancel and float32 keeps it within 2e-7.
"""

from __future__ import annotations

import math
from typing import Any

# Highest power first.
COEFFICIENTS_P = (0.056209108, 0.34586482, 0.84226347, 1.0)
COEFFICIENTS_Q = (0.099953319, 0.60879124, 1.5694988, 1.9706426, 1.0)
FARTHEST = 10.0  # erfc(10) is 2e-45: nothing, and no power overflows up to here


def activate(xp: Any, x: Any, name: str) -> Any:
    """Return the activation of each entry.

    Parameters
    ----------
    xp : module
        NumPy or mlx.core.
    x : array
        Any shape, float32.
    name : {"gelu", "gelu_new", "relu"}
        See `engine.models.config.ModelConfig`.
    """
    if name == "relu":
        return xp.maximum(x, 0.0)
    return gelu(xp, x) if name == "gelu" else gelu_new(xp, x)


def gelu(xp: Any, x: Any) -> Any:
    """Return x times the normal distribution function of x (Hendrycks and Gimpel, 2016).

    Written as max(x, 0) - |x| erfc(|x| / sqrt 2) / 2, in which small values are not lost.
    """
    size = xp.abs(x)
    tail = complementary_error(xp, size * math.sqrt(0.5))
    tail *= 0.5 * size
    return xp.maximum(x, 0.0) - tail


def gelu_new(xp: Any, x: Any) -> Any:
    """Return the approximation of GELU by the hyperbolic tangent that GPT-2 was trained with."""
    inner = math.sqrt(2 / math.pi) * x * (1.0 + 0.044715 * x * x)
    return 0.5 * x * (1.0 + xp.tanh(inner))


def complementary_error(xp: Any, x: Any) -> Any:
    """Return erfc of each entry of ``x``, none of which is negative."""
    near = xp.minimum(x, FARTHEST)
    # In place on NumPy, which halves the time and the memory; MLX makes new arrays.
    ratio = _polynomial(near, COEFFICIENTS_P)
    ratio /= _polynomial(near, COEFFICIENTS_Q)
    ratio *= xp.exp(-near * near)
    return ratio


def _polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    value = coefficients[0] * x
    for coefficient in coefficients[1:-1]:
        value += coefficient
        value *= x
    value += coefficients[-1]
    return value

"""Gradients of attention by hand: the Jacobian of softmax, and the way back to every input.

Shape legend: ... any leading axes, T query positions, S key positions, D = d_k, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from engine.backends import Backend
from engine.shapes import Array


def softmax_jacobian(weights: ArrayLike) -> Array:
    """Return diag(a) - a a^T for each row of weights.

    Parameters
    ----------
    weights : array-like, (..., S)
        Rows that are not negative and sum to 1, to rounding.

    Returns
    -------
    np.ndarray
        (..., S, S); entry (i, j) is the derivative of weight i by score j.

    Raises
    ------
    NumberError
        If a weight is negative or a row does not sum to 1.
    """
    raise NotImplementedError


def jacobian_norm(weights: ArrayLike) -> Array:
    """Return the Frobenius norm of the softmax Jacobian of each row, (...,).

    Sound near saturation, where the expanded formula sqrt(sum a^2 - 2 sum a^3 + (sum a^2)^2)
    cancels: the norm is taken from 1 - a and products of small numbers, never from a difference.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class AttentionGradients:
    """Gradients of a scalar loss.

    Attributes
    ----------
    q, k, v : np.ndarray
        (T, D), (S, D), (S, E), like the inputs; with leading axes where the inputs have them.
    scores : np.ndarray
        (T, S), by the scores before scaling.
    weights : np.ndarray
        (T, S).
    """

    q: Array
    k: Array
    v: Array
    scores: Array
    weights: Array


def attention_backward(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    d_output: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    backend: Backend | str | None = None,
) -> AttentionGradients:
    """Return the gradients of attention, given the gradient of its output.

    Parameters
    ----------
    q, k, v : array-like, (..., T, D), (..., S, D), (..., S, E)
    d_output : array-like, (..., T, E)
        Derivative of the loss by the output.
    scale : float, optional
        1/sqrt(D) when None.
    mask : array-like of bool, broadcastable to (..., T, S), optional
        True = may look; a row that may look nowhere has no gradient.

    Raises
    ------
    ShapeError, NumberError, BackendError
        As `engine.attend` does.
    """
    raise NotImplementedError


def backward(xp: Any, q: Any, k: Any, v: Any, weights: Any, d_output: Any, scale: float) -> Any:
    """Return (d_q, d_k, d_v, d_scores, d_weights) in the names that NumPy and mlx.core share.

    Leading axes are allowed. For use inside ``Backend.run``.
    """
    raise NotImplementedError

"""Gradients of attention by hand: the Jacobian of softmax, and the way back to every input.

Shape legend: ... any leading axes, T query positions, S key positions, D = d_k, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.errors import NumberError, ShapeError
from engine.shapes import (
    Array,
    as_mask,
    as_numbers,
    as_scale,
    first_place,
    require_broadcast,
    require_range,
)


def softmax_jacobian(weights: ArrayLike) -> Array:
    """Return diag(a) - a a^T for each row of weights.

    Parameters
    ----------
    weights : array-like, (..., S)
        Rows that are not negative and sum to 1, to rounding; or are zero, where a query may look
        nowhere.

    Returns
    -------
    np.ndarray
        (..., S, S), float64; entry (i, j) is the derivative of weight i by score j.

    Raises
    ------
    NumberError
        If a weight is negative or a row does not sum to 1.
    """
    rows = _weight_rows(weights)
    jacobian = 0.0 - rows[..., :, None] * rows[..., None, :]  # 0.0 -: no entry is -0.0
    diagonal = np.arange(rows.shape[-1])
    jacobian[..., diagonal, diagonal] = rows * _remainders(rows)
    return np.asarray(jacobian)


def jacobian_norm(weights: ArrayLike) -> Array:
    """Return the Frobenius norm of the softmax Jacobian of each row, (...,), float64.

    Sound near saturation, where the expanded formula sqrt(sum a^2 - 2 sum a^3 + (sum a^2)^2)
    cancels: the norm is taken from 1 - a and products of small numbers, never from a difference.

    Raises
    ------
    NumberError
        If a weight is negative or a row does not sum to 1.
    """
    rows = _weight_rows(weights)
    peak = rows.max(axis=-1)
    others = _without_peak(rows)
    rest = others.sum(axis=-1)  # 1 - peak, without the difference
    # Every entry is a multiple of the rest: divided by it, no square of a tiny weight is lost.
    share = others / np.where(rest == 0, 1.0, rest)[..., None]
    squares = (share**2).sum(axis=-1)
    beside_peak = peak**2 * (1 + 2 * squares)  # its row and its column
    diagonal = (share**2 * (1 - others) ** 2).sum(axis=-1)
    pairs = rest**2 * (squares**2 - (share**4).sum(axis=-1))
    return np.asarray(rest * np.sqrt(beside_peak + diagonal + pairs))


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

    Returns
    -------
    AttentionGradients
        In the precision of the backend: float64 on NumPy, float32 on MLX.

    Raises
    ------
    ShapeError, NumberError, BackendError
        As `engine.attend` does.
    """
    chosen = choose_backend(backend)
    inputs = _backward_inputs(q, k, v, d_output, chosen.precision)
    shape = (*inputs[0].shape[:-1], inputs[1].shape[-2])
    visible = np.ones(shape, dtype=np.bool_) if mask is None else _spread_mask(mask, shape)
    used_scale = as_scale(scale, inputs[0].shape[-1])
    found = AttentionGradients(*chosen.run(_forth_and_back, *inputs, visible, scale=used_scale))
    _refuse_overflow(found, chosen.precision)
    return found


def backward(xp: Any, q: Any, k: Any, v: Any, weights: Any, d_output: Any, scale: float) -> Any:
    """Return (d_q, d_k, d_v, d_scores, d_weights) in the names that NumPy and mlx.core share.

    Leading axes are allowed. For use inside ``Backend.run``.
    """
    d_v = xp.matmul(xp.swapaxes(weights, -1, -2), d_output)  # (S, E)
    d_weights = xp.matmul(d_output, xp.swapaxes(v, -1, -2))  # (T, S)
    d_scores = softmax_backward(xp, weights, d_weights) * scale  # (T, S)
    d_q = xp.matmul(d_scores, k)  # (T, D)
    d_k = xp.matmul(xp.swapaxes(d_scores, -1, -2), q)  # (S, D)
    return d_q, d_k, d_v, d_scores, d_weights


def softmax_backward(xp: Any, weights: Any, d_weights: Any) -> Any:
    """Return the gradient by the scores that softmax was given, in the same names."""
    # Softmax ignores what is added to a whole row, so only differences of d_weights count. Taken
    # from the entry of the largest weight they leave nothing that cancels near saturation.
    peak = xp.argmax(weights, axis=-1, keepdims=True)
    relative = d_weights - xp.take_along_axis(d_weights, peak, axis=-1)
    mean = xp.sum(weights * relative, axis=-1, keepdims=True)
    return weights * (relative - mean)


def _forth_and_back(
    xp: Any, q: Any, k: Any, v: Any, d_output: Any, visible: Any, *, scale: float
) -> Any:
    scaled = xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale
    weights = softmax(xp, xp.where(visible, scaled, -float("inf")))
    return backward(xp, q, k, v, weights, d_output, scale)


def _weight_rows(weights: ArrayLike) -> Array:
    given = np.atleast_1d(as_numbers(weights, "weights"))
    rows = given.astype(np.float64)
    total = rows.sum(axis=-1)
    allowed = 1e-6 + 8 * float(np.finfo(given.dtype).eps) * np.sqrt(rows.shape[-1])
    if (rows < 0).any():
        raise NumberError(
            "`weights` must not be negative, got {value}.", value=f"{float(rows.min()):.6g}"
        )
    wrong = (np.abs(total - 1) > allowed) & (total != 0)
    if wrong.any():
        raise NumberError(
            "Each row of `weights` must sum to 1, got a sum of {total}.",
            total=f"{float(total[wrong].flat[0]):.6g}",
        )
    return rows


def _without_peak(rows: Array) -> Array:
    """Return the rows with the (first) largest weight of each set to zero."""
    others = rows.copy()
    np.put_along_axis(others, rows.argmax(axis=-1, keepdims=True), 0.0, axis=-1)
    return others


def _remainders(rows: Array) -> Array:
    """Return 1 - a for each weight; that of the largest is the sum of the others."""
    remainders = 1 - rows
    rest = _without_peak(rows).sum(axis=-1, keepdims=True)
    np.put_along_axis(remainders, rows.argmax(axis=-1, keepdims=True), rest, axis=-1)
    return remainders


def _backward_inputs(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, d_output: ArrayLike, precision: str
) -> list[Array]:
    named = {
        "q": as_numbers(q, "q"),
        "k": as_numbers(k, "k"),
        "v": as_numbers(v, "v"),
        "d_output": as_numbers(d_output, "d_output"),
    }
    _require_shapes({name: array.shape for name, array in named.items()})
    for name, array in named.items():
        require_range(array, name, precision)
    return [array.astype(precision, copy=False) for array in named.values()]


def _require_shapes(shapes: dict[str, tuple[int, ...]]) -> None:
    q, k, v, d_output = shapes.values()
    if min(map(len, shapes.values())) < 2 or not q[:-2] == k[:-2] == v[:-2]:
        raise ShapeError(
            "`q`, `k` and `v` must have at least two axes and the same leading ones, "
            "got q={q}, k={k}, v={v}.",
            **shapes,
        )
    if k[-1] != q[-1]:
        raise ShapeError("`k` must match `q` in its last axis, got q={q}, k={k}.", **shapes)
    if v[-2] != k[-2]:
        raise ShapeError("`v` must have as many positions as `k`, got k={k}, v={v}.", **shapes)
    wanted = (*q[:-1], v[-1])
    if d_output != wanted:
        raise ShapeError(
            "`d_output` must have the shape of the output, {wanted}, got {shape}.",
            wanted=wanted,
            shape=d_output,
        )


def _spread_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    allowed = as_mask(mask)
    require_broadcast(allowed, "mask", shape)
    return np.array(np.broadcast_to(allowed, shape))


def _refuse_overflow(found: AttentionGradients, precision: str) -> None:
    for field in fields(found):
        lost = ~np.isfinite(getattr(found, field.name))
        if lost.any():
            raise NumberError(
                "The gradient of {name} overflows {precision} at index {place}, counted from 1; "
                "use smaller numbers.",
                name=field.name,
                precision=precision,
                place=first_place(lost),
            )

"""Scaled dot-product attention: the six steps one by one, and the fast path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.backends import Backend, get_backend
from engine.errors import NumberError, OptionError, ShapeError
from engine.shapes import (
    Array,
    all_finite,
    as_bias,
    as_mask,
    as_numbers,
    as_scale,
    first_place,
    require_broadcast,
    require_matrix,
    require_range,
)


@dataclass(frozen=True)
class AttentionTrace:
    """Every step of one attention head.

    Attributes
    ----------
    q, k, v : np.ndarray
        The projections, (T, D), (S, D), (S, E).
    scores, scaled, masked, weights : np.ndarray
        (T, S). ``masked`` holds minus infinity where a query may not look.
    output : np.ndarray
        (T, E).
    mask : np.ndarray or None
        bool, (T, S), True = may look; None when nothing is hidden.
    scale : float
        What the scores were multiplied by.
    """

    q: Array
    k: Array
    v: Array
    scores: Array
    scaled: Array
    masked: Array
    weights: Array
    output: Array
    mask: Array | None
    scale: float


def trace_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    *,
    context: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    backend: Backend | str | None = None,
) -> AttentionTrace:
    """Compute one attention head and keep every step.

    Parameters
    ----------
    x : array-like, (T, d_model)
        One row per query token.
    w_q, w_k, w_v : array-like, (d_model, D), (d_model, D), (d_model, E)
        The projections.
    context : array-like, (S, d_model), optional
        Feeds K and V (cross-attention); ``x`` does when it is None (self-attention).
    mask : array-like of bool, broadcastable to (T, S), optional
        True = may look. A row that may look nowhere has zero weights and a zero output.
    scale : float, optional
        1/sqrt(D) when None; 1.0 means no scaling.
    backend : Backend, str or None
        Where to compute; None is the best for this machine.

    Returns
    -------
    AttentionTrace
        In the precision of the backend: float64 on NumPy, float32 on MLX.

    Raises
    ------
    ShapeError
        If the sizes do not fit together.
    NumberError
        If an input is not finite, or a step overflows.
    BackendError
        If the named backend is missing.
    """
    chosen = choose_backend(backend)
    inputs = _trace_inputs(x, w_q, w_k, w_v, context, chosen.precision)
    T, S, D = inputs[0].shape[0], inputs[1].shape[0], inputs[2].shape[1]
    allowed = None if mask is None else _full_mask(mask, (T, S))
    used_scale = as_scale(scale, D)
    visible = np.ones((T, S), dtype=np.bool_) if allowed is None else allowed
    steps = chosen.run(six_steps, *inputs, visible, scale=used_scale)
    _refuse_overflow(steps, chosen.precision)
    return AttentionTrace(**steps, mask=allowed, scale=used_scale)


def attend(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    backend: Backend | str | None = None,
) -> Array:
    """Compute attention without keeping the steps.

    Parameters
    ----------
    q : array-like, (B, H, T, D) or (T, D)
    k : array-like, (B, H_kv, S, D) or (S, D)
    v : array-like, (B, H_kv, S, E) or (S, E)
        H is a multiple of H_kv; each key-value head serves H / H_kv query heads.
    mask : array-like of bool, broadcastable to (B, H, T, S), optional
        True = may look. A row that may look nowhere has a zero output.
    bias : array-like, broadcastable to (B, H, T, S), optional
        Added to the scaled scores; it may hold minus infinity.
    causal : bool
        Hide the keys after each query; the last query sees the last key. Needs T <= S.
    scale : float, optional
        1/sqrt(D) when None.
    backend : Backend, str or None
        Where to compute; None is the best for this machine.

    Returns
    -------
    np.ndarray
        (B, H, T, E) or (T, E), of ``q``'s dtype (float64 for integers).

    Raises
    ------
    ShapeError
        If the sizes do not fit together.
    NumberError
        If an input is not finite, or the scores overflow.
    BackendError
        If the named backend is missing, or memory runs out.
    """
    chosen = choose_backend(backend)
    arrays = [as_numbers(q, "q"), as_numbers(k, "k"), as_numbers(v, "v")]
    alone = arrays[0].ndim == 2
    _require_attend_shapes(*arrays, causal=causal)
    query, key, value = (array[None, None] if alone else array for array in arrays)
    shape = (*query.shape[:3], key.shape[2])
    allowed = None if mask is None else _spread(as_mask(mask), "mask", shape, alone)
    added = None if bias is None else _spread(as_bias(bias), "bias", shape, alone)
    used_scale = as_scale(scale, query.shape[3])
    output = chosen.attend(
        query, key, value, mask=allowed, bias=added, causal=bool(causal), scale=used_scale
    )
    output = _cast(output, query.dtype)
    return output[0, 0] if alone else output


def _cast(output: Array, dtype: np.dtype[Any]) -> Array:
    """Return ``output`` in the dtype of the query, refusing what that dtype cannot hold."""
    cast = output
    if output.dtype != dtype:
        with np.errstate(over="ignore"):  # checked below
            cast = output.astype(dtype)
    if not all_finite(cast):
        raise NumberError(
            "The output must fit {dtype}, the dtype of `q`, and its largest value is {largest}; "
            "pass `q` in a wider dtype, or smaller values in `v`.",
            dtype=dtype.name,
            largest=f"{float(np.abs(output).max()):.6g}",
        )
    return cast


def choose_backend(backend: Backend | str | None) -> Backend:
    """Return a backend given as itself, by name, or as None (the best here).

    Raises
    ------
    OptionError
        If it is neither, or the name is unknown.
    BackendError
        If the named backend is missing.
    """
    if backend is None or isinstance(backend, str):
        return get_backend(backend)
    if not (hasattr(backend, "run") and hasattr(backend, "precision")):
        raise OptionError(
            "`backend` must be a backend, the name of one, or None, got {value}.",
            value=repr(backend),
        )
    return backend


def six_steps(
    xp: Any, x: Any, source: Any, w_q: Any, w_k: Any, w_v: Any, visible: Any, *, scale: float
) -> dict[str, Any]:
    """Compute the six steps in the names that NumPy and mlx.core share.

    Shapes and steps are those of `AttentionTrace`; for `Backend.run`, on arrays that fit together.
    """
    q = xp.matmul(x, w_q)  # (T, D)
    k = xp.matmul(source, w_k)  # (S, D)
    v = xp.matmul(source, w_v)  # (S, E)
    scores = xp.matmul(q, xp.swapaxes(k, -1, -2))  # (T, S)
    scaled = scores * scale
    masked = xp.where(visible, scaled, -float("inf"))
    weights = softmax(xp, masked)
    output = xp.matmul(weights, v)  # (T, E)
    return {
        "q": q,
        "k": k,
        "v": v,
        "scores": scores,
        "scaled": scaled,
        "masked": masked,
        "weights": weights,
        "output": output,
    }


def softmax(xp: Any, masked: Any) -> Any:
    """Normalise each row in the same names; a row of minus infinities has weights of zero."""
    peak = xp.max(masked, axis=-1, keepdims=True)
    # Where a row may look nowhere its peak is -inf, and -inf - -inf would be NaN.
    peak = xp.where(peak == -float("inf"), xp.zeros_like(peak), peak)
    exponentials = xp.exp(masked - peak)
    total = xp.sum(exponentials, axis=-1, keepdims=True)
    return exponentials / xp.where(total == 0, xp.ones_like(total), total)


def _trace_inputs(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    context: ArrayLike | None,
    precision: str,
) -> list[Array]:
    named = {
        "x": as_numbers(x, "x"),
        "context": as_numbers(x if context is None else context, "context"),
        "w_q": as_numbers(w_q, "w_q"),
        "w_k": as_numbers(w_k, "w_k"),
        "w_v": as_numbers(w_v, "w_v"),
    }
    for name, array in named.items():
        require_matrix(array, name)
        require_range(array, name, precision)
    d_model = named["x"].shape[1]
    if named["context"].shape[1] != d_model:
        raise ShapeError(
            "`context` must have as many columns as `x` (d_model), got x={x}, context={context}.",
            x=named["x"].shape,
            context=named["context"].shape,
        )
    for name in ("w_q", "w_k", "w_v"):
        _require_rows(named[name], name, d_model)
    if named["w_q"].shape[1] != named["w_k"].shape[1]:
        raise ShapeError(
            "`w_k` must have as many columns as `w_q` (d_k), got w_q={w_q}, w_k={w_k}.",
            w_q=named["w_q"].shape,
            w_k=named["w_k"].shape,
        )
    return [array.astype(precision, copy=False) for array in named.values()]


def _require_rows(weight: Array, name: str, d_model: int) -> None:
    if weight.shape[0] != d_model:
        raise ShapeError(
            "`{name}` must have one row for each of the {d_model} columns of `x` (d_model), "
            "got shape {shape}.",
            name=name,
            d_model=d_model,
            shape=weight.shape,
        )


def _full_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    array = as_mask(mask)
    require_broadcast(array, "mask", shape)
    return np.array(np.broadcast_to(array, shape))


def _spread(array: Array, name: str, shape: tuple[int, ...], alone: bool) -> Array:
    """Check that ``array`` broadcasts, and give it all four axes (sizes of 1 stay 1)."""
    require_broadcast(array, name, shape[2:] if alone else shape)
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def _require_attend_shapes(q: Array, k: Array, v: Array, *, causal: bool) -> None:
    shapes = {"q": q.shape, "k": k.shape, "v": v.shape}
    if q.ndim not in (2, 4) or k.ndim != q.ndim or v.ndim != q.ndim:
        raise ShapeError(
            "`q`, `k` and `v` must all have four axes (B, H, T, D) or all two (T, D), "
            "got q={q}, k={k}, v={v}.",
            **shapes,
        )
    if k.shape[-1] != q.shape[-1]:
        raise ShapeError("`k` must match `q` in its last axis, got q={q}, k={k}.", **shapes)
    if v.shape[-2] != k.shape[-2]:
        raise ShapeError(
            "`v` must have as many positions as `k`, got k={k}, v={v}.",
            **shapes,
        )
    if q.ndim == 4:
        _require_heads(q, k, v)
    if causal and q.shape[-2] > k.shape[-2]:
        raise ShapeError(
            "`causal` needs at least as many keys as queries, got T = {T}, S = {S}; "
            "pass a mask instead.",
            T=q.shape[-2],
            S=k.shape[-2],
        )


def _require_heads(q: Array, k: Array, v: Array) -> None:
    shapes = {"q": q.shape, "k": k.shape, "v": v.shape}
    if not q.shape[0] == k.shape[0] == v.shape[0]:
        raise ShapeError(
            "`q`, `k` and `v` must have the same batch size, got q={q}, k={k}, v={v}.", **shapes
        )
    if k.shape[1] != v.shape[1]:
        raise ShapeError("`v` must have as many heads as `k`, got k={k}, v={v}.", **shapes)
    if q.shape[1] % k.shape[1]:
        raise ShapeError(
            "The heads of `q` must be a multiple of the heads of `k`, got q={q}, k={k}.", **shapes
        )


def _refuse_overflow(steps: dict[str, Array], precision: str) -> None:
    """Refuse the first step, in the order of computing, that left the finite numbers."""
    for step in ("q", "k", "v", "scores", "scaled", "output"):
        lost = ~np.isfinite(steps[step])
        if lost.any():
            raise _overflow(step, first_place(lost), precision)


def _overflow(step: str, place: tuple[int, ...], precision: str) -> NumberError:
    row, column = place
    if step == "scores":
        return NumberError(
            "The scores overflow {precision} at row {row}, column {column}; use smaller numbers.",
            precision=precision,
            row=row,
            column=column,
        )
    if step == "scaled":
        return NumberError(
            "The scaled scores overflow {precision} at row {row}, column {column}; "
            "use smaller numbers.",
            precision=precision,
            row=row,
            column=column,
        )
    if step == "output":
        return NumberError(
            "The output overflows {precision} at row {row}, column {column}; use smaller numbers.",
            precision=precision,
            row=row,
            column=column,
        )
    return NumberError(
        "The projection {name} overflows {precision} at row {row}, column {column}; "
        "use smaller numbers.",
        name=step.upper(),
        precision=precision,
        row=row,
        column=column,
    )

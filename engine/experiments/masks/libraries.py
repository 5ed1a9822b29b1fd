"""Implementations of attention under a causal mask, run where they can be.

Shape legend: T query positions, S key positions, D = d_k, E = d_v.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from engine.attention import attend
from engine.backends import Backend
from engine.errors import ShapeError
from engine.shapes import Array

# (q (T, D), k (S, D), v (S, E), visible (T, S), backend) -> output (T, E), None where refused
Implementation = Callable[[Array, Array, Array, Array, Backend], Array | None]
# What becomes of a row: see `alignment.Behaviour`.
RowKind = Literal["zero", "nan", "mean", "attends", "refused", "unknown"]


def engine_causal(q: Array, k: Array, v: Array, _visible: Array, backend: Backend) -> Array | None:
    """Call this engine with ``causal=True``, which refuses T > S."""
    try:
        return attend(q, k, v, causal=True, backend=backend)
    except ShapeError:
        return None


def engine_masked(q: Array, k: Array, v: Array, visible: Array, backend: Backend) -> Array:
    """Call this engine with a boolean mask."""
    return attend(q, k, v, mask=visible, backend=backend)


def formula(q: Array, k: Array, v: Array, visible: Array, backend: Backend) -> Array:
    """Compute softmax as it is written, with minus infinity where a query may not look."""
    output: Array = backend.run(_softmax_as_written, q, k, v, visible, scale=q.shape[1] ** -0.5)
    return output


def _mlx(q: Array, k: Array, v: Array, visible: Array, backend: Backend, *, mask: str) -> Array:
    """Call the kernel of MLX."""
    output: Array = backend.run(_mlx_kernel, q, k, v, visible, scale=q.shape[1] ** -0.5, mask=mask)
    return output


# The ways to tell MLX's kernel; "causal" is a word, and the kernel makes the mask.
MLX: dict[str, Implementation] = {
    f"mlx-{mask}": partial(_mlx, mask=mask) for mask in ("causal", "boolean", "additive")
}
# What its kernel was measured to do where it does not run: a row that may look nowhere becomes
# this, and "causal" is lower-right.
MLX_REPORTED = "0.32.4"
MLX_EMPTY_ROWS: dict[str, RowKind] = {
    "mlx-causal": "mean",
    "mlx-boolean": "mean",
    "mlx-additive": "nan",
}
# Those that are handed the lower-right mask rather than told "causal".
HANDED = frozenset({"formula", "mlx-boolean", "mlx-additive"})


def _softmax_as_written(xp: Any, q: Any, k: Any, v: Any, visible: Any, *, scale: float) -> Any:
    scores = xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale
    masked = xp.where(visible, scores, -float("inf"))
    exponentials = xp.exp(masked - xp.max(masked, axis=-1, keepdims=True))
    return xp.matmul(exponentials / xp.sum(exponentials, axis=-1, keepdims=True), v)


def _mlx_kernel(xp: Any, q: Any, k: Any, v: Any, visible: Any, *, scale: float, mask: str) -> Any:
    given = {
        "causal": "causal",
        "boolean": visible,
        "additive": xp.where(visible, xp.array(0.0), xp.array(-float("inf"))),
    }
    heads = (each[None, None] for each in (q, k, v))
    return xp.fast.scaled_dot_product_attention(*heads, scale=scale, mask=given[mask])[0, 0]

"""Attention through MLX's fused kernel, ``mx.fast.scaled_dot_product_attention``.

What the kernel does not do is done here. A row that may look nowhere comes out as the mean of V
or as NaN, so such rows are set to zero. A boolean mask is the only mask it reads without
surprises; with a bias the whole is computed in float32. Some head sizes, and every CPU, fall back
to a T x S matrix without saying so, and a very long kernel is killed by the display's watchdog,
so queries go in blocks. MLX comes in as an argument: this file does not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine.backends.bounds import safe_limit, score_bound
from engine.errors import NumberError
from engine.shapes import Array, require_range

# float16 holds every whole number up to this; larger scores are computed in float32.
HALF_SCORE = 2048.0
MOST_SCORE_BYTES = 2**28  # held at once, if the kernel falls back
MOST_OPERATIONS = 5e11  # in one evaluation: well under a second on the smallest Apple GPU


@dataclass(frozen=True)
class FusedCall:
    """One checked call.

    Attributes
    ----------
    q, k, v : np.ndarray
        (B, H, T, D), (B, H_kv, S, D), (B, H_kv, S, E), in the dtype to compute in.
    mask, bias : np.ndarray or None
        Four axes, each of full size or 1.
    causal : bool
        Lower-right aligned; T <= S.
    scale : float
        What the scores are multiplied by.
    """

    q: Array
    k: Array
    v: Array
    mask: Array | None
    bias: Array | None
    causal: bool
    scale: float

    def run(
        self,
        mx: Any,
        evaluate: Callable[[Callable[[], Any]], Array],
        *,
        query_block: int | None = None,
    ) -> Array:
        """Compute the output, (B, H, T, E).

        Parameters
        ----------
        mx : module
            ``mlx.core``.
        evaluate : callable
            Evaluates what a function builds, and returns it as a NumPy array.
        query_block : int, optional
            Queries in one evaluation; found from the sizes when not given.
        """
        output = np.empty((*self.q.shape[:3], self.v.shape[3]), self.q.dtype)
        keys, values = mx.array(self.k), mx.array(self.v)
        for rows in self._blocks(query_block):
            # Keys after the last query of a causal block are hidden from all of it.
            seen = slice(0, self._offset + rows.stop if self.causal else self.k.shape[2])
            mask, hidden = self._block_mask(rows, seen)
            build = partial(
                self._build, mx, self.q[:, :, rows], keys[:, :, seen], values[:, :, seen], mask
            )
            block = evaluate(build)
            if hidden is not None:
                block = np.where(hidden[..., None], block.dtype.type(0), block)
            output[:, :, rows] = block
        return output

    def builds(self, mx: Any, q: Any, k: Any, v: Any) -> Iterator[Callable[[], Any]]:
        """Yield what builds each block from arrays of MLX: what a measurement evaluates.

        Parameters
        ----------
        mx : module
            ``mlx.core``.
        q, k, v : mlx.core.array
            Those of this call, in place already. There is neither a mask nor a bias.
        """
        for rows in self._blocks(None):
            seen = slice(0, self._offset + rows.stop if self.causal else self.k.shape[2])
            yield partial(
                mx.fast.scaled_dot_product_attention,
                q[:, :, rows],
                k[:, :, seen],
                v[:, :, seen],
                scale=self.scale,
                mask="causal" if self.causal else None,
            )

    def _build(self, mx: Any, q: Array, k: Any, v: Any, mask: Array | str | None) -> Any:
        mask = mx.array(mask) if isinstance(mask, np.ndarray) else mask
        return mx.fast.scaled_dot_product_attention(mx.array(q), k, v, scale=self.scale, mask=mask)

    @property
    def _offset(self) -> int:
        """How many keys come before the first query's own."""
        return int(self.k.shape[2] - self.q.shape[2])

    def _blocks(self, size: int | None) -> Iterator[slice]:
        B, H, T, D = self.q.shape
        S, E = self.v.shape[2:]
        size = size or block_rows(B, H, T, S, D, E)
        for first in range(0, T, size):
            yield slice(first, min(first + size, T))

    def _block_mask(self, rows: slice, keys: slice) -> tuple[Array | str | None, Array | None]:
        """Return the mask as the kernel takes it, and which rows may look nowhere, (b, h, t)."""
        if self.mask is None and self.bias is None:
            return ("causal" if self.causal else None), None
        bias = _cut(self.bias, rows, keys)
        visible = _cut(self.mask, rows, keys)
        visible = np.ones((1, 1, 1, 1), np.bool_) if visible is None else visible
        if self.causal:
            own = np.arange(rows.start, rows.stop)[:, None] + self._offset
            visible = visible & (np.arange(keys.stop) <= own)
        if bias is not None:
            visible = visible & (bias != -np.inf)
        hidden = ~np.any(visible, axis=-1)
        mask = visible if bias is None else np.where(visible, bias, -np.inf).astype(self.q.dtype)
        return mask, hidden if hidden.any() else None


def block_rows(B: int, H: int, T: int, S: int, D: int, E: int) -> int:
    """Return how many queries go into one evaluation: few enough in memory and in work."""
    by_memory = MOST_SCORE_BYTES // (4 * B * H * S)
    by_work = int(MOST_OPERATIONS / (2.0 * B * H * S * (D + E)))
    return max(1, min(T, by_memory, by_work))


def prepare(
    q: Array,
    k: Array,
    v: Array,
    *,
    mask: Array | None,
    bias: Array | None,
    causal: bool,
    scale: float,
) -> FusedCall:
    """Choose float16 or float32 and refuse what would overflow.

    Raises
    ------
    NumberError
        If an input does not fit float32, or a score might overflow it.
    """
    for name, array in (("q", q), ("k", k), ("v", v)):
        require_range(array, name, np.float32)
    if bias is not None and bias.dtype == np.float64:
        require_range(np.where(bias == -np.inf, 0, bias), "bias", np.float32)
    bound = score_bound(q, k, scale)
    if not bound < safe_limit(np.dtype(np.float32)):
        raise NumberError(
            "The scores could reach {bound} and overflow {precision}; use smaller numbers.",
            bound=f"{bound:.1e}",
            precision="float32",
        )
    half = q.dtype == k.dtype == v.dtype == np.float16 and bias is None and bound <= HALF_SCORE
    q, k, v = (a.astype(np.float16 if half else np.float32, copy=False) for a in (q, k, v))
    return FusedCall(q, k, v, mask, bias, causal, scale)


def _cut(array: Array | None, rows: slice, keys: slice) -> Array | None:
    """Return the block of a mask or bias; an axis of size 1 stays as it is."""
    if array is None:
        return None
    whole = slice(None)
    return array[:, :, rows if array.shape[2] > 1 else whole, keys if array.shape[3] > 1 else whole]

"""Attention of one block of queries over all of its keys, block by block: online softmax.

For each query the sum of exponentials and the weighted sum of values are kept (Milakov and
Gimelshein 2018, arXiv:1805.02867), relative to a shift that the softmax cancels. In NumPy a pass
over the scores costs a tenth of a product, so passes are saved where that is safe: scores known
to be small are not shifted; else the shift is the largest score of the first keys, and it is
raised, by repeating a block, only where a later sum grows too large.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.backends.blocked_plan import Part
from engine.backends.blocked_problem import Problem
from engine.errors import NumberError
from engine.shapes import Array, all_finite

# Largest sum of exponentials of one block: large against 1, and far from the end of float32.
MOST_SUM = 1e18


# What a block shows: from which of its columns on it is not all, and the entries there.
_Visible = tuple[int, Array]


class Buffers:
    """One thread's memory for a block, used again for every block."""

    def __init__(self, rows: int, key_block: int, E: int, dtype: np.dtype[Any]) -> None:
        self.scores = np.empty(rows * key_block, dtype)
        self.added = np.empty(rows * E, dtype)
        self.ones = np.ones((key_block, 1), dtype)


def _shaped(memory: Array, *shape: int) -> Array:
    """Return the beginning of a buffer as an array of this shape."""
    return memory[: math.prod(shape)].reshape(shape)


class Rows:
    """One block of queries on its way through the keys.

    Parameters
    ----------
    problem : Problem
    part : Part
        Which queries; h key-value heads and t positions below.
    buffers : Buffers
    """

    def __init__(self, problem: Problem, part: Part, buffers: Buffers) -> None:
        self.problem, self.part, self.buffers = problem, part, buffers
        scaled = problem.q[part] * problem.factor
        self.shape = scaled.shape[:-1]  # (h, G, t)
        self.queries = scaled.reshape(len(scaled), -1, scaled.shape[-1])  # (h, G t, D)
        # Whether a query may see nothing at all.
        self.hiding = problem.mask is not None or problem.bias is not None
        self._begin()

    def attend(self, output: Array) -> None:
        """Write the output of these queries, (h, G, t, E).

        Raises
        ------
        NumberError
            If a score overflows, or the output does.
        """
        self._pass_keys(output)
        if all_finite(output):
            return
        # The weighted sums overflowed: once more with smaller values, by a power of two (exact).
        self._begin(room=2.0 ** self.problem.k.shape[2].bit_length())
        self._pass_keys(output)
        output *= self.room
        if not all_finite(output):
            raise NumberError(
                "The output overflows {precision}; use smaller numbers in `v`.",
                precision=output.dtype.name,
            )

    def _begin(self, room: float = 1.0) -> None:
        self.room = room  # what the values are divided by
        # Raise the shift to the largest score in every block.
        self.strict = room != 1 or self.problem.strict
        self.shift: Array | None = None  # (h, G t, 1), what was subtracted from the scores
        self.sums: Array | None = None  # (h, G t, E), of powers times values
        self.totals: Array | None = None  # (h, G t, 1), of powers alone

    def _pass_keys(self, output: Array) -> None:
        for keys in self._key_blocks():
            allowed = self._cut(self.problem.mask, keys)
            if allowed is None or allowed.any():
                visible = self._visible(allowed, keys)
                self._add(*self._powers(keys, visible), keys)
        if self.sums is None or self.totals is None:
            output[...] = 0
            return
        if self.hiding:
            self.totals[self.totals == 0] = 1  # nothing was visible, and the sums are 0 as well
        shape = (*self.shape, -1)
        np.divide(self.sums.reshape(shape), self.totals.reshape(shape), out=output)

    def _key_blocks(self) -> Iterator[slice]:
        stop = self.problem.k.shape[2]
        if self.problem.causal:  # the keys after the last query are hidden from all of them
            stop = min(stop, self.part.queries.stop + self.problem.offset)
        for first in range(0, stop, self.problem.key_block):
            yield slice(first, min(first + self.problem.key_block, stop))

    def _add(self, powers: Array, totals: Array, keys: slice) -> None:
        """Add one block to the sums."""
        values = self.problem.v[self.part.batch, self.part.heads, keys]
        if self.room != 1:
            values = values / values.dtype.type(self.room)
        if self.sums is None or self.totals is None:
            self.sums, self.totals = np.matmul(powers, values), totals
            return
        added = _shaped(self.buffers.added, *self.sums.shape)
        self.sums += np.matmul(powers, values, out=added)
        self.totals += totals

    def _powers(self, keys: slice, visible: list[_Visible]) -> tuple[Array, Array]:
        """Return the exponentials of one block, (h, G t, s), and their totals, (h, G t, 1)."""
        scores = self._scores(keys)
        if self.problem.plain:
            self.problem.exponential(scores, out=scores)
            self._hide_powers(scores, visible)
            return scores, self._totals(scores)
        self._hide_scores(scores, visible)
        raised = self.strict or self._needs_shift()
        totals = self._shifted(scores, raised=raised)
        if not raised and totals.max() > MOST_SUM:
            self.strict = True  # scores that grew so much may do so again
            self._hide_scores(self._scores(keys), visible)  # once more, in the same memory
            totals = self._shifted(scores, raised=True)
        return scores, totals

    def _totals(self, powers: Array) -> Array:
        totals: Array = np.matmul(powers, self.buffers.ones[: powers.shape[-1]])
        return totals

    def _needs_shift(self) -> bool:
        """Return whether a query has seen no key so far."""
        return self.shift is None or (self.hiding and bool((self.shift == -np.inf).any()))

    def _shifted(self, scores: Array, *, raised: bool) -> Array:
        """Turn scores into powers relative to the shift, in place; return their totals."""
        if raised or self.shift is None:
            self.shift = self._raised(scores)
        scores -= _finite(self.shift) if self.hiding else self.shift
        self.problem.exponential(scores, out=scores)
        return self._totals(scores)

    def _raised(self, scores: Array) -> Array:
        """Return the largest score so far, and make the sums relative to it."""
        largest: Array = scores.max(axis=-1, keepdims=True)
        if self.shift is None:
            return largest
        higher: Array = np.maximum(self.shift, largest)
        factor = np.exp(self.shift - _finite(higher))
        if self.sums is not None and self.totals is not None:
            self.sums *= factor
            self.totals *= factor
        return higher

    def _scores(self, keys: slice) -> Array:
        """Return one block of scores with its bias, (h, G t, s)."""
        transposed = self.problem.k[self.part.batch, self.part.heads, keys].swapaxes(-1, -2)
        shape = (*self.queries.shape[:2], keys.stop - keys.start)
        scores = np.matmul(self.queries, transposed, out=_shaped(self.buffers.scores, *shape))
        bias = self._cut(self.problem.bias, keys)
        if bias is None and not self.problem.checked:
            return scores
        block = scores.reshape(*self.shape, -1)
        if self.problem.checked:
            _refuse_overflow(block, bias)
        if bias is not None:
            block += bias
        return scores

    def _visible(self, allowed: Array | None, keys: slice) -> list[_Visible]:
        """Return what the mask and the causal triangle leave of one block, where not all."""
        visible = []
        if allowed is not None and not allowed.all():
            visible.append((0, allowed))
        first = self.part.queries.start + self.problem.offset  # the first query's own key
        if self.problem.causal and keys.stop - 1 > first:
            start = max(keys.start, first + 1)
            own = np.arange(first, first + self.shape[2])[:, None]
            visible.append((start - keys.start, np.arange(start, keys.stop) <= own))
        return visible

    def _hide_scores(self, scores: Array, visible: list[_Visible]) -> None:
        block = scores.reshape(*self.shape, -1)
        for first, where in visible:
            np.copyto(block[..., first:], -np.inf, where=~where)

    def _hide_powers(self, powers: Array, visible: list[_Visible]) -> None:
        block = powers.reshape(*self.shape, -1)
        for first, where in visible:
            block[..., first:] *= where  # by 1 or 0: faster than a copy where it is hidden

    def _cut(self, array: Array | None, keys: slice) -> Array | None:
        """Return the block of a mask or bias, (h, G, t, s); an axis of size 1 stays as it is."""
        if array is None:
            return None
        batch, heads, groups, queries = self.part
        parts = (slice(batch, batch + 1), heads, groups, queries, keys)
        sizes = zip(array.shape, parts, strict=True)
        block: Array = array[tuple(part if size > 1 else slice(None) for size, part in sizes)]
        first: Array = block[0]
        return first


def _finite(shift: Array) -> Array:
    """Return 0 where a query has seen nothing: -inf - -inf would be NaN."""
    return np.where(shift == -np.inf, 0, shift)


def _refuse_overflow(scores: Array, bias: Array | None) -> None:
    if not all_finite(scores):
        raise NumberError(
            "The scores overflow {precision}; use smaller numbers.", precision=scores.dtype.name
        )
    if bias is None:
        return
    sums = np.add(scores, bias, dtype=scores.dtype, casting="same_kind")
    if np.any(np.isfinite(bias) & ~np.isfinite(sums)):
        raise NumberError(
            "The scores with `bias` overflow {precision}; use a smaller bias, or minus infinity "
            "to hide a key.",
            precision=scores.dtype.name,
        )

"""A sequence that grows by one token at a time, and the cache that a causal mask allows.

Shape legend: T positions, N lengths that are tried, D = d_k, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import (
    AttentionTrace,
    choose_backend,
    six_steps,
    softmax,
    trace_attention,
)
from engine.backends import Backend
from engine.experiments.masks.compare import Params
from engine.experiments.masks.inputs import Head, head_of
from engine.experiments.masks.lengths import lengths_of
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.masks.spec import build
from engine.experiments.read_only import close_fields, read_only
from engine.shapes import Array


@dataclass(frozen=True)
class Growth:
    """Outputs of each shorter sequence against those of the whole one, under one mask.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T), of the whole sequence; a shorter one has its upper left corner.
    lengths : tuple of int
        Rising, the last is T; every length from 1 on where T <= MOST_LENGTHS. Longer input is
        tried at lengths spread evenly, and where the changes of a mask are largest and end.
    differences : np.ndarray
        (N, T): entry (n, i) is the largest absolute difference of a component of output i between
        the pass over the first ``lengths[n]`` tokens alone and the pass over all; NaN where token i
        is not there yet.
    decoded : np.ndarray
        (T,): the same for output i computed from query i alone against the keys and values that a
        cache holds at that step (tokens 0 to i).
    rounding : float
        By how much two outputs may differ through rounding alone.
    """

    visible: Array
    lengths: tuple[int, ...]
    differences: Array
    decoded: Array
    rounding: float

    @property
    def change(self) -> float:
        """The largest change of an output between a shorter sequence and the whole one."""
        return float(np.nanmax(self.differences))

    @property
    def cache_error(self) -> float:
        """The largest difference of an output computed from the cache."""
        return float(self.decoded.max())

    @property
    def last_change(self) -> int:
        """The last length at which an output still differs beyond rounding; 0 where none does."""
        place = self._settled_at
        return self.lengths[place - 1] if place else 0

    @property
    def settled(self) -> int | None:
        """The first length from which on outputs stay; None where they change up to the end.

        At its full length every sequence agrees with itself, so that alone is not staying.
        """
        place = self._settled_at
        changes_to_the_end = 0 < place == len(self.lengths) - 1
        return None if changes_to_the_end else self.lengths[place]

    @property
    def _settled_at(self) -> int:
        """The place in ``lengths`` after the last one with a change beyond rounding."""
        changed = np.nan_to_num(self.differences).max(axis=1) > self.rounding
        return int(np.flatnonzero(changed).max(initial=-1)) + 1


@dataclass(frozen=True)
class GrowthResult:
    """Growth under both masks of the comparison, with the projections that a cache stores.

    Attributes
    ----------
    q, k, v : np.ndarray
        (T, D), (T, D), (T, E) of the whole sequence.
    weights, output : np.ndarray
        (T, T) and (T, E) under mask b, of the whole sequence.
    """

    params: Params
    head: Head
    a: Growth
    b: Growth
    q: Array
    k: Array
    v: Array
    weights: Array
    output: Array
    backend_name: str
    precision: str
    seconds: float


def measure_growth(params: Params, *, backend: Backend | str | None = None) -> GrowthResult:
    """Compute every shorter sequence alone, and every token from a cache.

    Raises
    ------
    EngineError
        As `head_of` and `build` do; BackendError when the backend is missing.
    """
    head = head_of(params)
    masks = [build(spec, len(head.tokens)) for spec in (params.a, params.b)]
    chosen = choose_backend(backend)
    started = time.perf_counter()
    wholes = [_whole(head, visible, chosen) for visible in masks]
    lengths = lengths_of(*wholes)
    a, b = (_grow(head, whole, lengths, chosen) for whole in wholes)
    seconds = time.perf_counter() - started
    whole = wholes[1]
    return GrowthResult(
        params,
        head,
        a,
        b,
        whole.q,
        whole.k,
        whole.v,
        whole.weights,
        whole.output,
        chosen.name,
        chosen.precision,
        seconds,
    )


def _whole(head: Head, visible: Array, backend: Backend) -> AttentionTrace:
    """Return the pass over the whole sequence."""
    matrices = (head.x, head.w_q, head.w_k, head.w_v)
    whole = trace_attention(*matrices, mask=visible, backend=backend)
    read_only(visible)
    close_fields(whole)
    return whole


def _grow(head: Head, whole: AttentionTrace, lengths: tuple[int, ...], backend: Backend) -> Growth:
    visible = whole.mask
    assert visible is not None  # every spec is a mask
    matrices = (head.x, head.w_q, head.w_k, head.w_v)
    inputs = (*(each.astype(backend.precision) for each in matrices), visible)
    outputs = backend.run(_outputs_alone, *inputs, lengths=lengths, scale=whole.scale)
    decoded = backend.run(_outputs_decoded, *inputs, scale=whole.scale)
    differences = np.full((len(lengths), len(head.tokens)), np.nan, dtype=backend.precision)
    for row, output in zip(differences, outputs, strict=True):
        row[: len(output)] = _distance(output, whole.output[: len(output)])
    from_cache = _distance(decoded, whole.output)
    read_only(differences, from_cache)
    return Growth(visible, lengths, differences, from_cache, rounding_of(whole.v))


def _distance(output: Array, whole: Array) -> Array:
    return np.asarray(np.abs(output - whole).max(axis=-1))


def _outputs_alone(
    xp: Any,
    x: Any,
    w_q: Any,
    w_k: Any,
    w_v: Any,
    visible: Any,
    *,
    lengths: tuple[int, ...],
    scale: float,
) -> list[Any]:
    """Return the outputs of each shorter sequence, computed as if there were nothing after it."""
    return [
        six_steps(xp, x[:t], x[:t], w_q, w_k, w_v, visible[:t, :t], scale=scale)["output"]
        for t in lengths
    ]


def _outputs_decoded(
    xp: Any, x: Any, w_q: Any, w_k: Any, w_v: Any, visible: Any, *, scale: float
) -> Any:
    """Return output i from query i, and from the keys and values of tokens 0 to i."""
    tokens = x[:, None, :]  # each is projected alone, when it arrives
    queries, keys, values = (xp.matmul(tokens, w)[:, 0] for w in (w_q, w_k, w_v))
    rows = []
    for i in range(x.shape[0]):
        scores = xp.matmul(queries[i : i + 1], xp.swapaxes(keys[: i + 1], -1, -2)) * scale
        weights = softmax(xp, xp.where(visible[i : i + 1, : i + 1], scores, -float("inf")))
        rows.append(xp.matmul(weights, values[: i + 1]))
    return xp.concatenate(rows, axis=0)

"""Which shorter sequences are computed alone: all of them, or those that tell what happens.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

import numpy as np

from engine.attention import AttentionTrace
from engine.experiments.masks.rounding import rounding_of
from engine.shapes import Array

MOST_LENGTHS = 64


def lengths_of(*wholes: AttentionTrace) -> tuple[int, ...]:
    """Return the lengths to try, rising up to T, for passes over one input under several masks.

    More than ``MOST_LENGTHS`` are not all tried: they are spread evenly, and with them stand, for
    each mask, the length at which an output changes most, the last one at which any changes beyond
    rounding, and the length after that.
    """
    T = len(wholes[0].output)
    if T <= MOST_LENGTHS:
        return tuple(range(1, T + 1))
    lengths = set(np.linspace(1, T, MOST_LENGTHS).round().astype(int).tolist())
    return tuple(sorted(lengths.union(*map(_telling, wholes))))


def _telling(whole: AttentionTrace) -> set[int]:
    """Return the lengths where changes are largest and where they end; none where none change."""
    changes = _changes(whole)
    places = np.flatnonzero(changes > rounding_of(whole.v))
    if not places.size:
        return set()
    last = int(places.max()) + 1
    return {int(changes.argmax()) + 1, last, min(last + 1, len(changes))}


def _changes(whole: AttentionTrace) -> Array:
    """Return the largest change of an output at each length from 1 on, (T,).

    One key after the other is added to a running softmax of every query, which costs as much as a
    few passes; it says where to look, and what is shown is computed in passes of their own.
    """
    T, E = whole.output.shape
    peak, total = np.full((T, 1), -np.inf), np.zeros((T, 1))
    summed = np.zeros((T, E))
    changes = np.zeros(T)
    for key in range(T):
        score = whole.masked[:, key : key + 1]
        highest = np.maximum(peak, score)
        # Where a query has seen no key yet its peak is -inf, and -inf - -inf would be NaN.
        shift = np.where(highest == -np.inf, 0.0, highest)
        kept, added = np.exp(peak - shift), np.exp(score - shift)
        peak, total = highest, total * kept + added
        summed = summed * kept + added * whole.v[key]
        there = slice(key + 1)  # the queries of this length
        output = summed[there] / np.where(total[there] == 0, 1.0, total[there])
        changes[key] = np.abs(output - whole.output[there]).max()
    return changes

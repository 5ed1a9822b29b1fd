"""Whether two lists of numbers rise together: Spearman's rank correlation."""

from __future__ import annotations

import math

import numpy as np

from engine.shapes import Array

LEAST = 3  # of two numbers the correlation is always 1 or -1
ONE_IN_TWENTY = 1.959964  # standard deviations that a normal variable exceeds so often


def rank_correlation(one: Array, other: Array) -> float:
    """Return Spearman's correlation of (n,) and (n,): Pearson's of the ranks.

    Equal numbers have the mean of their ranks. NaN with fewer than ``LEAST`` numbers, or where
    all numbers of a list are equal.
    """
    if len(one) < LEAST:
        return math.nan
    ranks = [_centred(mean_ranks(each)) for each in (one, other)]
    lengths = [math.sqrt(float(each @ each)) for each in ranks]
    if not all(lengths):
        return math.nan
    return float(np.clip(ranks[0] @ ranks[1] / (lengths[0] * lengths[1]), -1, 1))


def chance_of(count: int) -> float:
    """Return what |correlation| exceeds in 1 of 20 cases of n unrelated numbers.

    The correlation then has a variance of 1 / (n - 1) and is nearly normal. NaN with fewer than
    ``LEAST`` numbers.
    """
    return math.nan if count < LEAST else min(1.0, ONE_IN_TWENTY / math.sqrt(count - 1))


def mean_ranks(numbers: Array) -> Array:
    """Return the ranks (n,) from 1; equal numbers share the mean of theirs."""
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ranks: Array = (np.cumsum(counts) - (counts - 1) / 2)[which]
    return ranks


def _centred(ranks: Array) -> Array:
    centred: Array = ranks - ranks.mean()
    return centred

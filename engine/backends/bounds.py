"""How large a score can get, known before any score is computed."""

from __future__ import annotations

import math

import numpy as np

from engine.shapes import Array


def score_bound(q: Array, k: Array, scale: float) -> float:
    """Return a number that no absolute scaled score exceeds, by Cauchy and Schwarz.

    Parameters
    ----------
    q, k : np.ndarray
        Queries and keys, (..., D).
    scale : float
        What the scores are multiplied by.

    Returns
    -------
    float
        The longest query times the longest key times |scale|; infinity where that overflows.
    """
    with np.errstate(over="ignore"):
        bound = math.sqrt(_longest_squared(q)) * math.sqrt(_longest_squared(k)) * abs(scale)
    return math.inf if math.isnan(bound) else bound


def columns_within(values: Array, least: float, most: float) -> bool:
    """Return whether each column is neither short nor long: nothing in it is huge, nor all tiny.

    Parameters
    ----------
    values : np.ndarray
        (B, H, S, E); a column is the S numbers of one head and component.
    least, most : float
        Its length is the root of its sum of squares; a column of zeros is too short.
    """
    with np.errstate(over="ignore", under="ignore"):
        squared = np.einsum("bhse,bhse->bhe", values, values)
    return bool(squared.min() >= least**2 and squared.max() <= most**2)


def safe_limit(dtype: np.dtype[np.floating]) -> float:
    """Return a bound below which no score overflows, even on top of the largest bias.

    A score below half the spacing of the largest number cannot push it to infinity.
    """
    limits = np.finfo(dtype)
    return float(limits.max) * float(limits.eps) / 4


def _longest_squared(rows: Array) -> float:
    dtype = np.result_type(rows, np.float32)
    return float(np.einsum("...d,...d->...", rows, rows, dtype=dtype).max())

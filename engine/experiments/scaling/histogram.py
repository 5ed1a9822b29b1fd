"""Histograms of dot products, on edges that are fixed before anything is drawn.

Divided by sqrt(D) they are the histograms of the scaled ones: the bins hold the same samples.

Shape legend: D = d_k.
"""

from __future__ import annotations

import math

import numpy as np

from engine.shapes import Array

BINS = 60
REACH = 4  # expected deviations on either side of the expected mean
LEAST_REACH = 3.6  # the same where bins have to fit the values


def edges_of(d_k: int, mean: float, deviation: float, step: float | None) -> Array:
    """Return BINS + 1 even edges, as far as an axis goes.

    Parameters
    ----------
    d_k : int
    mean, deviation : float
        What is expected of the dot products.
    step : float or None
        Distance of the values that dot products can take, where they are multiples of half of it
        (sums of d_k signs); None where every value is possible.
    """
    if step is not None:
        return _edges_between(d_k, deviation, step)
    return np.linspace(mean - REACH * deviation, mean + REACH * deviation, BINS + 1)


def counts_of(values: Array, edges: Array) -> Array:
    """Count the values; those beyond the edges go to the outermost bins."""
    ends = (edges[0], edges[-1])
    # NumPy sorts nothing where it is told of even bins.
    return np.histogram(np.clip(values, *ends), BINS, range=ends)[0]


def _edges_between(d_k: int, deviation: float, step: float) -> Array:
    """Return edges that hit no possible value, with as many values in one bin as in another.

    Elsewhere bins would hold two values and three by turns: teeth that the distribution lacks.
    Zero is an edge or the middle of a bin, so that what is symmetric looks symmetric.
    """
    least = 2 * LEAST_REACH * deviation / BINS
    if least < step:
        bins_to_step = math.floor(step / least)  # every value in the middle of a bin
        width = step / bins_to_step
        zero_is_edge = d_k % 2 == 1 and bins_to_step % 2 == 1
    else:
        steps_to_bin = math.ceil(least / step)  # every edge in the middle between two values
        zero_is_edge = d_k % 2 == 1
        if not zero_is_edge and steps_to_bin % 2 == 0:
            steps_to_bin += 1
        width = step * steps_to_bin
    first = -BINS / 2 if zero_is_edge else (1 - BINS) / 2
    return width * (first + np.arange(BINS + 1))

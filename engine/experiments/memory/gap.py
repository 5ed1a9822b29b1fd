"""Why a measured peak is not the predicted one: in matrices of T x T that were held at once."""

from __future__ import annotations

from engine.experiments.memory import needs
from engine.experiments.memory.needs import HELD, Sizes
from engine.experiments.memory.point import Point

# How far a peak may be from a whole number of matrices, to be called that many.
NEAR = 0.1
# A matrix so many times the output shows in the peak whether it was formed.
TELLING = 2
# The prediction counts the scores and the weights.
COUNTED = 2


def matrices(point: Point, sizes: Sizes) -> float:
    """Return how many matrices of scores the peak of a point comes to.

    Of the formula, all of the peak: it is reached within softmax, when there is no output yet. Of
    MLX's fallback, what is beyond the output, in matrices of one block of queries.
    """
    if point.kernel == "formula":
        return point.peak_bytes / (sizes.pairs * sizes.itemsize)
    output = sizes.queries * sizes.itemsize
    return (point.peak_bytes - output) / (needs.block_pairs(sizes) * sizes.itemsize)


def is_explained(point: Point, sizes: Sizes) -> bool:
    """Say whether the peak is that of a formula whose every step makes a new matrix."""
    return abs(matrices(point, sizes) - HELD) <= NEAR


def formed(point: Point, sizes: Sizes) -> bool | None:
    """Say by the peak whether MLX formed a matrix of scores; None where it is too small to tell."""
    matrix = needs.block_pairs(sizes)
    if matrix < TELLING * sizes.queries:
        return None
    return matrices(point, sizes) > 1 / 2

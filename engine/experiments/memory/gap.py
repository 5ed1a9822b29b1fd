"""Why a measured peak is not the predicted one: in matrices of T x T that were held at once."""

from __future__ import annotations

from engine.experiments.memory import needs
from engine.experiments.memory.needs import HELD, Sizes
from engine.experiments.memory.point import Point

# How far a peak may be from a whole number of matrices, to be called that many.
NEAR = 0.1
# What NumPy takes for a step in passing, largest elements and sums of rows, Python's objects.
LITTLE = 2**16  # bytes
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


def is_softmax(point: Point, sizes: Sizes) -> bool:
    """Say whether the formula's peak is three matrices within softmax, and a little more."""
    return _at_end(sizes) <= HELD * _matrix(sizes) and _is_little(rest(point, sizes), sizes)


def is_end(point: Point, sizes: Sizes) -> bool:
    """Say whether the formula's peak is scores, weights and output at its end, and a little more.

    So it is where the output is larger than a matrix: d_k > T.
    """
    return _at_end(sizes) > HELD * _matrix(sizes) and _is_little(rest(point, sizes), sizes)


def rest(point: Point, sizes: Sizes) -> int:
    """Return the bytes of the formula's peak beyond the arrays that it holds at its fullest."""
    return point.peak_bytes - max(HELD * _matrix(sizes), _at_end(sizes))


def is_worth_a_word(rest_: int, sizes: Sizes) -> bool:
    """Say whether a rest is a part of a matrix that shows."""
    return rest_ > NEAR * _matrix(sizes)


def _is_little(rest_: int, sizes: Sizes) -> bool:
    near = NEAR * _matrix(sizes)
    return -near <= rest_ <= max(LITTLE, near)


def _matrix(sizes: Sizes) -> int:
    return sizes.pairs * sizes.itemsize


def _at_end(sizes: Sizes) -> int:
    """Return the bytes of scores, weights and output."""
    return (2 * sizes.pairs + sizes.queries) * sizes.itemsize


def formed(point: Point, sizes: Sizes) -> bool | None:
    """Say by the peak whether MLX formed a matrix of scores; None where it is too small to tell."""
    matrix = needs.block_pairs(sizes)
    if matrix < TELLING * sizes.queries:
        return None
    return matrices(point, sizes) > 1 / 2

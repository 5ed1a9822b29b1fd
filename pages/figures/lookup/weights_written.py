"""The numbers of one lookup as they are written in its table, with some decimals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.experiments.lookup.soft import Result
from engine.shapes import Array
from pages.figures.numerals import decimals_needed
from pages.text.lookup_words import score_text

Lines = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Written:
    """Texts of the rows, and of what stands above and below them.

    Attributes
    ----------
    keys, values, contributions : tuple of tuple of str
        (n, d), (n, e), (n, e).
    scores, weights, hard : tuple of str
        (n,)
    query : tuple of str
        (d,)
    soft, picked : tuple of str
        (e,): the output of soft and of hard lookup.
    weights_sum, hard_sum : str
    """

    keys: Lines
    query: tuple[str, ...]
    values: Lines
    scores: tuple[str, ...]
    weights: tuple[str, ...]
    hard: tuple[str, ...]
    contributions: Lines
    soft: tuple[str, ...]
    picked: tuple[str, ...]
    weights_sum: str
    hard_sum: str


def hard_weights(result: Result) -> Array:
    """Return the weights of hard lookup, (n,): what is most similar shares all of it."""
    weights = np.zeros(len(result.params.names))
    weights[list(result.nearest)] = 1 / len(result.nearest)
    return weights


def written(result: Result, decimals: int) -> Written:
    """Return every number with at most so many decimals, whole ones without.

    Scores have one and weights have two at the least, where they need some.
    """
    params, soft = result.params, result.soft
    keys, values = np.array(params.keys, float), np.array(params.values, float)
    query, hard = np.array([params.query], float), hard_weights(result)
    vectors = decimals_needed(np.vstack([keys, query]), decimals, typed=True)
    mixed = np.vstack([soft.contributions, soft.output[None], result.hard_output[None]])
    outputs = decimals_needed(mixed, decimals)
    of_weights = decimals_needed(soft.weights[None], max(decimals, 2), typed=True)
    of_hard = decimals_needed(hard[None], max(decimals, 2), typed=True)
    scores = decimals_needed(soft.scores[None], max(decimals, 1))
    return Written(
        _lines(keys, vectors),
        _line(query[0], vectors),
        _lines(values, decimals_needed(values, decimals, typed=True)),
        _line(soft.scores, scores),
        _line(soft.weights, of_weights),
        tuple(score_text(float(value), of_hard if value else 0) for value in hard),
        _lines(soft.contributions, outputs),
        _line(soft.output, outputs),
        _line(result.hard_output, outputs),
        score_text(float(soft.weights.sum()), of_weights),
        "1",
    )


def _lines(matrix: Array, decimals: int) -> Lines:
    return tuple(_line(row, decimals) for row in matrix)


def _line(row: Sequence[float] | Array, decimals: int) -> tuple[str, ...]:
    return tuple(score_text(float(value), decimals) for value in row)

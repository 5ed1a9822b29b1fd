"""Two scores: an example of softmax that anyone can check by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.errors import NumberError
from engine.experiments.read_only import close_fields
from engine.experiments.scaling.inputs import is_within, shown
from engine.gradients import softmax_jacobian
from engine.shapes import Array

LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.1, 20.0
# Round ones about as far apart on the logarithmic axis of the curve, to choose from.
TEMPERATURES = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0)
MOST_SCORE = 1e6
CURVE_POINTS = 200


@dataclass(frozen=True)
class Pair:
    """Two scores divided by a temperature, and their weights.

    Attributes
    ----------
    temperatures : np.ndarray
        (M,) from 0.1 to 20, for the curve.
    curve : np.ndarray
        (M, 2) weights.
    weights, jacobian : np.ndarray
        (2,) and (2, 2) at the chosen temperature.
    """

    scores: tuple[float, float]
    temperature: float
    temperatures: Array
    curve: Array
    weights: Array
    jacobian: Array


def pair_of(scores: tuple[float, float] = (5.0, 4.0), temperature: float = 1.0) -> Pair:
    """Return two weights and how they change with the temperature; float64.

    Raises
    ------
    NumberError
        When a score is not finite or beyond 1e6 in size, or the temperature not in 0.1 to 20.
    """
    _check(scores, temperature)
    temperatures = np.geomspace(LEAST_TEMPERATURE, MOST_TEMPERATURE, CURVE_POINTS)
    weights = _pair_weights(scores, temperature)
    pair = Pair(
        scores,
        temperature,
        temperatures,
        np.array([_pair_weights(scores, each) for each in temperatures]),
        weights,
        softmax_jacobian(weights),
    )
    close_fields(pair)
    return pair


def _check(scores: tuple[float, float], temperature: float) -> None:
    for score in scores:
        if not is_within(score, -MOST_SCORE, MOST_SCORE):
            raise NumberError(
                "A score must be a number from {least} to {most}, got {value}.",
                least=shown(-MOST_SCORE),
                most=shown(MOST_SCORE),
                value=shown(score),
            )
    if not is_within(temperature, LEAST_TEMPERATURE, MOST_TEMPERATURE):
        raise NumberError(
            "The temperature must be a number from {least} to {most}, got {value}.",
            least=shown(LEAST_TEMPERATURE),
            most=shown(MOST_TEMPERATURE),
            value=shown(temperature),
        )


def _pair_weights(scores: tuple[float, float], temperature: float) -> Array:
    """Return both weights: with two scores softmax is the logistic function of their difference."""
    difference = (scores[0] - scores[1]) / temperature
    return np.array([_logistic(difference), _logistic(-difference)])


def _logistic(x: float) -> float:
    # The exponential of a number above 0 could overflow.
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))

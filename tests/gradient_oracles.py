"""References for gradients: exact arithmetic, difference quotients, and a step into the complex.

They share no code with the engine: this file never imports it.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np

DIGITS = 60
STEP = 1e-5  # of a central difference: errs by about 1e-10 by its width, 1e-11 by rounding


def root(square: Fraction) -> float:
    """Return the square root of an exact number, rounded once."""
    with localcontext() as context:
        context.prec = DIGITS
        context.Emin = -10_000
        return float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def jacobian(weights) -> list[list[Fraction]]:
    """Return the Jacobian of softmax exactly; 1 - a is what the other weights sum to."""
    exact = [Fraction(float(weight)) for weight in weights]
    return [
        [a * (sum(exact) - a) if i == j else -a * b for j, b in enumerate(exact)]
        for i, a in enumerate(exact)
    ]


def jacobian_norm(weights) -> float:
    """Return the root of the sum of the squared entries, rounded once."""
    return root(sum((entry**2 for row in jacobian(weights) for entry in row), Fraction(0)))


def softmax_exactly(scores) -> list[Decimal]:
    """Return weights with 60 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        exponentials = [(Decimal(float(s)) - Decimal(float(max(scores)))).exp() for s in scores]
        total = sum(exponentials)
        return [each / total for each in exponentials]


def scores_gradient_exactly(scores, d_weights):
    """Return the gradient by each score of one row, and the size of what it is the sum of.

    The gradient is the sum over j of a_i a_j (g_i - g_j); its terms may cancel.
    """
    weights = softmax_exactly(scores)
    slopes = [Decimal(float(g)) for g in d_weights]
    pairs = list(zip(weights, slopes, strict=True))
    with localcontext() as context:
        context.prec = DIGITS
        return [
            (
                float(sum(a * b * (g - h) for b, h in pairs)),
                float(sum(a * b * (abs(g) + abs(h)) for b, h in pairs if b is not a)),
            )
            for a, g in pairs
        ]


def loss(inputs, d_output, mask, scale):
    """Return the sum of d_output times the output of attention; complex inputs pass through."""
    q, k, v = inputs
    total = 0.0
    for row, change, allowed in zip(q, d_output, mask, strict=True):
        seen = [j for j, visible in enumerate(allowed) if visible]
        if not seen:
            continue
        scores = [scale * (row * k[j]).sum() for j in seen]
        highest = max(np.real(score) for score in scores)
        exponentials = [np.exp(score - highest) for score in scores]
        mixed = sum(e * v[j] for e, j in zip(exponentials, seen, strict=True))
        total = total + (change * mixed).sum() / sum(exponentials)
    return total


def central_differences(q, k, v, d_output, mask, scale):
    """Return the gradients by q, k and v from two losses for each component."""

    def slope(moved):
        ahead, behind = (loss(moved(sign * STEP), d_output, mask, scale) for sign in (1, -1))
        return (ahead - behind) / (2 * STEP)

    return _by_component((q, k, v), slope)


def complex_steps(q, k, v, d_output, mask, scale):
    """Return the same from Im f(x + ih) / h, which subtracts nothing: only rounding errs."""
    tiny = 1e-150

    def slope(moved):
        return float(np.imag(loss(moved(1j * tiny), d_output, mask, scale))) / tiny

    return _by_component((q, k, v), slope)


def _by_component(arrays, slope):
    """Return slope(moved) for each component; moved(step) is the arrays with it moved."""
    gradients = []
    for number, array in enumerate(arrays):
        gradient = np.zeros(array.shape)
        for place in np.ndindex(*array.shape):
            gradient[place] = slope(partial(_moved, arrays, number, place))
        gradients.append(gradient)
    return gradients


def _moved(arrays, number, place, step):
    moved = [array.astype(np.result_type(array, step)) for array in arrays]
    moved[number][place] += step
    return moved


def effective_keys(weights) -> float:
    """Return exp of the entropy, with 0 log 0 = 0."""
    return math.exp(-math.fsum(a * math.log(a) for a in map(float, weights) if a > 0))

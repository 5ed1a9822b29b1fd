"""References for key-value recall in float64: its loss by loops, gradients by differences.

They share no code with the engine: this file never imports it.
"""

from __future__ import annotations

import math

import numpy as np

from tests.oracles import project, softmax_row

STEP = 1e-5  # of a central difference


def logits(keys, weights, symbols, asked, scale):
    """Return the logits (B, S): each key holds a symbol, and one key is asked for."""
    w_q, w_k, w_v = weights
    q, k = project(keys, w_q), project(keys, w_k)
    found = []
    for held, key in zip(symbols, asked, strict=True):
        scores = [scale * math.fsum(a * b for a, b in zip(q[key], row, strict=True)) for row in k]
        attention = softmax_row(scores)
        found.append(sum(a * np.asarray(w_v)[s] for a, s in zip(attention, held, strict=True)))
    return np.array(found)


def measures(keys, weights, symbols, asked, scale):
    """Return the mean cross-entropy and the share of right symbols."""
    losses, hits = [], []
    for row, held, key in zip(
        logits(keys, weights, symbols, asked, scale), symbols, asked, strict=True
    ):
        right = held[key]
        losses.append(-math.log(softmax_row(row.tolist())[right]))
        hits.append(row.argmax() == right)
    return math.fsum(losses) / len(losses), sum(hits) / len(hits)


def gradients(keys, weights, symbols, asked, scale):
    """Return the gradient of the loss by every weight, from two losses each."""
    slopes = []
    for number, matrix in enumerate(weights):
        slope = np.zeros(matrix.shape)
        for place in np.ndindex(*matrix.shape):
            ahead, behind = (
                measures(keys, _moved(weights, number, place, step), symbols, asked, scale)[0]
                for step in (STEP, -STEP)
            )
            slope[place] = (ahead - behind) / (2 * STEP)
        slopes.append(slope)
    return slopes


def _moved(weights, number, place, step):
    moved = [matrix.copy() for matrix in weights]
    moved[number][place] += step
    return moved


def train(keys, weights, batches, scale, *, optimiser, rate):
    """Return loss, accuracy and norm of the gradient before each step, (steps, 3).

    Adam is Algorithm 1 of Kingma and Ba, with its recommended settings.
    """
    weights = [matrix.copy() for matrix in weights]
    mean, square = ([np.zeros(matrix.shape) for matrix in weights] for _ in range(2))
    records = []
    for t, (symbols, asked) in enumerate(batches, 1):
        slopes = gradients(keys, weights, symbols, asked, scale)
        norm = math.sqrt(math.fsum(float(g) ** 2 for each in slopes for g in each.flat))
        records.append((*measures(keys, weights, symbols, asked, scale), norm))
        for n, g in enumerate(slopes):
            if optimiser == "sgd":
                weights[n] = weights[n] - rate * g
                continue
            mean[n] = 0.9 * mean[n] + 0.1 * g
            square[n] = 0.999 * square[n] + 0.001 * g**2
            corrected = mean[n] / (1 - 0.9**t), square[n] / (1 - 0.999**t)
            weights[n] = weights[n] - rate * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
    return np.array(records)

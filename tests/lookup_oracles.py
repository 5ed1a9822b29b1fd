"""Soft lookup written as loops over single numbers in float64; this file never imports engine."""

from __future__ import annotations

import math

from tests import oracles


def dot(a, b):
    return math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def length(a):
    return math.sqrt(dot(a, a))


def score(similarity, query, key, weights=None):
    """Return how alike a query and a key are; ``weights`` are W_q, W_k and w."""
    if similarity == "dot":
        return dot(query, key)
    if similarity == "scaled":
        return dot(query, key) / math.sqrt(len(query))
    if similarity == "cosine":
        return dot(query, key) / (length(query) * length(key))
    if similarity == "gaussian":
        return -sum((a - b) ** 2 for a, b in zip(query, key, strict=True)) / 2
    w_query, w_key, w = weights
    hidden = [
        math.tanh(dot(row_q, query) + dot(row_k, key))
        for row_q, row_k in zip(w_query, w_key, strict=True)
    ]
    return dot(w, hidden)


def look(scores, values, temperature):
    """Return the weights and the output."""
    weights = oracles.softmax_row([score / temperature for score in scores])
    output = [math.fsum(w * v[n] for w, v in zip(weights, values, strict=True))
              for n in range(len(values[0]))]  # fmt: skip
    return weights, output


def signed_angle(query, key):
    """Return the angle in degrees that turns the query into the direction of the key."""
    turn = math.degrees(math.atan2(key[1], key[0]) - math.atan2(query[1], query[0]))
    while turn <= -180:
        turn += 360
    while turn > 180:
        turn -= 360
    return turn


def additive_count(T, d_k):
    """Count additions and multiplications, and tangents, of additive scores of T x T pairs.

    A sum of products counts one addition for each product, the first being added to 0.
    """
    operations = tangents = 0
    for _token in range(2 * T):  # every query and every key is projected
        for _row in range(d_k):
            operations += 2 * d_k
    for _pair in range(T * T):
        for _row in range(d_k):
            operations += 1  # the sum of both projections
            tangents += 1
            operations += 2  # times w, added up
    return operations, tangents


def dot_count(T, d_k):
    return sum(2 * d_k for _pair in range(T * T)), 0


def diagonal(weights):
    return math.fsum(weights[i][i] for i in range(len(weights))) / len(weights)

"""Reference implementations for the properties, written as loops in float64.

They share no code with the engine: this file never imports it.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np


def sinusoid(position, component, d_model):
    """Return one component of a position, counted from 0 (Vaswani et al. 2017, 3.5)."""
    angle = position / 10_000 ** (2 * (component // 2) / d_model)
    return math.cos(angle) if component % 2 else math.sin(angle)


def placed(x):
    """Return the vectors with the position of each row added."""
    d_model = len(x[0])
    return np.array(
        [[row[n] + sinusoid(p, n, d_model) for n in range(d_model)] for p, row in enumerate(x)]
    )


def readers(architecture, position, T, kernel, window, layer):
    """Return the positions that one position reads in a layer, counted from 0."""
    half = (kernel - 1) // 2
    if architecture == "rnn":
        found = [position - 1, position]
    elif architecture == "convolution":
        found = list(range(position - half, position + half + 1))
    elif architecture == "dilated":
        found = [position + n * 2**layer for n in range(-half, half + 1)]
    elif architecture == "window":
        found = list(range(position - window // 2, position + window // 2 + 1))
    else:
        found = list(range(T))
    return {each for each in found if 0 <= each < T}


def steps_between(architecture, source, target, T, kernel, window):
    """Return the least number of steps from one position to another, by breadth first search.

    A state is a position after so many layers: dilation makes every layer another graph.
    """
    waiting = deque([(source, 0)])
    seen = {(source, 0)}
    while waiting:
        position, layer = waiting.popleft()
        if position == target:
            return layer
        for reader in range(T):
            if position in readers(architecture, reader, T, kernel, window, layer):
                state = (reader, layer + 1)
                if state not in seen and layer < T:
                    seen.add(state)
                    waiting.append(state)
    return None


def heard_of(architecture, position, T, kernel, window, layers):
    """Return the positions that one has heard of, telling all that is known layer by layer."""
    known = {p: {p} for p in range(T)}
    for layer in range(layers):
        known = {
            p: set().union(*(known[r] for r in readers(architecture, p, T, kernel, window, layer)))
            for p in range(T)
        }
    return known[position]


def normalised(x):
    """Return layer normalisation, one row after the other."""
    rows = []
    for row in x:
        mean = math.fsum(row) / len(row)
        variance = math.fsum((value - mean) ** 2 for value in row) / len(row)
        rows.append([(value - mean) / math.sqrt(variance + 1e-5) for value in row])
    return np.array(rows)


def multi_head(x, w_q, w_k, w_v, w_o, heads):
    """Return multi-head self-attention, head by head and row by row."""
    T, d_model = x.shape
    d_k = d_model // heads
    together = np.zeros((T, d_model))
    for head in range(heads):
        part = slice(head * d_k, (head + 1) * d_k)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        for i in range(T):
            scores = [float(q[i] @ k[j]) / math.sqrt(d_k) for j in range(T)]
            exponentials = [math.exp(score - max(scores)) for score in scores]
            total = math.fsum(exponentials)
            for j in range(T):
                together[i, part] += exponentials[j] / total * v[j]
    return together @ w_o


def stack(x, layers, heads, *, residual, norm):
    """Yield the vectors of the input and after each layer; a layer is (W_Q, W_K, W_V, W_O)."""
    yield x
    for w_q, w_k, w_v, w_o in layers:
        if residual:
            x = x + multi_head(normalised(x) if norm else x, w_q, w_k, w_v, w_o, heads)
        else:
            x = multi_head(x, w_q, w_k, w_v, w_o, heads)
            x = normalised(x) if norm else x
        yield x


def mean_cosine(x):
    """Return the mean over all pairs of different rows, pair by pair."""
    T = len(x)
    cosines = [
        float(x[i] @ x[j]) / math.sqrt(float(x[i] @ x[i]) * float(x[j] @ x[j]))
        for i in range(T)
        for j in range(i)
    ]
    return math.fsum(cosines) / len(cosines)


def effective_rank(x):
    """Return exp of the entropy of the singular values, from the eigenvalues of x times x^T."""
    squares = np.linalg.eigvalsh(x @ x.T)
    values = [math.sqrt(each) for each in squares if each > 0]
    shares = [value / math.fsum(values) for value in values]
    return math.exp(-math.fsum(share * math.log(share) for share in shares))

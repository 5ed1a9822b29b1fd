"""Reference implementations, written as loops over single numbers in float64.

They follow the definition in "Attention Is All You Need" (section 3.2.1) and share no code with
the engine: this file never imports it. Slow on purpose.
"""

from __future__ import annotations

import math

import numpy as np


def project(x, w):
    """Multiply two matrices, one product at a time."""
    rows, inner, columns = len(x), len(w), len(w[0])
    return np.array(
        [
            [
                math.fsum(float(x[i][n]) * float(w[n][j]) for n in range(inner))
                for j in range(columns)
            ]
            for i in range(rows)
        ]
    )


def softmax_row(row):
    """Normalise one row of scores; a row of minus infinities has weights of zero."""
    visible = [score for score in row if score != -math.inf]
    if not visible:
        return [0.0] * len(row)
    highest = max(visible)
    exponentials = [0.0 if s == -math.inf else math.exp(s - highest) for s in row]
    total = math.fsum(exponentials)
    return [e / total for e in exponentials]


def trace(x, w_q, w_k, w_v, *, context=None, mask=None, scale=None):
    """Compute the six steps and return them by name."""
    source = x if context is None else context
    q, k, v = project(x, w_q), project(source, w_k), project(source, w_v)
    T, S = len(q), len(k)
    factor = 1.0 / math.sqrt(len(q[0])) if scale is None else scale
    scores = project(q, np.array(k).T)
    scaled = np.array([[scores[i][j] * factor for j in range(S)] for i in range(T)])
    masked = np.array(
        [
            [scaled[i][j] if mask is None or mask[i][j] else -math.inf for j in range(S)]
            for i in range(T)
        ]
    )
    weights = np.array([softmax_row(list(row)) for row in masked])
    return {
        "q": q,
        "k": k,
        "v": v,
        "scores": scores,
        "scaled": scaled,
        "masked": masked,
        "weights": weights,
        "output": project(weights, v),
    }


def attend(q, k, v, *, mask=None, bias=None, causal=False, scale=None):
    """Attention over (B, H, T, D), key-value heads shared, mask and bias already (B, H, T, S)."""
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    B, H, T, D = q.shape
    heads, S, E = k.shape[1], k.shape[2], v.shape[3]
    factor = 1.0 / math.sqrt(D) if scale is None else scale
    output = np.zeros((B, H, T, E))
    for b in range(B):
        for h in range(H):
            shared = h // (H // heads)
            for i in range(T):
                row = []
                for j in range(S):
                    seen = mask is None or bool(mask[b, h, i, j])
                    if causal and j > i + S - T:
                        seen = False
                    score = factor * math.fsum(
                        float(q[b, h, i, d]) * float(k[b, shared, j, d]) for d in range(D)
                    )
                    if bias is not None:
                        score += float(bias[b, h, i, j])
                    row.append(score if seen else -math.inf)
                weights = softmax_row(row)
                for e in range(E):
                    output[b, h, i, e] = math.fsum(
                        weights[j] * float(v[b, shared, j, e]) for j in range(S)
                    )
    return output


def largest_score(q, k, scale):
    """Return the size of the largest scaled score, one dot product at a time."""
    heads = q.shape[1] // k.shape[1]
    return max(
        abs(float(np.dot(q[b, h, i].astype(float), k[b, h // heads, j].astype(float)) * scale))
        for b in range(q.shape[0])
        for h in range(q.shape[1])
        for i in range(q.shape[2])
        for j in range(k.shape[2])
    )

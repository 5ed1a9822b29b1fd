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


def mask_of(T, *, pattern="none", window=3, prefix=2, length=None, drawn=""):
    """Build a (T, T) mask, one cell after the other: every part has to allow it."""
    rows = drawn.split("/") if drawn else None

    def allowed(i, j):
        if pattern == "causal" and j > i:
            return False
        if pattern == "window" and not i - window < j <= i:
            return False
        if pattern == "prefix" and j > i and j + 1 > prefix:
            return False
        if length is not None and j + 1 > length:
            return False
        return rows is None or rows[i][j] == "1"

    return np.array([[allowed(i, j) for j in range(T)] for i in range(T)])


def largest_step(row, other):
    """Return the largest absolute difference of two rows, component by component."""
    return max(abs(float(a) - float(b)) for a, b in zip(row, other, strict=True))


def influence(x, w_q, w_k, w_v, mask, change):
    """Add ``change`` to one token after the other and measure how far every output moves."""
    T = len(x)
    before = trace(x, w_q, w_k, w_v, mask=mask)["output"]
    moves = np.zeros((T, T))
    for j in range(T):
        moved = np.array(x, dtype=np.float64)
        for d in range(moved.shape[1]):
            moved[j, d] += change
        after = trace(moved, w_q, w_k, w_v, mask=mask)["output"]
        for i in range(T):
            moves[i, j] = largest_step(after[i], before[i])
    return moves


def growth(x, w_q, w_k, w_v, mask, lengths):
    """Compute each shorter sequence alone and return how far its outputs lie from the whole's."""
    whole = trace(x, w_q, w_k, w_v, mask=mask)["output"]
    table = np.full((len(lengths), len(x)), math.nan)
    for n, t in enumerate(lengths):
        alone = trace(x[:t], w_q, w_k, w_v, mask=[row[:t] for row in mask[:t]])["output"]
        for i in range(t):
            table[n, i] = largest_step(alone[i], whole[i])
    return table


def decoded(x, w_q, w_k, w_v, mask):
    """Compute output i from query i and the tokens up to i, against the output of the whole."""
    whole = trace(x, w_q, w_k, w_v, mask=mask)["output"]
    steps = []
    for i in range(len(x)):
        row = [list(mask[i][: i + 1])]
        one = trace(x[i : i + 1], w_q, w_k, w_v, context=x[: i + 1], mask=row)["output"]
        steps.append(largest_step(one[0], whole[i]))
    return np.array(steps)

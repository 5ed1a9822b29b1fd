"""Mask mistakes written as loops over single numbers, rounded by hand to any number format.

This file shares no code with the engine and never imports it. Every step is computed in float64
and rounded once, so a result may differ from the engine's by a rounding here and there.
"""

from __future__ import annotations

import math

import numpy as np

# Digits of the fraction with the leading one, exponent of the smallest number, largest number.
FORMATS = {
    "float16": (11, -24, 65504.0),
    "bfloat16": (8, -133, (2 - 2**-7) * 2.0**127),
    "float32": (24, -149, (2 - 2**-23) * 2.0**127),
    "float64": (53, -1074, math.inf),
}
FILLS = {"minus-1e9": -1e9, "minus-1e4": -1e4, "minus-1e4-far": -1e4}
ZEROING = ("zero-after", "renormalise", "renormalise-far")
FAR = {"minus-1e4-far": 20_000.0, "renormalise-far": 200.0}


def epsilon(dtype):
    """Return the spacing of the numbers above 1."""
    return 2.0 ** (1 - FORMATS[dtype][0])


def rounded(value, dtype):
    """Return the nearest number of the format, ties to even; infinity past the largest."""
    digits, smallest, largest = FORMATS[dtype]
    if dtype == "float64" or value == 0 or not math.isfinite(value):
        return value
    exponent = max(math.frexp(value)[1] - digits, smallest)
    nearest = math.ldexp(float(round(math.ldexp(value, -exponent))), exponent)
    return math.copysign(math.inf, value) if abs(nearest) > largest else nearest


def projected(x, w, dtype):
    """Multiply rounded matrices, one product at a time, and round the result."""
    return [
        [
            rounded(
                math.fsum(
                    rounded(float(a), dtype) * rounded(float(b), dtype)
                    for a, b in zip(row, column, strict=True)
                ),
                dtype,
            )
            for column in zip(*w, strict=True)
        ]
        for row in x
    ]


def scaled_scores(x, w_q, w_k, dtype):
    """Return the scores divided by the root of d_k, rounded before and after."""
    q, k = projected(x, w_q, dtype), projected(x, w_k, dtype)
    width = len(q[0])
    return [
        [
            rounded(
                rounded(math.fsum(a * b for a, b in zip(query, key, strict=True)), dtype)
                / math.sqrt(width),
                dtype,
            )
            for key in k
        ]
        for query in q
    ]


def raised_by(scores, visible, place, far):
    """Return what puts one hidden score ``far`` above the visible ones of its row."""
    row, column = place
    highest = max(score for score, seen in zip(scores[row], visible[row], strict=True) if seen)
    return highest + far - scores[row][column]


def raised(scores, place, added, dtype):
    """Return the scores with a constant added to one of them."""
    return [
        [
            rounded(score + added, dtype) if (i, j) == place else score
            for j, score in enumerate(line)
        ]
        for i, line in enumerate(scores)
    ]


def used_mask(name, visible, length):
    """Return the mask that a mistake works with, one cell at a time."""
    T = len(visible)
    cells = [[bool(visible[i][j]) for j in range(T)] for i in range(T)]
    if name == "wrong-axis":
        return [[cells[i][j] and i < length for j in range(T)] for i in range(T)]
    if name == "transposed":
        return [[cells[j][i] for j in range(T)] for i in range(T)]
    if name == "inverted":
        return [[not cells[i][j] for j in range(T)] for i in range(T)]
    return cells


def softmax(row, dtype):
    """Normalise a row as the formula says; minus infinity everywhere gives NaN."""
    highest = max(row)
    if highest == -math.inf:
        return [math.nan] * len(row)
    exponentials = [math.exp(score - highest) for score in row]
    total = math.fsum(exponentials)
    return [rounded(each / total, dtype) for each in exponentials]


def masked_row(name, row, seen, dtype):
    """Return the scores that a mistake gives to softmax in one row."""
    pairs = list(zip(row, seen, strict=True))
    if name in FILLS:
        fill = rounded(FILLS[name], dtype)
        return [s if m else rounded(s + fill, dtype) for s, m in pairs]
    if name == "times-0-1":
        return [s if m else 0.0 for s, m in pairs]
    if name == "plus-0-1":
        return [rounded(s + 1, dtype) if m else s for s, m in pairs]
    if name in ZEROING:
        return list(row)
    return [s if m else -math.inf for s, m in pairs]


def wrong_row(name, row, seen, dtype):
    """Return the weights that a mistake makes of one row of scores."""
    weights = softmax(masked_row(name, row, seen, dtype), dtype)
    if name not in ZEROING:
        return weights
    kept = [w if m else 0.0 for w, m in zip(weights, seen, strict=True)]
    return kept if name == "zero-after" else divided(kept, dtype)


def divided(row, dtype):
    """Divide a row by its sum; NaN where that is 0."""
    total = math.fsum(row)
    if total == 0:
        return [math.nan] * len(row)
    # A sum below the range of the format that works is 0 in it; none comes near that here.
    return [rounded(each / total, dtype) for each in row]


class Example:
    """One head and one mask in one number format, with every mistake by its name."""

    def __init__(self, x, w_q, w_k, w_v, dtype, *, place, visible):
        self.w_q, self.w_k, self.w_v, self.dtype = w_q, w_k, w_v, dtype
        self.x, self.place = [list(map(float, row)) for row in x], place
        self.scores = scaled_scores(self.x, w_q, w_k, dtype)
        self.added = {
            name: raised_by(self.scores, visible, place, far) for name, far in FAR.items()
        }

    def weights(self, name, mask, x=None):
        """Return the weights (T, T) of a mistake with the mask that it works with."""
        rows = zip(self.own_scores(name, x), mask, strict=True)
        return np.array([wrong_row(name, row, seen, self.dtype) for row, seen in rows])

    def own_scores(self, name, x=None):
        """Return the scores of a mistake, one of them raised in the far ones."""
        scores = self.scores if x is None else scaled_scores(x, self.w_q, self.w_k, self.dtype)
        if name in FAR:
            return raised(scores, self.place, self.added[name], self.dtype)
        return scores

    def output(self, name, mask, x=None):
        """Return the output (T, E)."""
        v = projected(self.x if x is None else x, self.w_v, self.dtype)
        return np.array(
            [
                [
                    rounded(
                        math.fsum(w * row[e] for w, row in zip(weights, v, strict=True)), self.dtype
                    )
                    for e in range(len(v[0]))
                ]
                for weights in self.weights(name, mask, x).tolist()
            ]
        )

    def leak(self, name, mask, intended, changed, change=1.0):
        """Return the largest move of an output when a token changes that it may not see."""
        before, moves = self.output(name, mask), []
        for token in changed:
            x = [[c + change for c in row] if i == token else row for i, row in enumerate(self.x)]
            after = self.output(name, mask, x)
            for i in range(len(x)):
                if i != token and any(intended[i]) and not intended[i][token]:
                    move = float(max(abs(b - a) for a, b in zip(before[i], after[i], strict=True)))
                    moves += [] if math.isnan(move) else [move]
        return max(moves, default=math.nan)

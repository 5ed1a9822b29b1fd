"""Generated worked examples, and the six steps written as loops; nothing here imports numpy."""

import math
import unicodedata
from dataclasses import dataclass

from hypothesis import strategies as st

from engine.experiments.worked_example import Params

TAME = st.integers(-20, 20).map(lambda tenths: tenths / 10)
ANY_FINITE = st.floats(allow_nan=False, allow_infinity=False)
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs of no ink


def _has_shape(character: str) -> bool:
    return unicodedata.category(character)[0] not in "MZ" and character not in FILLERS


# A name shows something: it is more than marks, spaces and fillers, which have no shape.
LABELS = (
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda text: any(map(_has_shape, text)))
)


def matrices(rows: int, columns: int, cells=TAME):
    row = st.tuples(*[cells] * columns)
    return st.tuples(*[row] * rows)


@st.composite
def examples(draw, *, cells=TAME, most=5, labels=None):
    """Draw Params of every kind: self and cross, causal or not, scaled or not."""
    T, d_model, d_k, d_v = (draw(st.integers(1, most)) for _ in range(4))
    causal = draw(st.booleans())
    S = draw(st.none() | st.integers(T if causal else 1, most))
    labels = st.sampled_from(["a", "b", "it"]) if labels is None else labels
    return Params(
        x=draw(matrices(T, d_model, cells)),
        w_q=draw(matrices(d_model, d_k, cells)),
        w_k=draw(matrices(d_model, d_k, cells)),
        w_v=draw(matrices(d_model, d_v, cells)),
        context=None if S is None else draw(matrices(S, d_model, cells)),
        tokens=draw(st.tuples(*[labels] * T)),
        context_tokens=() if S is None else draw(st.tuples(*[labels] * S)),
        scaled=draw(st.booleans()),
        causal=causal,
    )


Rows = list[list[float]]


@dataclass
class Steps:
    """The six steps of one example, as lists of rows."""

    q: Rows
    k: Rows
    v: Rows
    score: Rows
    scale: Rows
    mask: Rows
    softmax: Rows
    output: Rows


def product(left, right):
    return [
        [sum(left[i][m] * right[m][j] for m in range(len(right))) for j in range(len(right[0]))]
        for i in range(len(left))
    ]


def transpose(matrix):
    return [[row[column] for row in matrix] for column in range(len(matrix[0]))]


def softmax_rows(matrix):
    rows = []
    for row in matrix:
        peak = max(row)
        powers = [0.0 if peak == -math.inf else math.exp(cell - peak) for cell in row]
        total = sum(powers)
        rows.append([power / total if total else 0.0 for power in powers])
    return rows


def hide(matrix, params):
    if not params.causal:
        return [list(row) for row in matrix]
    ahead = len(matrix[0]) - len(matrix)
    return [
        [cell if j <= i + ahead else -math.inf for j, cell in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def by_hand(params) -> Steps:
    source = params.x if params.context is None else params.context
    q, k, v = (
        product(params.x, params.w_q),
        product(source, params.w_k),
        product(source, params.w_v),
    )
    score = product(q, transpose(k))
    root = math.sqrt(len(k[0])) if params.scaled else 1.0
    scale = [[cell / root for cell in row] for row in score]
    mask = hide(scale, params)
    weights = softmax_rows(mask)
    return Steps(q, k, v, score, scale, mask, weights, product(weights, v))

"""The whole arithmetic of one cell, as data: what was multiplied, added, divided.

Every number is taken from the trace, so that what is explained is what was computed, also
where the trace is float32. Only the products and exponentials in between are computed here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.errors import OptionError
from engine.experiments.worked_example import NAMES, STEPS, Result, matrix_of

# Beyond this, exponentials are unreadable (exp(20) is about 485 million) and may overflow.
LARGEST_READABLE_SCORE = 20.0


@dataclass(frozen=True)
class CellArithmetic:
    """What every explained cell has.

    Attributes
    ----------
    step, role : str
        The step; the role matters to ``"project"`` only.
    row, column : int
        Counted from 0.
    value : float
        What the trace holds in this cell; minus infinity where a mask hides it.
    digits : int
        How many significant digits the precision of the trace can hold: 15 or 6. More are
        not to be shown.
    """

    step: str
    role: str
    row: int
    column: int
    value: float
    digits: int


@dataclass(frozen=True)
class Term:
    """One product of a sum of products."""

    left: float
    right: float
    product: float


@dataclass(frozen=True)
class ProductSum(CellArithmetic):
    """A cell of project, score or output: a row times a column.

    Attributes
    ----------
    left_name, right_name : str
        The matrices: X or C and a projection; Q and K; "weights" and V.
    terms : tuple of Term
        One for each d_model, d_k or key.
    """

    left_name: str
    right_name: str
    terms: tuple[Term, ...]

    @property
    def total(self) -> float:
        """The sum of the products, as the trace holds it."""
        return self.value


@dataclass(frozen=True)
class Division(CellArithmetic):
    """A cell of scale: a score divided by the root of d_k, or left alone.

    Attributes
    ----------
    scaled : bool
        False when scaling is off; then ``quotient`` is the score itself.
    root : float
        sqrt(d_k), whether it is used or not.
    """

    score: float
    d_k: int
    root: float
    scaled: bool

    @property
    def quotient(self) -> float:
        """The scaled score, as the trace holds it."""
        return self.value


@dataclass(frozen=True)
class Masking(CellArithmetic):
    """A cell of mask: whether the query may look at the key.

    Attributes
    ----------
    query, key : int
        Their positions among the keys, counted from 0; the causal rule is key <= query. With
        more keys than queries the last query stands at the last key.
    masked : bool
        Whether there is a mask at all.
    """

    visible: bool
    before: float
    query: int
    key: int
    masked: bool

    @property
    def after(self) -> float:
        """The score after masking: minus infinity where hidden."""
        return self.value


@dataclass(frozen=True)
class Exponential:
    """The part of one key in a softmax row.

    Attributes
    ----------
    score : float
        The masked score; minus infinity where hidden.
    exponent : float
        What was raised: the score, less the row's maximum where the row is shifted.
    exponential : float
        exp(exponent); 0 where hidden.
    """

    key: int
    visible: bool
    score: float
    exponent: float
    exponential: float


@dataclass(frozen=True)
class Softmax(CellArithmetic):
    """A cell of softmax: an exponential divided by the sum of its row.

    Attributes
    ----------
    exponentials : tuple of Exponential
        One for each key of the row.
    shifted : bool
        Whether the row's maximum was subtracted first, since plain exponentials would be
        unreadable. Softmax does not change by it.
    shift : float
        What was subtracted; 0 when not shifted.
    row_sum : float
        The sum of the exponentials; 0 only in a row that may look nowhere.
    """

    exponentials: tuple[Exponential, ...]
    shifted: bool
    shift: float
    row_sum: float

    @property
    def quotient(self) -> float:
        """The weight, as the trace holds it."""
        return self.value


def explain_cell(
    result: Result, step: str, row: int, column: int, *, role: str = "q"
) -> CellArithmetic:
    """Return the arithmetic of one cell.

    Parameters
    ----------
    step : str
        One of ``STEPS``.
    row, column : int
        Counted from 0.
    role : str
        For ``"project"``: which of Q, K and V, as ``"q"``, ``"k"`` or ``"v"``.

    Returns
    -------
    CellArithmetic
        ProductSum for project, score and output; Division, Masking or Softmax for the others.

    Raises
    ------
    OptionError
        When there is no such step, role or cell.
    """
    matrix = matrix_of(result, step, role)
    rows, columns = matrix.shape
    if not (0 <= row < rows and 0 <= column < columns):
        raise OptionError(
            "There is no row {row}, column {column} in a matrix of {rows} x {columns}.",
            row=row + 1,
            column=column + 1,
            rows=rows,
            columns=columns,
        )
    digits = int(np.finfo(matrix.dtype).precision)
    cell = CellArithmetic(step, role, row, column, float(matrix[row, column]), digits)
    return _EXPLAINERS[step](result, cell)


def _project(result: Result, cell: CellArithmetic) -> ProductSum:
    params = result.params
    source = "x" if cell.role == "q" or params.context is None else "context"
    weights = f"w_{cell.role}"
    precision = result.trace.q.dtype
    left = np.array(getattr(params, source)[cell.row], dtype=precision)
    right = np.array(getattr(params, weights), dtype=precision)[:, cell.column]
    return _product_sum(cell, NAMES[source], NAMES[weights], left, right)


def _score(result: Result, cell: CellArithmetic) -> ProductSum:
    trace = result.trace
    return _product_sum(cell, "Q", "K", trace.q[cell.row], trace.k[cell.column])


def _output(result: Result, cell: CellArithmetic) -> ProductSum:
    trace = result.trace
    return _product_sum(cell, "weights", "V", trace.weights[cell.row], trace.v[:, cell.column])


def _product_sum(
    cell: CellArithmetic, left_name: str, right_name: str, left: np.ndarray, right: np.ndarray
) -> ProductSum:
    terms = tuple(Term(a, b, a * b) for a, b in zip(left.tolist(), right.tolist(), strict=True))
    return ProductSum(**vars(cell), left_name=left_name, right_name=right_name, terms=terms)


def _scale(result: Result, cell: CellArithmetic) -> Division:
    d_k = result.sizes.d_k
    score = float(result.trace.scores[cell.row, cell.column])
    return Division(
        **vars(cell), score=score, d_k=d_k, root=math.sqrt(d_k), scaled=result.params.scaled
    )


def _mask(result: Result, cell: CellArithmetic) -> Masking:
    mask = result.trace.mask
    return Masking(
        **vars(cell),
        visible=mask is None or bool(mask[cell.row, cell.column]),
        before=float(result.trace.scaled[cell.row, cell.column]),
        query=cell.row + result.sizes.S - result.sizes.T,
        key=cell.column,
        masked=mask is not None,
    )


def _softmax(result: Result, cell: CellArithmetic) -> Softmax:
    scores = result.trace.masked[cell.row].tolist()
    visible = [score for score in scores if score != -math.inf]
    shifted = any(abs(score) > LARGEST_READABLE_SCORE for score in visible)
    shift = max(visible) if shifted else 0.0
    exponentials = tuple(
        Exponential(key, score != -math.inf, score, score - shift, math.exp(score - shift))
        for key, score in enumerate(scores)
    )
    row_sum = math.fsum(part.exponential for part in exponentials)
    return Softmax(
        **vars(cell), exponentials=exponentials, shifted=shifted, shift=shift, row_sum=row_sum
    )


_EXPLAINERS = dict(zip(STEPS, (_project, _score, _scale, _mask, _softmax, _output), strict=True))

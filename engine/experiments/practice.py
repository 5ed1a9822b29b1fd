"""Checks a row that a person worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.errors import EngineError, NumberError, OptionError, ShapeError
from engine.experiments.mistakes import MISTAKES, mistake_rows
from engine.experiments.number_text import (
    is_infinity,
    is_number,
    plain_number_text,
    refusal,
)
from engine.experiments.worked_example import Result, matrix_of

__all__ = ["ENOUGH_DECIMALS", "MISTAKES", "Verdict", "check_row", "mistake_rows"]

# From so many decimals on, an answer counts as right, not only right to its digits.
ENOUGH_DECIMALS = 6
# What the asked matrix is called in a refusal: the same sign in every language.
_PLACES = {
    "score": "S",
    "scale": "S′",
    "mask": "S″",
    "softmax": "A",
    "output": "O",
}


@dataclass(frozen=True)
class Verdict:
    """What became of a row of answers.

    Attributes
    ----------
    kind : str
        ``"right"``: exact, or right at ``ENOUGH_DECIMALS`` or more decimals.
        ``"right_to_digits"``: each answer is the exact value, rounded as typed.
        ``"mistake"``: wrong, and one or more usual mistakes give exactly these digits.
        ``"wrong"``: wrong in another way. ``"unreadable"``: not a row of numbers.
    cells : tuple of bool
        For each answer, whether it is right to its digits; empty when unreadable.
    mistakes : tuple of str
        Every key of ``mistake_rows`` that fits.
    digits : int or None
        The fewest decimals typed in an answer that is rounded; None when all are exact.
    error : EngineError or None
        Why the row is unreadable, naming the place.
    """

    kind: str
    cells: tuple[bool, ...] = ()
    mistakes: tuple[str, ...] = ()
    digits: int | None = None
    error: EngineError | None = None


@dataclass(frozen=True)
class _Answer:
    """A typed number: its value, and how many decimals it claims (None: it is meant exactly)."""

    value: Fraction | float  # a float only for the infinities
    decimals: int | None
    coarse: bool  # one digit and no decimals: too little to count as rounded


def check_row(
    result: Result, step: str, row: int, answers: Sequence[str | None], *, role: str = "q"
) -> Verdict:
    """Judge a typed row against the exact one.

    An answer is right to its digits when it lies within half a unit of its last typed digit
    of the exact value. A fraction such as ``1/4`` and a single digit without decimals must be
    exact, since otherwise ``0`` would be right for every weight below a half.

    Parameters
    ----------
    step : str
        One of ``STEPS``.
    row : int
        Counted from 0.
    answers : sequence of str
        As typed: ``0.45``, ``1/4``, ``-∞``, ``1e-3``, also in full-width digits. None is an
        empty cell.
    role : str
        For ``"project"``: ``"q"``, ``"k"`` or ``"v"``.

    Raises
    ------
    OptionError
        When there is no such step, role or row. What is typed never raises.
    """
    matrix = matrix_of(result, step, role)
    if not 0 <= row < len(matrix):
        raise OptionError(
            "There is no row {row} in a matrix of {rows} rows.", row=row + 1, rows=len(matrix)
        )
    exact = matrix[row].tolist()
    try:
        typed = _read(answers, _PLACES.get(step, role.upper()), row, len(exact))
    except EngineError as error:
        return Verdict("unreadable", error=error)
    precision = float(np.finfo(matrix.dtype).eps)
    cells = tuple(_is_right(a, e, precision) for a, e in zip(typed, exact, strict=True))
    rounded = [
        a.decimals for a, e in zip(typed, exact, strict=True) if _is_rounded(a, e, precision)
    ]
    digits = min((count for count in rounded if count is not None), default=None)
    if all(cells):
        enough = digits is None or digits >= ENOUGH_DECIMALS
        return Verdict("right" if enough else "right_to_digits", cells, digits=digits)
    mistakes = tuple(
        name
        for name, values in mistake_rows(result, step, row).items()
        if all(_is_right(a, v, precision) for a, v in zip(typed, values, strict=True))
    )
    return Verdict("mistake" if mistakes else "wrong", cells, mistakes, digits)


def _read(answers: Sequence[str | None], place: str, row: int, size: int) -> list[_Answer]:
    if len(answers) != size:
        raise ShapeError(
            "Row {row} of {place} has {size} cells and needs as many answers, got {count}.",
            row=row + 1,
            place=place,
            size=size,
            count=len(answers),
        )
    return [_answer(text or "", place, row + 1, column) for column, text in enumerate(answers, 1)]


def _answer(text: str, place: str, row: int, column: int) -> _Answer:
    plain = plain_number_text(text)
    if is_number(plain):
        return _decimal(plain)
    if is_infinity(plain):
        return _Answer(-math.inf if plain.startswith("-") else math.inf, None, coarse=False)
    top, slash, bottom = (part.strip() for part in plain.partition("/"))
    if slash and is_number(top) and is_number(bottom):
        return _quotient(top, bottom, place, row, column)
    raise refusal(text, place, row, column)


def _quotient(top: str, bottom: str, place: str, row: int, column: int) -> _Answer:
    divisor = _decimal(bottom).value
    if not divisor:
        raise NumberError(
            "{place}, row {row}, column {column} divides by zero; write the value as a number.",
            place=place,
            row=row,
            column=column,
        )
    return _Answer(Fraction(_decimal(top).value) / Fraction(divisor), None, coarse=False)


def _decimal(plain: str) -> _Answer:
    mantissa, _, exponent = plain.lower().partition("e")
    _, _, after_point = mantissa.partition(".")
    decimals = len(after_point) - int(exponent or 0)
    significant = mantissa.strip("+-").replace(".", "").lstrip("0")
    coarse = decimals <= 0 and len(significant) <= 1
    return _Answer(Fraction(plain), decimals, coarse)


def _is_right(answer: _Answer, exact: float, precision: float) -> bool:
    if math.isinf(exact) or isinstance(answer.value, float):
        return answer.value == exact
    gap = abs(answer.value - Fraction(exact))
    return gap <= _allowance(answer, exact, precision)


def _is_rounded(answer: _Answer, exact: float, precision: float) -> bool:
    """Say whether an answer is a rounding, and not the exact value itself."""
    if answer.decimals is None or math.isinf(exact) or isinstance(answer.value, float):
        return False
    return abs(answer.value - Fraction(exact)) > _rounding_error(exact, precision)


def _allowance(answer: _Answer, exact: float, precision: float) -> Fraction:
    noise = _rounding_error(exact, precision)
    if answer.decimals is None or answer.coarse:
        return noise
    return Fraction(1, 2) / Fraction(10) ** answer.decimals + noise


def _rounding_error(exact: float, precision: float) -> Fraction:
    """How far the trace itself may be off: a few units of its last place."""
    return Fraction(16 * precision) * max(Fraction(1), abs(Fraction(exact)))

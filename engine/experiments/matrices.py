"""Checks the matrices and labels of a worked example, and names the place of what is wrong."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence

from engine.errors import EngineError, NumberError, ShapeError
from engine.experiments.characters import is_blank, is_refused
from engine.experiments.number_text import is_lost, is_number, plain_number_text, refusal, shortened

Matrix = tuple[tuple[float, ...], ...]

LONGEST_LABEL = 12
MOST_ROWS = 64  # more than any limit, so that a wrong size is named before a wrong cell


def matrix_from_rows(rows: object, name: str) -> Matrix:
    """Read a matrix as an editor, a file or a text gives it.

    Parameters
    ----------
    rows : sequence of sequences
        Cells may be numbers, text that reads as a number, None or NaN.
    name : str
        The name of the matrix in messages, such as ``"X"``.

    Returns
    -------
    Matrix
        Rows of equal length, every cell a finite float.

    Raises
    ------
    ShapeError
        When this is no table: not rows of cells, no cell at all, or rows of unequal length.
    NumberError
        When a cell is empty, not a number, NaN, infinite or too large; the place is named.
    """
    table = [_list_of(row, name) for row in _list_of(rows, name)]
    _require_table(table, name)
    return tuple(
        tuple(_number(cell, name, row, column) for column, cell in enumerate(cells, 1))
        for row, cells in enumerate(table, 1)
    )


def _list_of(items: object, name: str) -> list[object]:
    tolist = getattr(items, "tolist", None)  # a NumPy array or a column of a data frame
    if callable(tolist):
        items = tolist()
    if isinstance(items, list | tuple) and len(items) <= MOST_ROWS:
        return list(items)
    if isinstance(items, list | tuple):
        raise ShapeError(
            "{name} is too large: {count} in one direction, at most {most} are read.",
            name=name,
            count=len(items),
            most=MOST_ROWS,
        )
    raise ShapeError("{name} must be a table of numbers: rows, each a list of cells.", name=name)


def _require_table(table: Sequence[Sequence[object]], name: str) -> None:
    if not table or not table[0]:
        raise ShapeError("{name} is empty; it needs at least one row with one number.", name=name)
    for row, cells in enumerate(table, 1):
        if len(cells) != len(table[0]):
            raise ShapeError(
                "Every row of {name} must be as long as the first; "
                "row {row} has length {length}, row 1 has length {first}.",
                name=name,
                row=row,
                length=len(cells),
                first=len(table[0]),
            )


def _number(cell: object, name: str, row: int, column: int) -> float:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # an empty cell of pandas
        raise refusal("", name, row, column)
    if isinstance(cell, str):
        return _number_from_text(cell, name, row, column)
    if isinstance(cell, bool):
        raise refusal(str(cell).lower(), name, row, column)
    if not isinstance(cell, numbers.Real):
        raise NumberError(
            "{place}, row {row}, column {column} holds something other than a number; "
            "every cell needs a number such as 0.5.",
            place=name,
            row=row,
            column=column,
        )
    try:
        value = float(cell)
    except OverflowError:  # an integer beyond every float
        raise _too_large(name, row, column) from None
    if not math.isfinite(value):
        raise _not_finite(value, name, row, column)
    return value


def _number_from_text(text: str, name: str, row: int, column: int) -> float:
    plain = plain_number_text(text)
    if not is_number(plain):
        raise refusal(text, name, row, column)
    value = float(plain)
    if not math.isfinite(value):
        raise _too_large(name, row, column)
    if is_lost(plain):
        raise NumberError(
            "{place}, row {row}, column {column} is too small; "
            "a number has at most about 323 zeros after the point.",
            place=name,
            row=row,
            column=column,
        )
    return value


def _not_finite(value: float, name: str, row: int, column: int) -> EngineError:
    if math.isnan(value):  # an editor's cleared cell arrives as NaN
        return NumberError(
            "{place}, row {row}, column {column} is empty or NaN; "
            "every cell needs a number such as 0.5.",
            place=name,
            row=row,
            column=column,
        )
    return refusal("inf", name, row, column)


def _too_large(name: str, row: int, column: int) -> EngineError:
    return NumberError(
        "{place}, row {row}, column {column} is too large; "
        "a number has at most about 308 digits before the point.",
        place=name,
        row=row,
        column=column,
    )


def clean_labels(labels: Iterable[object], size: int, name: str) -> tuple[str, ...]:
    """Return token labels without spaces around them.

    Parameters
    ----------
    labels : iterable of str
        Any script; labels may repeat.
    size : int
        How many are needed: T for the tokens of X, S for those of the second input.
    name : str
        The matrix whose rows they name, such as ``"X"``.

    Raises
    ------
    ShapeError
        When there are more or fewer labels than rows.
    EngineError
        When a label is empty, too long, not text, or holds a control character.
    """
    given = tuple(labels)
    if len(given) != size:
        raise ShapeError(
            "The number of token labels of {name} must be {size}, one for each row; got {count}.",
            name=name,
            size=size,
            count=len(given),
        )
    return tuple(_clean_label(label, name, row) for row, label in enumerate(given, 1))


def _clean_label(label: object, name: str, row: int) -> str:
    if not isinstance(label, str):
        raise EngineError("The token label of {name}, row {row} must be text.", name=name, row=row)
    text = label.strip()
    if all(is_blank(character) for character in text):
        raise EngineError(
            "The token label of {name}, row {row} is empty; give the token a name such as x{row}.",
            name=name,
            row=row,
        )
    if len(text) > LONGEST_LABEL:
        raise EngineError(
            "The token label of {name}, row {row} has {length} characters; at most {longest} fit.",
            name=name,
            row=row,
            length=len(text),
            longest=LONGEST_LABEL,
        )
    if any(is_refused(character) for character in text):
        raise EngineError(
            "The token label of {name}, row {row} is {text} and holds a character "
            "that cannot be shown; use letters, digits or signs.",
            name=name,
            row=row,
            text=shortened(text),
        )
    return text

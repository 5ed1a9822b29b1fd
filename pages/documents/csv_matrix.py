"""A matrix as CSV: read what spreadsheets, editors and NumPy write, and write plain CSV."""

from __future__ import annotations

import csv
import re

from engine.errors import ShapeError
from engine.experiments.matrices import Matrix, matrix_from_rows
from engine.experiments.number_text import is_number, plain_number_text
from pages.documents.incoming import read_text

# Separators of East Asian keyboards.
_WIDE_SEPARATORS = str.maketrans({"，": ",", "；": ";", "、": ","})
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_ARRAY = re.compile(r"^(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.]+)?\)$", re.DOTALL)
_BETWEEN_ROWS = re.compile(r"\][\s,;]*\[")


def parse(
    source: str | bytes, name: str, shape: tuple[int, int] | None = None, legend: str = ""
) -> Matrix:
    """Read a matrix from pasted or uploaded text.

    Cells are separated by tabs, semicolons, commas or spaces, the first of these that occurs.
    Blank lines do not count, nor does a heading without any number; brackets around rows, as
    Python writes them, are dropped.

    Parameters
    ----------
    source : str or bytes
        The text, or the bytes of a file in UTF-8.
    name : str
        The name of the matrix in messages, such as ``"X"``.
    shape : (int, int), optional
        The rows and columns it must have; None takes any shape.
    legend : str
        The meaning of the shape, such as ``"T x d_model"``.

    Raises
    ------
    EngineError
        When it is too large or no UTF-8 text.
    ShapeError
        When there are no cells, rows differ in length, or the shape is not ``shape``.
    NumberError
        When a cell is not a finite number; the place is named.
    """
    rows = _without_heading(_cells(read_text(source)))
    if shape is not None:
        _require_shape(rows, name, shape, legend)
    return matrix_from_rows(rows, name)


def dump(matrix: Matrix) -> str:
    """Write a matrix as CSV at full precision: ``parse`` returns the same numbers."""
    return "".join(",".join(repr(float(cell)) for cell in row) + "\n" for row in matrix)


def _cells(text: str) -> list[list[str]]:
    plain = _without_brackets(text).translate(_WIDE_SEPARATORS).replace("\0", "�")
    lines = [line for line in plain.splitlines() if line.strip()]
    if lines and all(_has_decimal_commas(line) for line in lines):
        return [line.split() for line in lines]
    separator = next((mark for mark in "\t;," if any(mark in line for line in lines)), None)
    if separator is None:
        return [line.split() for line in lines]
    try:
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t"))
    except csv.Error:  # one cell of more than 128 Ki characters
        rows = [line.split(separator) for line in lines]
    return _without_trailing(rows)


def _without_brackets(text: str) -> str:
    stripped = text.strip()
    array = _ARRAY.match(stripped)
    stripped = array[1] if array is not None else stripped
    if not stripped.startswith("["):
        return text
    return _BETWEEN_ROWS.sub("\n", stripped).strip("[] \n")


def _has_decimal_commas(line: str) -> bool:
    """Say whether spaces separate numbers such as 1,5; one alone may well be two cells."""
    cells = line.split()
    return len(cells) > 1 and all(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)


def _without_heading(rows: list[list[str]]) -> list[list[str]]:
    """Drop a first row without any number, where every cell of the second row is one."""
    if len(rows) < 2 or not rows[1]:
        return rows
    heading = [is_number(plain_number_text(cell)) or not cell.strip() for cell in rows[0]]
    numbers = [is_number(plain_number_text(cell)) for cell in rows[1]]
    return rows[1:] if not any(heading) and all(numbers) else rows


def _without_trailing(rows: list[list[str]]) -> list[list[str]]:
    """Drop the separator at the end of each row, where every row has one."""
    if all(len(row) > 1 and not row[-1].strip() for row in rows):
        return [row[:-1] for row in rows]
    return rows


def _require_shape(rows: list[list[str]], name: str, shape: tuple[int, int], legend: str) -> None:
    if not rows:
        raise ShapeError(
            "{name} must be {wanted_rows} x {wanted_columns} ({legend}); this text has no numbers. "
            "Give {wanted_rows} rows of {wanted_columns} numbers.",
            name=name,
            wanted_rows=shape[0],
            wanted_columns=shape[1],
            legend=legend,
        )
    lengths = [len(row) for row in rows]
    odd = next((place for place, length in enumerate(lengths, 1) if length != lengths[0]), None)
    if odd is None and (len(rows), lengths[0]) != shape:
        raise ShapeError(
            "{name} must be {wanted_rows} x {wanted_columns} ({legend}); "
            "this text has {rows} rows of {columns}. Change the sizes first, or the text.",
            name=name,
            wanted_rows=shape[0],
            wanted_columns=shape[1],
            legend=legend,
            rows=len(rows),
            columns=lengths[0],
        )
    if odd is not None:
        raise ShapeError(
            "{name} must be {wanted_rows} x {wanted_columns} ({legend}); "
            "row {row} of this text has length {length}, row 1 has length {first}. "
            "Give every row {wanted_columns} numbers.",
            name=name,
            wanted_rows=shape[0],
            wanted_columns=shape[1],
            legend=legend,
            row=odd,
            length=lengths[odd - 1],
            first=lengths[0],
        )

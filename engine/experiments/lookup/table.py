"""A small table of keys and values, and a query: what the reader edits.

Shape legend: n rows, d the width of query and keys, e the width of the values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from engine.errors import NumberError, OptionError, ShapeError
from engine.experiments.masks.inputs import require_seed
from engine.experiments.matrices import Matrix, clean_labels, matrix_from_rows
from engine.experiments.memory.limits import grouped
from engine.experiments.number_text import shortened
from engine.experiments.scaling.inputs import is_within

__all__ = [
    "LEAST_CELL",
    "LEAST_TEMPERATURE",
    "LIMITS",
    "MOST_CELL",
    "MOST_TEMPERATURE",
    "NAMES",
    "SIMILARITIES",
    "Matrix",
    "Params",
    "Similarity",
    "checked",
    "validate",
]

Similarity = Literal["dot", "scaled", "cosine", "gaussian", "additive"]
SIMILARITIES: tuple[Similarity, ...] = get_args(Similarity)
LIMITS: dict[str, tuple[int, int]] = {"rows": (1, 12), "key": (1, 8), "value": (1, 4)}
LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.001, 1_000.0
# Of the size of a cell other than 0: its square is a normal number in float32 too.
LEAST_CELL, MOST_CELL = 1e-6, 1_000.0
NAMES = {"keys": "K", "values": "V", "query": "q"}  # in sentences, in every language


@dataclass(frozen=True)
class Params:
    """A table, a query, and how one is looked up in the other.

    Attributes
    ----------
    names : tuple of str
        n different ones.
    keys : Matrix
        (n, d), no two rows alike.
    values : Matrix
        (n, e).
    query : tuple of float
        (d,).
    similarity : {"dot", "scaled", "cosine", "gaussian", "additive"}
        What the scores are; see `engine.experiments.lookup.similarities`.
    temperature : float
        What the scores are divided by before softmax, 0.001 to 1,000.
    seed : int
        Of the weights of additive attention, 0 to 999,999.
    """

    names: tuple[str, ...] = ("apple", "banana", "orange", "lemon")
    keys: Matrix = ((2.0, 0.0), (0.5, 1.5), (-1.0, 1.0), (0.0, -1.5))
    values: Matrix = ((5.0,), (3.0,), (7.0,), (2.0,))
    query: tuple[float, ...] = (1.5, 0.5)
    similarity: Similarity = "dot"
    temperature: float = 1.0
    seed: int = 1

    @property
    def d(self) -> int:
        """The width of query and keys."""
        return len(self.query)


def checked(params: Params) -> Params:
    """Return the table with clean names and every cell a float.

    Cells may arrive as text, as a person types them.

    Raises
    ------
    EngineError
        One sentence: which cell, row or setting is wrong, and what is allowed.
    """
    _require_rows(params.keys)
    keys = _cells(params.keys, "keys")
    values = _cells(params.values, "values")
    query = _cells((params.query,), "query")[0]
    _require_fit(keys, values, query)
    names = _names(params.names, len(keys))
    _require_different(names, keys)
    _require_similarity(params.similarity)
    _require_temperature(params.temperature)
    require_seed(params.seed)
    return replace(params, names=names, keys=keys, values=values, query=query)


def validate(params: Params) -> None:
    """Refuse a table, query or setting that is not well formed; raises as `checked` does."""
    checked(params)


def _require_rows(keys: object) -> None:
    if isinstance(keys, list | tuple) and not keys:
        raise ShapeError("The table is empty; it needs at least one row with a key and a value.")


def _cells(rows: object, field: str) -> Matrix:
    """Return a matrix whose cells are floats of a size that every precision can square."""
    name = NAMES[field]
    matrix = matrix_from_rows(rows, name)
    for row, cells in enumerate(matrix, 1):
        for column, cell in enumerate(cells, 1):
            if cell and not LEAST_CELL <= abs(cell) <= MOST_CELL:
                raise NumberError(
                    "{place}, row {row}, column {column} must be 0, or from {least} to {most} "
                    "in size, got {value}.",
                    place=name,
                    row=row,
                    column=column,
                    least=_plain(LEAST_CELL),
                    most=_plain(MOST_CELL),
                    value=_plain(cell),
                )
    return matrix


def _require_fit(keys: Matrix, values: Matrix, query: tuple[float, ...]) -> None:
    _require_rows_between(len(keys))
    if len(values) != len(keys):
        raise ShapeError(
            "Every key needs one value: there must be as many rows of V as of K, "
            "got {values} and {keys}.",
            values=len(values),
            keys=len(keys),
        )
    _require_width("key", "K", len(keys[0]))
    _require_width("value", "V", len(values[0]))
    if len(query) != len(keys[0]):
        raise ShapeError(
            "The query is compared with the keys and must be as wide as they are, d = {d}; got "
            "{count}.",
            d=len(keys[0]),
            count=len(query),
        )


def _require_rows_between(rows: int) -> None:
    least, most = LIMITS["rows"]
    if not least <= rows <= most:
        raise ShapeError(
            "The table must have from {least} to {most} rows, got {rows}.",
            least=least,
            most=most,
            rows=rows,
        )


def _require_width(limit: str, name: str, width: int) -> None:
    least, most = LIMITS[limit]
    if not least <= width <= most:
        raise ShapeError(
            "The rows of {name} must have from {least} to {most} numbers, got {width}.",
            name=name,
            least=least,
            most=most,
            width=width,
        )


def _names(names: object, rows: int) -> tuple[str, ...]:
    if not isinstance(names, list | tuple):
        raise OptionError(
            "The names of the keys must be a list of texts, one for each row, got {value}.",
            value=_plain(names),
        )
    return clean_labels(names, rows, NAMES["keys"])


def _require_different(names: tuple[str, ...], keys: Matrix) -> None:
    """Refuse two rows of one name or of one key: no dictionary could tell them apart."""
    same = _first_pair(names)
    if same:
        raise OptionError(
            "Rows {first} and {second} have the same name, {name}; every key needs its own.",
            first=same[0] + 1,
            second=same[1] + 1,
            name=names[same[0]],
        )
    same = _first_pair(keys)
    if same:
        raise OptionError(
            "Rows {first} and {second}, {name} and {other}, have the same key; a table holds each "
            "key once, so change or remove one of them.",
            first=same[0] + 1,
            second=same[1] + 1,
            name=names[same[0]],
            other=names[same[1]],
        )


def _first_pair(items: Sequence[object]) -> tuple[int, int] | None:
    """Return the first two places that hold the same, if there are any."""
    seen: dict[object, int] = {}
    for place, item in enumerate(items):
        if item in seen:
            return seen[item], place
        seen[item] = place
    return None


def _require_similarity(similarity: object) -> None:
    if not isinstance(similarity, str) or similarity not in SIMILARITIES:
        raise OptionError(
            "The similarity must be one of {known}, got {name}.",
            known=", ".join(SIMILARITIES),
            name=_plain(similarity),
        )


def _require_temperature(temperature: object) -> None:
    if is_within(temperature, LEAST_TEMPERATURE, MOST_TEMPERATURE):
        return
    least, most = _plain(LEAST_TEMPERATURE), _plain(MOST_TEMPERATURE)
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if number and temperature == 0:
        raise NumberError(
            "Soft lookup at temperature 0 is hard lookup; choose {least} or more.", least=least
        )
    if number and temperature == math.inf:
        raise NumberError(
            "Soft lookup at infinite temperature is the plain mean of the values; choose {most} "
            "or less.",
            most=most,
        )
    raise NumberError(
        "The temperature must be a number from {least} to {most}, got {value}.",
        least=least,
        most=most,
        value=_plain(temperature),
    )


def _plain(value: object) -> object:
    """Return a value as a sentence shows it: a float in plain decimals, without an exponent."""
    if isinstance(value, float):
        return shortened(np.format_float_positional(value, trim="-"))
    return grouped(value)

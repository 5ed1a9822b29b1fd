"""A small table of keys and values, and a query: what the reader edits.

Shape legend: n rows, d the width of query and keys, e the width of the values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from engine.errors import NumberError, OptionError, ShapeError
from engine.experiments.matrices import Matrix, clean_labels, matrix_from_rows
from engine.experiments.number_text import shortened
from engine.experiments.scaling.inputs import require_seed, shown

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
    raise NotImplementedError


def validate(params: Params) -> None:
    """Refuse a table, query or setting that is not well formed; raises as `checked` does."""
    checked(params)

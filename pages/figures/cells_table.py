"""Matrices as a table behind a figure: one row a cell, of large ones one row a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.shapes import Array
from pages.figures.figure import Table

MOST_LONG_SIDE = 64  # a larger matrix is a table with one row a row of it, which stays fast


def cells_table(
    blocks: Sequence[tuple[str, Mapping[str, Array]]],
    rows: Sequence[str],
    columns: Sequence[str],
    names: tuple[str, str, str] = ("mask", "query", "key"),
) -> Table:
    """Return matrices as a table: one row a cell, of large ones one row a row.

    Parameters
    ----------
    blocks : sequence of (str, mapping)
        A name, and its quantities by name, each (rows, columns).
    rows, columns : sequence of str
        Labels.
    names : tuple of str
        What blocks, rows and columns are.
    """
    block, row, column = names
    if max(len(rows), len(columns)) > MOST_LONG_SIDE:
        lasts = (f"{column} {index + 1}: {label}" for index, label in enumerate(columns))
        wide = (block, "quantity", row, f"{row} label", *lasts)
        return Table(wide, tuple(_wide_rows(blocks, rows)))
    long = (block, row, f"{row} label", column, f"{column} label", *blocks[0][1])
    return Table(long, tuple(_long_rows(blocks, rows, columns)))


def _wide_rows(
    blocks: Sequence[tuple[str, Mapping[str, Array]]], rows: Sequence[str]
) -> list[tuple[object, ...]]:
    return [
        (name, quantity, index + 1, rows[index], *line)
        for name, quantities in blocks
        for quantity, values in quantities.items()
        for index, line in enumerate(values.tolist())
    ]


def _long_rows(
    blocks: Sequence[tuple[str, Mapping[str, Array]]], rows: Sequence[str], columns: Sequence[str]
) -> list[tuple[object, ...]]:
    places = [
        (row + 1, rows[row], column + 1, columns[column])
        for row, column in np.ndindex(len(rows), len(columns))
    ]
    return [
        (name, *place, *cells)
        for name, quantities in blocks
        for place, cells in zip(
            places,
            zip(*(v.ravel().tolist() for v in quantities.values()), strict=True),
            strict=True,
        )
    ]

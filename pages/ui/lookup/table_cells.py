"""The table of the reader as it was typed: names, cells of keys and values, and the query.

Cells are text, be they numbers or not: what is none is refused where it is computed, and stays.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import streamlit as st

from engine.errors import OptionError
from engine.experiments.lookup.table import LIMITS, Params
from engine.experiments.number_text import shortened
from pages.ui import messages
from pages.ui.address import LONGEST_VALUE
from pages.ui.matrix_editor import cell_text

Row = tuple[str, ...]
LONGEST_TEXT = 4_000  # characters of a table in a link
_USUAL = Params()
# More rows and columns than the usual table has, for a reader who wants them.
_NAMES = ("grape", "pear", "plum", "melon", "cherry", "mango", "peach", "kiwi")


@dataclass(frozen=True)
class Table:
    """A table as it was typed.

    Attributes
    ----------
    names : tuple of str
        One for each row.
    keys, values : tuple of tuples of str
        The cells of the rows.
    query : tuple of str
        As wide as the keys.
    """

    names: Row
    keys: tuple[Row, ...]
    values: tuple[Row, ...]
    query: Row

    @property
    def sizes(self) -> dict[str, int]:
        """Rows, and the widths of keys and values, by the names of the engine's limits."""
        return {"rows": len(self.names), "key": len(self.query), "value": len(self.values[0])}


def usual() -> Table:
    """Return the table that the page starts with."""
    return Table(
        _USUAL.names,
        tuple(tuple(map(cell_text, row)) for row in _USUAL.keys),
        tuple(tuple(map(cell_text, row)) for row in _USUAL.values),
        tuple(map(cell_text, _USUAL.query)),
    )


def largest() -> Table:
    """Return the largest table there can be, with the usual one in its corner."""
    rows, key, value = (LIMITS[name][1] for name in ("rows", "key", "value"))
    names = (*_USUAL.names, *_NAMES)[:rows]
    blank = Table(
        names,
        tuple(tuple(_filling(row, column) for column in range(key)) for row in range(rows)),
        tuple(tuple(str(1 + (row + column) % 9) for column in range(value)) for row in range(rows)),
        tuple(_filling(0, column) for column in range(key)),
    )
    return over(blank, usual())


def _filling(row: int, column: int) -> str:
    """Return what stands in a cell of a key that nobody has typed yet; no two rows are alike."""
    return cell_text(round(((row + 1) * (column + 2) * 7 % 19 - 9) / 10, 1))


def over(below: Table, above: Table) -> Table:
    """Return a table with another one, which is not larger, laid over its corner."""
    return Table(
        (*above.names, *below.names[len(above.names) :]),
        _rows_over(below.keys, above.keys),
        _rows_over(below.values, above.values),
        (*above.query, *below.query[len(above.query) :]),
    )


def _rows_over(below: tuple[Row, ...], above: tuple[Row, ...]) -> tuple[Row, ...]:
    laid = tuple((*top, *row[len(top) :]) for top, row in zip(above, below, strict=False))
    return (*laid, *below[len(above) :])


def corner(table: Table, rows: int, key: int, value: int) -> Table:
    """Return the first rows and columns of a table."""
    return Table(
        table.names[:rows],
        tuple(row[:key] for row in table.keys[:rows]),
        tuple(row[:value] for row in table.values[:rows]),
        table.query[:key],
    )


def reordered(table: Table, order: list[int]) -> Table:
    """Return a table with its rows in another order."""
    return Table(
        tuple(table.names[row] for row in order),
        tuple(table.keys[row] for row in order),
        tuple(table.values[row] for row in order),
        table.query,
    )


@dataclass(frozen=True)
class TableLink:
    """A table in an address: JSON of names, keys, values and query."""

    def read(self, name: str, text: str) -> Table | None:
        """Return the table, or None, which is then said."""
        table = _table_of(text)
        if table is None:
            messages.keep(
                OptionError(
                    "The address asks for {name} = {value}, which is no table of {rows} rows with "
                    "{key} numbers a key and {value_width} a value. The usual value is shown "
                    "instead.",
                    name=name,
                    value=shortened(text, LONGEST_VALUE),
                    rows=_range("rows"),
                    key=_range("key"),
                    value_width=_range("value"),
                )
            )
        return table

    def write(self, value: object) -> str | None:
        """Return the table as text, or None where it is too long for a link."""
        assert isinstance(value, Table)
        lists = [value.names, value.keys, value.values, value.query]
        text = json.dumps(lists, ensure_ascii=False, separators=(",", ":"))
        return text if len(text) <= LONGEST_TEXT else None


def _range(name: str) -> str:
    least, most = LIMITS[name]
    return f"{least}–{most}"


def _table_of(text: str) -> Table | None:
    """Return the table that a text is, if its lists are of text and fit together."""
    if len(text) > LONGEST_TEXT:
        return None
    try:
        names, keys, values, query = json.loads(text)
        table = Table(_row(names), tuple(map(_row, keys)), tuple(map(_row, values)), _row(query))
    except (ValueError, TypeError, RecursionError):
        return None
    return table if _fits(table) else None


def _row(items: object) -> Row:
    if isinstance(items, list) and all(isinstance(item, str) for item in items):
        return tuple(items)
    raise TypeError(items)


def _fits(table: Table) -> bool:
    rows = len(table.names)
    if not rows or (len(table.keys), len(table.values)) != (rows, rows):
        return False
    widths = {len(row) for row in table.keys} | {len(table.query)}
    sizes_fit = all(least <= table.sizes[name] <= most for name, (least, most) in LIMITS.items())
    return len(widths) == 1 and len({len(row) for row in table.values}) == 1 and sizes_fit


_SPARE = "lookup.spare"


def spare() -> Table:
    """Return every cell that was ever typed in this session, beyond the table's present sizes."""
    kept: Table = st.session_state.setdefault(_SPARE, largest())
    return kept


def keep(table: Table) -> None:
    """Keep the cells of a table, so that a smaller one loses nothing."""
    st.session_state[_SPARE] = over(spare(), table)

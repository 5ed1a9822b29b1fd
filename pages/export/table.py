"""The data behind a figure as CSV, ready for Excel, Numbers and ``numpy.genfromtxt``."""

from __future__ import annotations

import csv
import io
import numbers
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.figures.figure import Table

# Excel takes UTF-8 for what it is only behind this mark; without it Chinese turns to noise.
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# A spreadsheet runs a cell that begins like this, and token labels are typed by people.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: Table) -> bytes:
    """Return a table as UTF-8 CSV with a byte order mark, at full precision.

    Numbers are written with the fewest digits that give back the same number, infinities as
    ``inf`` and ``-inf``. A label that a spreadsheet would run as a formula gets an apostrophe.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([_label(column) for column in table.columns])
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return (_BYTE_ORDER_MARK + buffer.getvalue()).encode("utf-8")


def _cell(value: object) -> str:
    """Return one value as text; NumPy's own numbers are written like Python's."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return _label(str(value))
    return repr(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))


def _label(text: str) -> str:
    """Return a text that no spreadsheet runs; a text that is only a number is harmless."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

"""The numbers of a chart as the workbook inside it, and the cells that each series names."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from pptx.oxml.ns import qn
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from pages.export import archive
from pages.figures.figure import Chart, Reference

_WHEN = datetime(2000, 1, 1)


def drawn_references(chart: Chart) -> tuple[Reference, ...]:
    """Return the reference lines that a native chart holds: bars have no number axis for them."""
    return chart.references if chart.kind == "line" else ()


def ends(chart: Chart, reference: Reference) -> tuple[tuple[float, float], ...]:
    """Return the two ends of a reference line, which a chart holds as a series of its own."""
    if reference.axis == "x":
        return tuple((reference.at, end) for end in chart.y_range)
    numbers = [float(x) for x in chart.x]
    return (min(numbers), reference.at), (max(numbers), reference.at)


def workbook(chart: Chart) -> bytes:
    """Return the numbers as a workbook: x in the first column, a series in each further one.

    Written here, since python-pptx lets a label that begins with ``=`` become a formula.
    """
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    buffer = io.BytesIO()
    book = Workbook(buffer, options)
    book.set_properties({"created": _WHEN})
    sheet = book.add_worksheet("Sheet1")
    sheet.write_row(0, 0, [chart.x_title, *(series.name for series in chart.series)])
    sheet.write_column(1, 0, chart.x)
    for column, series in enumerate(chart.series, start=1):
        sheet.write_column(1, column, series.values)
    for place, reference in enumerate(drawn_references(chart)):
        column = _reference_column(chart, place)
        sheet.write(0, column + 1, reference.label)
        for row, end in enumerate(ends(chart, reference), start=1):
            sheet.write_row(row, column, end)
    book.close()
    return archive.again(buffer.getvalue())


def refer(drawn: Any, chart: Chart) -> None:
    """Point every series of a drawn chart to its columns of the workbook."""
    count, last = len(chart.series), len(chart.x) + 1
    for number, series in enumerate(drawn._chartSpace.iter(qn("c:ser"))):
        start = _reference_column(chart, number - count) if number >= count else 0
        x, y = _letters(start), _letters(start + 1 if start else number + 1)
        end = 3 if start else last
        ranges = {
            "c:tx": f"Sheet1!${y}$1",
            "c:cat": f"Sheet1!${x}$2:${x}${end}",
            "c:xVal": f"Sheet1!${x}$2:${x}${end}",
            "c:val": f"Sheet1!${y}$2:${y}${end}",
            "c:yVal": f"Sheet1!${y}$2:${y}${end}",
        }
        for name, cells in ranges.items():
            for formula in series.iterfind(f"{qn(name)}//{qn('c:f')}"):
                formula.text = cells


def _reference_column(chart: Chart, place: int) -> int:
    """Return the column of a reference line's x; its y and its label are in the next one."""
    return 1 + len(chart.series) + 2 * place


def _letters(column: int) -> str:
    """Return the name of a column, counted from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters

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

    Behind them are the ends of the reference lines, then the places of series that have their own.

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
    for index, series in enumerate(chart.series):
        if series.x is not None:
            column = _places_column(chart, index)
            sheet.write(0, column, chart.x_title)
            sheet.write_column(1, column, series.x)
    book.close()
    return archive.again(buffer.getvalue())


def refer(drawn: Any, chart: Chart) -> None:
    """Point every series of a drawn chart to its columns of the workbook."""
    for number, series in enumerate(drawn._chartSpace.iter(qn("c:ser"))):
        places, values, end = _cells_of(chart, number)
        x, y = _letters(places), _letters(values)
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


def _cells_of(chart: Chart, number: int) -> tuple[int, int, int]:
    """Return the columns of x and of y of a drawn series, and its last row."""
    count = len(chart.series)
    if number >= count:
        column = _reference_column(chart, number - count)
        return column, column + 1, 3
    series = chart.series[number]
    places = 0 if series.x is None else _places_column(chart, number)
    return places, number + 1, len(series.values) + 1


def _places_column(chart: Chart, index: int) -> int:
    """Return the column with the places of a series that has its own."""
    before = sum(series.x is not None for series in chart.series[:index])
    return _reference_column(chart, len(drawn_references(chart))) + before


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

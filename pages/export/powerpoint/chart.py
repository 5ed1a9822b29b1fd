"""A line or bar figure as a chart that PowerPoint can edit, with its numbers in a workbook."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime
from itertools import cycle
from typing import Any

from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE_DASH_STYLE
from pptx.oxml.ns import qn
from pptx.util import Pt
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from pages.export import archive
from pages.export.clean import one_line
from pages.export.powerpoint.colours import rgb
from pages.export.powerpoint.geometry import POINTS_PER_PIXEL, emu
from pages.export.powerpoint.words import mark_language
from pages.figures.figure import Chart, Reference, Series, Style
from pages.figures.measure import text_width
from pages.figures.slide import Room
from pages.figures.ticks import linear_ticks

TEXT_SIZE = 16  # points
_TEXT_PIXELS = TEXT_SIZE / POINTS_PER_PIXEL
_LINE_WIDTH = 2.5  # points
_REFERENCE_WIDTH = 1.5
# Lines differ by their dashes too: in print, for colour-blind eyes, and where two coincide.
_DASHES = (
    MSO_LINE_DASH_STYLE.SOLID,
    MSO_LINE_DASH_STYLE.DASH,
    MSO_LINE_DASH_STYLE.DASH_DOT,
    MSO_LINE_DASH_STYLE.ROUND_DOT,
)
_GAP = 0.6  # of the width of a bar, between two groups
_PLOT_SHARE = 0.85  # of the width of a chart, beside the numbers and title of the y axis
_MOST_TICKS = 7
_WHEN = datetime(2000, 1, 1)


def add_chart(made: Any, chart: Chart, style: Style, room: Room) -> Any:
    """Add a chart to a slide and return its frame.

    Parameters
    ----------
    made : pptx.slide.Slide
        The slide.
    chart : Chart
        Bars over categories, or lines over numbers.
    style : Style
        Gives colours and decimals.
    room : tuple
        Left, top, width, height in pixels.
    """
    chart = _cleaned(chart)
    bars = chart.kind == "bar"
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED if bars else XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS
    data = _bar_data(chart) if bars else _line_data(chart)
    frame = made.shapes.add_chart(kind, *map(emu, room), data)
    drawn = frame.chart
    drawn.part.chart_workbook.update_from_xlsx_blob(_workbook(chart))
    _refer(drawn, chart)
    _set_text(drawn, chart, style)
    _set_axes(drawn, chart, style)
    _set_series(drawn, chart, style)
    if chart.kind == "bar" and _labels_fit(chart, style, room[2]):
        _label(drawn.plots[0], style)
    return frame


def _cleaned(chart: Chart) -> Chart:
    """Return the chart with texts that XML can hold."""
    series = tuple(Series(one_line(s.name), s.values, s.colour) for s in chart.series)
    x: Any = tuple(one_line(each) if isinstance(each, str) else each for each in chart.x)
    titles = (one_line(chart.x_title), one_line(chart.y_title))
    lines = tuple(replace(line, label=one_line(line.label)) for line in chart.references)
    return replace(
        chart, x_title=titles[0], y_title=titles[1], x=x, series=series, references=lines
    )


def _bar_data(chart: Chart) -> Any:
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = chart.x
    for series in chart.series:
        data.add_series(series.name, series.values)
    return data


def _line_data(chart: Chart) -> Any:
    data: Any = XyChartData()  # type: ignore[no-untyped-call]
    for series in chart.series:
        line = data.add_series(series.name)
        for x, y in zip(chart.x, series.values, strict=True):
            line.add_data_point(x, y)
    for reference in chart.references:
        line = data.add_series(reference.label)
        for x, y in _ends(chart, reference):
            line.add_data_point(x, y)
    return data


def _ends(chart: Chart, reference: Reference) -> tuple[tuple[float, float], ...]:
    """Return the two ends of a reference line, which a chart holds as a series of its own."""
    if reference.axis == "x":
        return tuple((reference.at, end) for end in chart.y_range)
    numbers = [float(x) for x in chart.x]
    return (min(numbers), reference.at), (max(numbers), reference.at)


def _workbook(chart: Chart) -> bytes:
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
    for place, reference in enumerate(_drawn_references(chart)):
        column = _reference_column(chart, place)
        sheet.write(0, column + 1, reference.label)
        for row, ends in enumerate(_ends(chart, reference), start=1):
            sheet.write_row(row, column, ends)
    book.close()
    return archive.again(buffer.getvalue())


def _drawn_references(chart: Chart) -> tuple[Reference, ...]:
    """Return the reference lines that a native chart holds: bars have no number axis for them."""
    return chart.references if chart.kind == "line" else ()


def _reference_column(chart: Chart, place: int) -> int:
    """Return the column of a reference line's x; its y and its label are in the next one."""
    return 1 + len(chart.series) + 2 * place


def _refer(drawn: Any, chart: Chart) -> None:
    """Point every series to its columns of the workbook."""
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


def _letters(column: int) -> str:
    """Return the name of a column, counted from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _set_text(drawn: Any, chart: Chart, style: Style) -> None:
    """Set the font of all texts, the legend, and no title: the slide has one."""
    drawn.has_title = False
    drawn.font.size = Pt(TEXT_SIZE)
    drawn.font.color.rgb = rgb(style.colours.text)
    words = [chart.x_title, chart.y_title, *map(str, chart.x)]
    words += [series.name for series in chart.series]
    words += [reference.label for reference in chart.references]
    mark_language(drawn.font._element, "".join(words))
    drawn.has_legend = len(chart.series) + len(_drawn_references(chart)) > 1
    if drawn.has_legend:
        drawn.legend.position = XL_LEGEND_POSITION.TOP
        drawn.legend.include_in_layout = False


def _set_axes(drawn: Any, chart: Chart, style: Style) -> None:
    low, high = chart.y_range
    values, base = drawn.value_axis, drawn.category_axis
    values.minimum_scale, values.maximum_scale = low, high
    if chart.y_log:
        _make_logarithmic(values)
    else:
        values.major_unit = _step(low, high)
    values.has_major_gridlines = True
    values.major_gridlines.format.line.color.rgb = rgb(style.colours.line)
    base.has_major_gridlines = False
    # Numbers stand at the edges, also where an axis crosses the other in the middle.
    base.tick_label_position = values.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if chart.kind == "line":
        base.minimum_scale, base.maximum_scale = least, most = (
            float(min(chart.x)),
            float(max(chart.x)),
        )
        if chart.x_log:
            _make_logarithmic(base)
        else:
            base.major_unit = _step(least, most)
    for axis, title in ((base, chart.x_title), (values, chart.y_title)):
        axis.format.line.color.rgb = rgb(style.colours.muted)
        axis.tick_labels.font.size = Pt(TEXT_SIZE)
        axis.tick_labels.font.color.rgb = rgb(style.colours.text)
        _set_axis_title(axis, title, style)


def _make_logarithmic(axis: Any) -> None:
    """Give an axis powers of ten; the element must come first in its scale."""
    scaling = axis._element.find(qn("c:scaling"))
    base = scaling.makeelement(qn("c:logBase"), {"val": "10"})
    scaling.insert(0, base)


def _step(least: float, most: float) -> float:
    """Return the distance of the ticks that the drawn figure would have."""
    first, second, *_ = linear_ticks(least, most, _MOST_TICKS).values
    return second - first


def _set_axis_title(axis: Any, title: str, style: Style) -> None:
    axis.has_title = bool(title)
    if not title:
        return
    axis.axis_title.text_frame.text = title
    font = axis.axis_title.text_frame.paragraphs[0].runs[0].font
    font.size, font.bold = Pt(TEXT_SIZE), False
    font.color.rgb = rgb(style.colours.muted)
    mark_language(font._element, title)


def _set_series(drawn: Any, chart: Chart, style: Style) -> None:
    plot = drawn.plots[0]
    drawn_all, dashes = list(plot.series), cycle(_DASHES)
    for drawn_series, series in zip(drawn_all, chart.series, strict=False):
        if chart.kind == "bar":
            drawn_series.format.fill.solid()
            drawn_series.format.fill.fore_color.rgb = rgb(series.colour)
            drawn_series.invert_if_negative = False
        else:
            drawn_series.format.line.color.rgb = rgb(series.colour)
            drawn_series.format.line.width = Pt(_LINE_WIDTH)
            drawn_series.format.line.dash_style = next(dashes)
            drawn_series.smooth = False
    for drawn_series in drawn_all[len(chart.series) :]:
        line = drawn_series.format.line
        line.color.rgb, line.width = rgb(style.colours.muted), Pt(_REFERENCE_WIDTH)
        line.dash_style = MSO_LINE_DASH_STYLE.DASH
        drawn_series.smooth = False
    if chart.kind == "bar":
        plot.gap_width = round(_GAP * 100)


def _labels_fit(chart: Chart, style: Style, width: float) -> bool:
    """Return whether every value fits above its bar, in a chart so many pixels wide."""
    bar = width * _PLOT_SHARE / len(chart.x) / (len(chart.series) + _GAP)
    values = [value for series in chart.series for value in series.values]
    widest = max(text_width(f"{value:.{style.decimals}f}", _TEXT_PIXELS) for value in values)
    return widest <= bar


def _label(plot: Any, style: Style) -> None:
    plot.has_data_labels = True
    labels = plot.data_labels
    labels.show_value = True
    labels.number_format = "0." + "0" * style.decimals if style.decimals else "0"
    labels.number_format_is_linked = False
    labels.font.size = Pt(TEXT_SIZE)
    labels.font.color.rgb = rgb(style.colours.text)

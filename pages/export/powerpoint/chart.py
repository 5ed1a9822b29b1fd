"""A line or bar figure as a chart that PowerPoint can edit, with its numbers in a workbook."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Pt

from pages.export.clean import one_line
from pages.export.powerpoint import chart_layout, workbook
from pages.export.powerpoint.chart_layout import Layout
from pages.export.powerpoint.chart_series import style_bars, style_lines
from pages.export.powerpoint.colours import rgb
from pages.export.powerpoint.geometry import POINTS_PER_PIXEL, emu
from pages.export.powerpoint.words import mark_language
from pages.figures.figure import Chart, Series, Style
from pages.figures.slide import Room


def add_chart(made: Any, chart: Chart, style: Style, room: Room) -> Any:
    """Add a chart to a slide and return its frame.

    Parameters
    ----------
    made : pptx.slide.Slide
        The slide.
    chart : Chart
        Bars over categories, or lines over numbers.
    style : Style
        Gives colours and sizes.
    room : tuple
        Left, top, width, height in pixels.
    """
    chart = _cleaned(chart)
    bars = chart.kind == "bar"
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED if bars else XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS
    data = _bar_data(chart) if bars else _line_data(chart)
    frame = made.shapes.add_chart(kind, *map(emu, room), data)
    drawn, layout = frame.chart, chart_layout.layout_of(chart, style, room)
    drawn.part.chart_workbook.update_from_xlsx_blob(workbook.workbook(chart))
    workbook.refer(drawn, chart)
    _set_text(drawn, chart, style, layout)
    _set_axes(drawn, chart, style, layout)
    (style_bars if bars else style_lines)(drawn.plots[0], chart, style, layout)
    chart_layout.place(drawn, layout)
    return frame


def _cleaned(chart: Chart) -> Chart:
    """Return the chart with texts that XML can hold."""
    series = _longest_first([replace(s, name=one_line(s.name)) for s in chart.series])
    x: Any = tuple(one_line(each) if isinstance(each, str) else each for each in chart.x)
    titles = (one_line(chart.x_title), one_line(chart.y_title))
    lines = tuple(replace(line, label=one_line(line.label)) for line in chart.references)
    return replace(
        chart, x_title=titles[0], y_title=titles[1], x=x, series=series, references=lines
    )


def _longest_first(series: list[Series]) -> tuple[Series, ...]:
    """Return the series in an order in which no program loses the first one for being short."""
    if all(each.x is None for each in series):
        return tuple(series)
    kinds = [index if each.kind is None else each.kind for index, each in enumerate(series)]
    kept = (replace(each, kind=kind) for each, kind in zip(series, kinds, strict=True))
    return tuple(sorted(kept, key=lambda each: -len(each.values)))


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
        for x, y in zip(series.x or chart.x, series.values, strict=True):
            line.add_data_point(x, y)
    for reference in chart.references:
        line = data.add_series(reference.label)
        for x, y in workbook.ends(chart, reference):
            line.add_data_point(x, y)
    return data


def _set_text(drawn: Any, chart: Chart, style: Style, layout: Layout) -> None:
    """Set the font of all texts, the legend, and no title: the slide has one."""
    drawn.has_title = False
    drawn.font.size = Pt(layout.sizes.label * POINTS_PER_PIXEL)
    drawn.font.color.rgb = rgb(style.colours.text)
    words = [chart.x_title, chart.y_title, *map(str, chart.x)]
    words += [series.name for series in chart.series]
    words += [reference.label for reference in chart.references]
    mark_language(drawn.font._element, "".join(words))
    drawn.has_legend = chart_layout.has_legend(chart)
    if drawn.has_legend:
        drawn.legend.position = XL_LEGEND_POSITION.TOP
        drawn.legend.include_in_layout = False
        named = chart_layout.named_series(chart)
        for place, series in enumerate(chart.series):
            if series not in named:
                _leave_out(drawn.legend, place)
        for place in range(len(workbook.drawn_references(chart))):
            _leave_out(drawn.legend, len(chart.series) + place)


def _leave_out(legend: Any, index: int) -> None:
    """Take a line out of the legend: a reference has its name at its end, a band in the note."""
    entry = (
        f'<c:legendEntry {nsdecls("c")}><c:idx val="{index}"/><c:delete val="1"/></c:legendEntry>'
    )
    follows = [each for each in legend._element if each.tag in (qn("c:layout"), qn("c:overlay"))]
    follows[0].addprevious(parse_xml(entry))


def _set_axes(drawn: Any, chart: Chart, style: Style, layout: Layout) -> None:
    values, base = drawn.value_axis, drawn.category_axis
    _set_range(values, *chart.y_range, chart.y_log)
    values.has_major_gridlines = True
    values.major_gridlines.format.line.color.rgb = rgb(style.colours.line)
    values.format.line.fill.background()  # as drawn: grid lines and no upright axis
    base.has_major_gridlines = False
    base.format.line.color.rgb = rgb(style.colours.muted)
    # Numbers stand at the edges, also where an axis crosses the other in the middle.
    base.tick_label_position = values.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if chart.kind == "line":
        _set_range(base, *_ends_of([float(x) for x in chart.x], chart.x_log), chart.x_log)
    ink = style.colours.text if chart.kind == "bar" else style.colours.muted
    for axis, title, colour in (
        (base, chart.x_title, ink),
        (values, chart.y_title, style.colours.muted),
    ):
        axis.tick_labels.font.size = Pt(layout.sizes.tick * POINTS_PER_PIXEL)
        axis.tick_labels.font.color.rgb = rgb(colour)
        _set_axis_title(axis, title, style, layout)
    if values.has_title:  # upright letters above the axis, as drawn
        values.axis_title.text_frame._txBody.bodyPr.set("rot", "0")
        values.axis_title.text_frame._txBody.bodyPr.set("vert", "horz")


def _ends_of(numbers: Sequence[float], is_log: bool) -> tuple[float, float]:
    """Return the ends of an axis; a single place stands in the middle of one, as it is drawn."""
    least, most = min(numbers), max(numbers)
    if least < most:
        return least, most
    return (least / 2, most * 2) if is_log else (least - 0.5, most + 0.5)


def _set_range(axis: Any, least: float, most: float, is_log: bool) -> None:
    """Give a number axis its ends, and the ticks and decimals that the drawn figure has."""
    axis.minimum_scale, axis.maximum_scale = least, most
    if is_log:
        _make_logarithmic(axis, least, most)
        return
    ticks = chart_layout.ticks_of(least, most)
    first, second, *_ = ticks.values
    axis.major_unit = second - first
    fractions = {label.partition(".")[2] for label in ticks.labels}
    if all(each.isdigit() for each in fractions):
        digits = "0." + "0" * max(map(len, fractions))
        axis.tick_labels.number_format = f"{digits};−{digits}"
        axis.tick_labels.number_format_is_linked = False


def _make_logarithmic(axis: Any, least: float, most: float) -> None:
    """Give an axis powers of two between powers of two, else of ten; the base must come first."""
    base = "2" if all(math.log2(end).is_integer() for end in (least, most)) else "10"
    scaling = axis._element.find(qn("c:scaling"))
    scaling.insert(0, scaling.makeelement(qn("c:logBase"), {"val": base}))
    # Some programs drop a marker at the very end, whose logarithm they round.
    axis.maximum_scale = most * (1 + 1e-9)
    if least < 1:  # where they would write the power 0.1 as 0.0999999999
        decimals = "#" * math.ceil(-math.log10(least))
        axis.tick_labels.number_format = f"[<1]0.{decimals};General"
        axis.tick_labels.number_format_is_linked = False


def _set_axis_title(axis: Any, title: str, style: Style, layout: Layout) -> None:
    axis.has_title = bool(title)
    if not title:
        return
    axis.axis_title.text_frame.text = title
    font = axis.axis_title.text_frame.paragraphs[0].runs[0].font
    font.size, font.bold = Pt(layout.sizes.title * POINTS_PER_PIXEL), False
    font.color.rgb = rgb(style.colours.muted)
    mark_language(font._element, title)

"""How the series of a native chart look: as the drawn bars and lines, in fill, dash and marker."""

from __future__ import annotations

import math
from typing import Any

from pptx.enum.chart import XL_MARKER_STYLE
from pptx.enum.dml import MSO_LINE_DASH_STYLE, MSO_PATTERN_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Pt

from pages.export.powerpoint.chart_layout import Layout, Mark
from pages.export.powerpoint.colours import rgb
from pages.export.powerpoint.geometry import POINTS_PER_PIXEL
from pages.figures.bar_style import OUTLINE, bar_look
from pages.figures.figure import Chart, Series, Style
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.panel import REFERENCE_DASH, REFERENCE_WIDTH
from pages.figures.plot_bars import BAR_GAP, bar_width
from pages.figures.series import marker_of

# Dashes that every program has, in lengths of line and gap as the format defines them. A dash of
# our own would be the drawn one exactly, but Keynote and others show it as a solid line.
_PRESETS = {
    (): MSO_LINE_DASH_STYLE.SOLID,
    (1.0, 1.0): MSO_LINE_DASH_STYLE.ROUND_DOT,
    (3.0, 1.0): MSO_LINE_DASH_STYLE.SQUARE_DOT,
    (4.0, 3.0): MSO_LINE_DASH_STYLE.DASH,
    (8.0, 3.0): MSO_LINE_DASH_STYLE.LONG_DASH,
    (4.0, 3.0, 1.0, 3.0): MSO_LINE_DASH_STYLE.DASH_DOT,
    (8.0, 3.0, 1.0, 3.0): MSO_LINE_DASH_STYLE.LONG_DASH_DOT,
}
_MARKERS = {
    "circle": XL_MARKER_STYLE.CIRCLE,
    "square": XL_MARKER_STYLE.SQUARE,
    "triangle": XL_MARKER_STYLE.TRIANGLE,
}
EDGE_WIDTH = 1.0  # pixels, of the lines around a band
_WIDEST_GAP = 500  # percent: more than this the format does not take


def style_bars(plot: Any, chart: Chart, style: Style, layout: Layout) -> None:
    """Fill and outline the bars, set their width, and write their values where they are drawn."""
    slot, count = layout.plot[2] / len(chart.x), len(chart.series)
    width = bar_width(slot, count, style.size if style.size != "screen" else "slide")
    plot.gap_width = min(round((slot / width - count) * 100), _WIDEST_GAP)
    plot.overlap = -round(2 * BAR_GAP / width * 100)
    labelled = _labels_fit(chart, layout, width)
    for index, (drawn, series) in enumerate(zip(plot.series, chart.series, strict=True)):
        _fill(drawn, index, series, style)
        if labelled:
            _label(drawn, chart, style, layout)


def _fill(drawn: Any, index: int, series: Series, style: Style) -> None:
    look, fill, line = bar_look(index, series.colour, style.colours), drawn.format.fill, None
    if look.hatch:
        fill.patterned()
        fill.pattern = MSO_PATTERN_TYPE.WIDE_UPWARD_DIAGONAL
        fill.fore_color.rgb, fill.back_color.rgb = rgb(look.hatch), rgb(look.fill)
    else:
        fill.solid()
        fill.fore_color.rgb = rgb(look.fill)
    line = drawn.format.line
    if look.outline == "transparent":
        line.fill.background()
    else:
        line.color.rgb, line.width = rgb(look.outline), Pt(OUTLINE * POINTS_PER_PIXEL)
    drawn.invert_if_negative = False


def _labels_fit(chart: Chart, layout: Layout, width: float) -> bool:
    """Return whether every value that is drawn on its bar fits above it here too."""
    if chart.decimals is None:
        return False
    shown = [
        number(value, chart.decimals)
        for series in chart.series
        for group, value in enumerate(series.values)
        if group not in chart.hidden
    ]
    return all(text_width(text, layout.sizes.tick) <= width for text in shown)


def _label(drawn: Any, chart: Chart, style: Style, layout: Layout) -> None:
    labels = drawn.data_labels
    labels.show_value = True
    digits = "0." + "0" * chart.decimals if chart.decimals else "0"
    labels.number_format, labels.number_format_is_linked = f"{digits};−{digits}", False
    labels.font.size = Pt(layout.sizes.tick * POINTS_PER_PIXEL)
    labels.font.color.rgb = rgb(style.colours.text)
    for place, group in enumerate(sorted(chart.hidden)):
        hidden = f'<c:dLbl {nsdecls("c")}><c:idx val="{group}"/><c:delete val="1"/></c:dLbl>'
        labels._element.insert(place, parse_xml(hidden))


def style_lines(plot: Any, chart: Chart, style: Style, layout: Layout) -> None:
    """Set colour, width and dashes of the lines, their markers, and the reference lines."""
    every = list(plot.series)
    for index, (drawn, series) in enumerate(zip(every, chart.series, strict=False)):
        drawn.smooth = False
        kind = index if series.kind is None else series.kind
        if series.look == "edge":
            _stroke(drawn.format.line, series.colour, EDGE_WIDTH, preset(()))
            continue
        width = layout.sizes.line * series.thickness
        _stroke(drawn.format.line, series.colour, width, preset(series.dash(kind)))
        if series.look == "dots":
            drawn.format.line.fill.background()
            _set_marker(drawn.marker, kind, series, style, layout)
            continue
        _mark(drawn, kind, chart, series, style, layout)
    for drawn, mark in zip(every[len(chart.series) :], layout.marks, strict=True):
        dash = preset(REFERENCE_DASH)
        _stroke(drawn.format.line, style.colours.muted, REFERENCE_WIDTH, dash)
        drawn.smooth = False
        _name(drawn, mark, style, layout)


def preset(dash: tuple[float, ...]) -> MSO_LINE_DASH_STYLE:
    """Return the dash of the format that is nearest to a drawn one, in units of its width."""
    alike = [known for known in _PRESETS if len(known) == len(dash)]
    return _PRESETS[min(alike, key=lambda known: math.dist(known, dash))]


def _stroke(line: Any, colour: str, width: float, dash: MSO_LINE_DASH_STYLE) -> None:
    line.color.rgb, line.width = rgb(colour), Pt(width * POINTS_PER_PIXEL)
    line.dash_style = dash


def _mark(
    drawn: Any, index: int, chart: Chart, series: Series, style: Style, layout: Layout
) -> None:
    """Put a marker on the points that the drawn line carries one on."""
    places = series.x or chart.x
    single = len(places) == 1
    for place, x in enumerate(places):
        if not single and x not in chart.dots:
            continue
        point = drawn.points[place]
        _set_marker(point.marker, index, series, style, layout)
        # Without it, the piece of the line before the point would take a colour of its own.
        width = layout.sizes.line * series.thickness
        _stroke(point.format.line, series.colour, width, preset(series.dash(index)))


def _set_marker(marker: Any, kind: int, series: Series, style: Style, layout: Layout) -> None:
    marker.style = _MARKERS[marker_of(kind)]
    marker.size = round(2 * layout.sizes.marker * POINTS_PER_PIXEL)
    marker.format.fill.solid()
    marker.format.fill.fore_color.rgb = rgb(series.colour)
    _outline(marker.format.line, style)


def _outline(line: Any, style: Style) -> None:
    line.color.rgb, line.width = rgb(style.colours.background), Pt(POINTS_PER_PIXEL)


def _name(drawn: Any, mark: Mark, style: Style, layout: Layout) -> None:
    """Write the name of a reference line above its end, as it is drawn."""
    size = round(layout.sizes.label * POINTS_PER_PIXEL * 100)
    colour = style.colours.text.removeprefix("#")
    shown = "".join(
        f'<c:show{what} val="{int(what == "SerName")}"/>'
        for what in ("LegendKey", "Val", "CatName", "SerName", "Percent", "BubbleSize")
    )
    labels = parse_xml(
        f'<c:dLbls {nsdecls("c", "a")}><c:dLbl><c:idx val="1"/><c:layout><c:manualLayout>'
        f'<c:x val="{mark.right:.5f}"/><c:y val="{mark.down:.5f}"/></c:manualLayout></c:layout>'
        f'<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:txPr><a:bodyPr wrap="none"/>'
        f'<a:lstStyle/><a:p><a:pPr><a:defRPr sz="{size}"><a:solidFill><a:srgbClr val="{colour}"/>'
        f"</a:solidFill></a:defRPr></a:pPr><a:endParaRPr/></a:p></c:txPr>"
        f'<c:dLblPos val="t"/>{shown}</c:dLbl>{shown.replace("1", "0")}</c:dLbls>'
    )
    drawn._element.insert_element_before(labels, "c:trendline", "c:errBars", "c:xVal", "c:yVal")

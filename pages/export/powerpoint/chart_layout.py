"""Where plot, legend, titles and labels of a native chart lie, as on the drawn figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pages.export.powerpoint.workbook import drawn_references, ends
from pages.figures.figure import Chart, Reference, Series, Style
from pages.figures.measure import text_width
from pages.figures.panel import Sizes, sizes_of
from pages.figures.slide import Room
from pages.figures.ticks import Scale, Ticks, linear_ticks

_MOST_TICKS = 7


@dataclass(frozen=True)
class Mark:
    """Where the label of a reference line is moved to, in shares of the chart."""

    right: float
    down: float


@dataclass(frozen=True)
class Layout:
    """The places of one chart, in pixels from its upper left corner, and its fonts.

    Parameters
    ----------
    width, height : float
        Of the whole chart.
    plot : tuple
        Left, top, width, height of the plot inside its axes.
    title_top : float
        Where the title of the y axis begins; the legend is above it.
    marks : tuple of Mark
        One for the label of every reference line.
    sizes : Sizes
        Fonts and strokes of the drawn figure.
    """

    width: float
    height: float
    plot: Room
    title_top: float
    marks: tuple[Mark, ...]
    sizes: Sizes


def layout_of(chart: Chart, style: Style, room: Room) -> Layout:
    """Return where everything lies in a chart that fills ``room``."""
    sizes, (_, _, width, height) = chart_sizes(style), room
    left, right = _gutter(chart, sizes), width - 1.2 * sizes.tick
    title_top = _legend_rows(chart, sizes, width) * sizes.label * 1.7
    lift = 1.5 * sizes.tick if chart.decimals is not None else 0.6 * sizes.tick
    rows, moved = _label_rows(chart, sizes, left, right)
    top = title_top + 1.5 * sizes.title + max(lift, rows * sizes.row)
    bottom = height - 1.9 * sizes.tick - 1.7 * sizes.title
    marks = tuple(Mark(aside / width, -row * sizes.row / height) for row, aside in moved)
    return Layout(width, height, (left, top, right - left, bottom - top), title_top, marks, sizes)


def chart_sizes(style: Style) -> Sizes:
    """Return fonts and strokes; a figure of the screen is as large as a slide on a slide."""
    return sizes_of(replace(style, size="slide") if style.size == "screen" else style)


def ticks_of(least: float, most: float) -> Ticks:
    """Return the ticks of an even axis."""
    return linear_ticks(least, most, _MOST_TICKS)


def has_legend(chart: Chart) -> bool:
    """Return whether the series need their names: a line always, bars where there are several."""
    return len(named_series(chart)) > (0 if chart.kind == "line" else 1)


def named_series(chart: Chart) -> list[Series]:
    """Return the series that a legend names: no edge of a band, and a broken line once."""
    return [series for series in chart.series if series.look not in ("edge", "rest")]


def place(drawn: Any, layout: Layout) -> None:
    """Put the plot, the legend and the title of the y axis of a drawn chart into their places."""
    left, top, width, height = layout.plot
    across, down = layout.width, layout.height
    plot = _manual((left / across, top / down, width / across, height / down), inner=True)
    area = drawn._chartSpace.find(f".//{qn('c:plotArea')}")
    _replace_layout(area, plot, 0)
    if drawn.has_legend:
        _replace_layout(drawn.legend._element, _manual((0.0, 0.0)), None)
    title = drawn.value_axis._element.find(qn("c:title"))
    if title is not None:
        _replace_layout(title, _manual((0.0, layout.title_top / down)), None)


def _gutter(chart: Chart, sizes: Sizes) -> float:
    """Return the room for the numbers of the y axis."""
    low, high = chart.y_range
    labels = (f"{high:.0f}", f"{low:g}") if chart.y_log else ticks_of(low, high).labels
    return max(text_width(label, sizes.tick) for label in labels) + sizes.tick


def _legend_rows(chart: Chart, sizes: Sizes, width: float) -> int:
    """Return the lines of the legend, whose names stand in columns as wide as the longest."""
    if not has_legend(chart):
        return 0
    names = [text_width(series.name, sizes.label) for series in named_series(chart)]
    columns = max(1, int(width // (max(names) + 4.2 * sizes.label)))
    return -(-len(names) // columns)


def _label_rows(
    chart: Chart, sizes: Sizes, left: float, right: float
) -> tuple[int, list[tuple[int, float]]]:
    """Return the rows that the labels of references take, and for each its row and shift in pixels.

    A label stands above the end of its line, moved inside the chart where it would leave it, and
    one row higher where another label of that row is in its way.
    """
    taken: list[float] = []
    moved = []
    for reference in drawn_references(chart):
        width = text_width(reference.label, sizes.label) + sizes.label
        end = _end(chart, reference, left, right)
        middle = min(max(end, left + width / 2), right - width / 2)
        free = (row for row, until in enumerate(taken) if until <= middle - width / 2)
        row = 0 if reference.axis == "y" else next(free, len(taken))
        if reference.axis == "x":
            taken[row : row + 1] = [middle + width / 2]
        moved.append((row, middle - end))
    return len(taken), moved


def _end(chart: Chart, reference: Reference, left: float, right: float) -> float:
    numbers = [float(x) for x in chart.x]
    name = "log10" if chart.x_log else "linear"
    least, most = min(numbers), max(numbers)
    if least == most:
        return (left + right) / 2
    at = ends(chart, reference)[-1][0]
    return Scale(least, most, left, right, name).at(at)  # type: ignore[arg-type]


def _manual(place: tuple[float, ...], *, inner: bool = False) -> str:
    """Return a layout in shares of the chart: left and top, and width and height or none."""
    target = '<c:layoutTarget val="inner"/>' if inner else ""
    sides = "".join(
        f'<c:{name} val="{value:.5f}"/>' for name, value in zip("xywh", place, strict=False)
    )
    inside = f'{target}<c:xMode val="edge"/><c:yMode val="edge"/>{sides}'
    return f"<c:layout {nsdecls('c')}><c:manualLayout>{inside}</c:manualLayout></c:layout>"


def _replace_layout(parent: Any, layout: str, index: int | None) -> None:
    """Set the layout of an element; python-pptx has left an empty one, or ``index`` says where."""
    element, found = parse_xml(layout), parent.find(qn("c:layout"))
    if found is not None:
        parent.replace(found, element)
    elif index is not None:
        parent.insert(index, element)
    else:
        parent.find(qn("c:overlay")).addprevious(element)

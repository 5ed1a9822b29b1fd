"""What the pointer says over a line plot: every value at the place nearest to it.

Over a histogram, it is what holds between two edges of bins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from pages.figures.annotate import Span
from pages.figures.figure import Series, Style
from pages.figures.numerals import MINUS, number
from pages.figures.panel import Panel
from pages.figures.plot_model import Lines
from pages.figures.ticks import Scale
from pages.text import translator
from pages.text.digits import digits

_LARGE = 1e6  # from here on a place is written in powers of ten
_TIP_WIDTH = 5.0  # pixels: the narrowest stretch of x that has a tip of its own
_BIN_WIDTH = 3.0  # pixels: the same of a histogram, whose bins must not take from each other


def draw_tips(panel: Panel, across: Scale, lines: Lines) -> None:
    """Lay unseen stretches over the plot: the pointer says every value at the x nearest to it."""
    edges = _edges(lines)
    for x, span in _between_edges(edges, across) if edges else _around_places(panel, across, lines):
        values = _values_at(lines, x)
        if values:
            place = (span.left, panel.top, span.right - span.left, panel.bottom - panel.top)
            tip = _tip(lines, x, values, panel.style, stepped=bool(edges))
            panel.canvas.cell(place, "transparent", tip, None)


def _edges(lines: Lines) -> list[float]:
    """Return the edges of all bins, rising, where the first line of a plot is a histogram's."""
    if not lines.series or not _is_stepped(lines.series[0]):
        return []
    return sorted({x for each in lines.series if _is_stepped(each) for x in each.x or ()})


def _is_stepped(each: Series) -> bool:
    """Return whether a line is the outline of a histogram: up or down at each edge, else level."""
    return (
        each.x is not None
        and each.look == "area"
        and each.x[::2] == each.x[1::2]
        and each.values[1:-1:2] == each.values[2:-1:2]
    )


def _between_edges(edges: Sequence[float], across: Scale) -> list[tuple[float, Span]]:
    """Return the stretches between edges, each with its middle; narrow ones are put together."""
    kept = [edges[0]]
    for edge in edges[1:]:
        if across.at(edge) - across.at(kept[-1]) >= _BIN_WIDTH:
            kept.append(edge)
    return [((low + high) / 2, Span(across.at(low), across.at(high)))
            for low, high in pairwise(kept)]  # fmt: skip


def _around_places(panel: Panel, across: Scale, lines: Lines) -> list[tuple[float, Span]]:
    places = [across.at(x) for x in lines.x]
    return [(lines.x[index], span)
            for index, span in _stretches(places, panel.left, panel.right)]  # fmt: skip


def _stretches(places: Sequence[float], left: float, right: float) -> list[tuple[int, Span]]:
    """Return the stretch around each place, leaving out places that stand too close together."""
    kept = [0]
    for index in range(1, len(places)):
        if places[index] - places[kept[-1]] >= _TIP_WIDTH:
            kept.append(index)
    middles = [(places[a] + places[b]) / 2 for a, b in pairwise(kept)]
    edges = [left, *middles, right]
    return [(index, Span(edges[i], edges[i + 1])) for i, index in enumerate(kept)]


def _values_at(lines: Lines, x: float) -> list[tuple[str, float]]:
    """Return the name and the height of every line that runs at a place."""
    found = ((each.name, _value_at(lines, each, x)) for each in lines.series)
    return [(name, value) for name, value in found if value is not None]


def _tip(
    lines: Lines, x: float, shown: Sequence[tuple[str, float]], style: Style, *, stepped: bool
) -> str:
    t = translator(style.language)
    values = t.clauses(
        t("{name}: {value}", name=name, value=_written(value, lines, style, stepped))
        for name, value in shown
    )
    place = _place(x, style)
    return t("{title} {value} · {values}", title=lines.x_axis.title, value=place, values=values)


def _written(value: float, lines: Lines, style: Style, stepped: bool) -> str:
    """Return a height; of a histogram in as many digits as decimals, so that counts are whole."""
    if lines.y_axis.written:
        return lines.y_axis.written(value)
    return digits(value, max(1, style.decimals)) if stepped else number(value, style.decimals)


def _place(x: float, style: Style) -> str:
    """Return a place along x: in full where it is whole, else in as many digits as decimals."""
    if abs(x) >= _LARGE:
        return number(x, style.decimals)
    if x == round(x):
        text = f"{x:,.0f}"
    else:
        text = f"{x:,.1f}" if abs(x) >= 1000 else digits(x, max(1, style.decimals))
    return text.replace("-", MINUS)


def _value_at(lines: Lines, each: Series, x: float) -> float | None:
    """Return the height of a line at a place; None where it does not run."""
    for piece in each.pieces(lines.x):
        places = [place for place, _ in piece]
        if places[0] <= x <= places[-1] and (each.look != "dots" or x in places):
            return _between(piece, max(1, bisect_left(places, x)), x)
    return None


def _between(piece: list[tuple[float, float]], after: int, x: float) -> float:
    """Return the height at ``x`` on the stretch that ends at the point ``after``."""
    if len(piece) == 1:
        return piece[0][1]
    (left, low), (right, high) = piece[after - 1], piece[after]
    return high if x == right else low + (high - low) * (x - left) / (right - left)

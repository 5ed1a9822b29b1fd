"""What the pointer says over a line plot: every value at the place nearest to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from pages.figures.annotate import Span
from pages.figures.figure import Series, Style
from pages.figures.numerals import number
from pages.figures.panel import Panel
from pages.figures.plot_model import Lines
from pages.figures.ticks import Scale
from pages.text import translator

_LARGE = 1e6  # from here on a place is written in powers of ten
_TIP_WIDTH = 5.0  # pixels: the narrowest stretch of x that has a tip of its own


def draw_tips(panel: Panel, across: Scale, lines: Lines) -> None:
    """Lay unseen stretches over the plot: the pointer says every value at the x nearest to it."""
    for index, span in _stretches([across.at(x) for x in lines.x], panel.left, panel.right):
        place = (span.left, panel.top, span.right - span.left, panel.bottom - panel.top)
        panel.canvas.cell(place, "transparent", _tip(lines, index, panel.style), None)


def _stretches(places: Sequence[float], left: float, right: float) -> list[tuple[int, Span]]:
    """Return the stretch around each place, leaving out places that stand too close together."""
    kept = [0]
    for index in range(1, len(places)):
        if places[index] - places[kept[-1]] >= _TIP_WIDTH:
            kept.append(index)
    middles = [(places[a] + places[b]) / 2 for a, b in pairwise(kept)]
    edges = [left, *middles, right]
    return [(index, Span(edges[i], edges[i + 1])) for i, index in enumerate(kept)]


def _tip(lines: Lines, index: int, style: Style) -> str:
    t = translator(style.language)
    shown = ((each.name, _value_at(lines, each, index)) for each in lines.series)
    values = t.clauses(
        t("{name}: {value}", name=name, value=_written(value, lines, style))
        for name, value in shown
        if value is not None
    )
    x = _place(lines.x[index], style)
    return t("{title} {value} · {values}", title=lines.x_axis.title, value=x, values=values)


def _written(value: float, lines: Lines, style: Style) -> str:
    written = lines.y_axis.written
    return written(value) if written else number(value, style.decimals)


def _place(x: float, style: Style) -> str:
    """Return a place along x: in full where it is whole, else in as many digits as decimals."""
    if x == round(x) and abs(x) < _LARGE:
        return f"{x:,.0f}"
    return f"{x:,.1f}" if 1000 <= abs(x) < _LARGE else f"{x:.{style.decimals}g}"


def _value_at(lines: Lines, each: Series, index: int) -> float | None:
    """Return the height of a line at a place of its plot; None where it does not run."""
    if each.x is None:
        return each.values[index]
    x = lines.x[index]
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

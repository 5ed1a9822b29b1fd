"""Line plots and grouped bars, with everything placed by hand so that nothing clips or overlaps.

Each function gives a finished `Figure` with its data as an editable chart. Lines carry their names
at their ends where there is room for them, bars in a legend above.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pages.figures.errors import FigureError
from pages.figures.figure import Band, Chart, Crosses, Figure, Reference, Series, Style, Table
from pages.figures.panel import Axis, Screen, Words
from pages.figures.plot_bars import Bars, bar_decimals, draw_bars
from pages.figures.plot_lines import draw_lines
from pages.figures.plot_model import Lines
from pages.figures.series import MOST_SERIES
from pages.figures.ticks import linear_ticks, require_positive, require_range
from pages.text import translator

__all__ = ["Axis", "Band", "Crosses", "Reference", "Screen", "Words", "bar_figure", "line_figure"]

SCREEN = Screen()


def line_figure(
    x: Sequence[float],
    series: Sequence[Series],
    style: Style,
    words: Words,
    *,
    x_axis: Axis,
    y_axis: Axis,
    table: Table,
    references: tuple[Reference, ...] = (),
    dots: Sequence[float] = (),
    bands: Sequence[Band] = (),
    crosses: Sequence[Crosses] = (),
    symbols: bool = False,
    legend: bool = False,
    screen: Screen = SCREEN,
) -> Figure:
    """Draw one line for each series over a number axis.

    Parameters
    ----------
    x : sequence of float
        Rising; each series has one finite value for each, or places of its own.
    series : sequence of Series
        1 to 12; none where there are crosses and the y axis has ends.
    style : Style
        Theme, language, size; decimals of the values under the pointer.
    words : Words
        Name, title, note, alt text and role.
    x_axis, y_axis : Axis
        Titles, scales, and ends where they are not the data's.
    table : Table
        The numbers, for CSV.
    references : tuple of Reference
        Named dashed lines at values of x or of y.
    dots : sequence of float
        Values of ``x`` at which every line carries its marker.
    bands : sequence of Band
        Filled areas behind the lines, cut off where they leave the axis; an editable chart has
        their edges as thin lines, where they are few.
    crosses : sequence of Crosses
        Marks in rows above the plot, one row each; a legend names them, and the note must, since
        an editable chart leaves them out.
    symbols : bool
        Whether ``√d_k`` in the name of a series is a symbol; it never is in a reader's own name.
    legend : bool
        Whether names stand in a legend even where there is room at the ends of the lines: where all
        lines end in one point, nothing tells which name is whose.
    screen : Screen
        Width and height at screen size.

    Raises
    ------
    FigureError
        When a series is empty, has another length than x, or holds a value that is not finite or
        that its axis cannot show; when there is no series or more than 12.
    """
    if series or not crosses:
        _require_series(series, len(x))
    _require_finite(x, x_axis.title)
    if any(after <= before for before, after in pairwise(x)):
        raise FigureError("The values of x must rise from one to the next.")
    own = [each.x or () for each in series] + [each.x or () for each in bands]
    places = [place for some in (*own, *(each.at for each in crosses)) for place in some]
    values = [value for each in series for value in each.values] + _ends_of(bands, y_axis)
    marked = {"x": _references(references, "x"), "y": _references(references, "y")}
    x_range = _range(x_axis, [*x, *places, *marked["x"]], fits=True)
    y_range = _range(y_axis, [*values, *marked["y"]])
    lines = Lines(tuple(x), tuple(series), x_axis, y_axis, x_range, y_range, references,
                  tuple(dots), tuple(bands), tuple(crosses), symbols, legend)  # fmt: skip
    spec = draw_lines(lines, style, words, screen)
    chart = _line_chart(lines) if series else None
    return Figure(words.name, words.title, spec, table, words.note, words.alt, chart)


def _line_chart(lines: Lines) -> Chart:
    series = lines.whole()
    every = (*series, *lines.edges())
    return Chart(
        "line", lines.x_axis.title, lines.y_axis.title, lines.x,
        every if len(every) <= MOST_SERIES else series, lines.y_range,
        x_log=lines.x_axis.scale != "linear", y_log=lines.y_axis.scale != "linear",
        references=lines.references, dots=lines.dots,
    )  # fmt: skip


def _ends_of(bands: Sequence[Band], axis: Axis) -> list[float]:
    """Return what an axis holds of the bands: they are cut off at ends that are given."""
    found = [value for band in bands for edge in (band.low, band.high) for value in edge]
    least = -math.inf if axis.least is None else axis.least
    most = math.inf if axis.most is None else axis.most
    shown = (min(max(value, least), most) for value in found)
    return [value for value in shown if axis.scale == "linear" or value > 0]


def bar_figure(
    groups: Sequence[str],
    series: Sequence[Series],
    style: Style,
    words: Words,
    *,
    x_title: str,
    y_axis: Axis,
    table: Table,
    hidden: frozenset[int] = frozenset(),
    hidden_word: str = "",
    references: tuple[Reference, ...] = (),
    screen: Screen = SCREEN,
    measured: bool = False,
) -> Figure:
    """Draw groups of bars, one bar in each group for each series.

    Parameters
    ----------
    groups : sequence of str
        Names of the groups; one that is too long for its place ends in an ellipsis.
    series : sequence of Series
        1 to 12, each with one finite value a group.
    style, words, table, screen
        As for `line_figure`. Values stand on the bars where they fit, with up to the style's
        decimals and no fewer than 2.
    x_title : str
        What the groups are.
    y_axis : Axis
        Linear; it always holds 0, on which the bars stand.
    hidden : frozenset of int
        Groups that a mask hides: hatched instead of filled with bars.
    hidden_word : str
        What the pointer says over them.
    references : tuple of Reference
        Of the y axis only.
    measured : bool
        Whether values are written as `measured_number` writes them, which tells an exact 0 from a
        very small number.

    Raises
    ------
    FigureError
        As `line_figure` does; and for a logarithmic axis, on which a bar has no foot.
    """
    _require_series(series, len(groups))
    if y_axis.scale != "linear":
        raise FigureError("Bars need a linear axis, got {scale}.", scale=y_axis.scale)
    values = [value for each in series for value in each.values]
    y_range = _range(y_axis, [0.0, *values, *_references(references, "y")])
    bars = Bars(tuple(groups), tuple(series), x_title, y_axis.title, y_range, hidden, hidden_word,
                references, measured)  # fmt: skip
    drawn = bar_decimals(bars, style, screen)
    if drawn is not None and drawn < style.decimals:
        t = translator(style.language)
        fewer = t("Numbers are drawn with fewer decimals ({decimals}) to fit.", decimals=drawn)
        words = replace(words, note=t.sentences(words.note, fewer))
    spec = draw_bars(bars, style, words, screen)
    chart = Chart(
        "bar", x_title, y_axis.title, tuple(groups), tuple(series), y_range,
        hidden=tuple(sorted(hidden)), decimals=drawn,
    )  # fmt: skip
    return Figure(words.name, words.title, spec, table, words.note, words.alt, chart)


def _references(references: tuple[Reference, ...], axis: str) -> list[float]:
    return [reference.at for reference in references if reference.axis == axis]


def _require_series(series: Sequence[Series], length: int) -> None:
    if not 1 <= len(series) <= MOST_SERIES:
        raise FigureError(
            "A plot shows 1 to {most} series, got {count}.", most=MOST_SERIES, count=len(series)
        )
    if not length:
        raise FigureError("A plot needs at least one value in each series.")
    for each in series:
        wanted = length if each.x is None else len(each.x)
        if len(each.values) != wanted or not wanted:
            raise FigureError(
                "The series {name} must have {length} values, got {count}.",
                name=each.name,
                length=wanted or 1,
                count=len(each.values),
            )
        _require_finite(each.values, each.name)
        _require_finite(each.x or (), each.name)
        if any(after < before for before, after in pairwise(each.x or ())):
            raise FigureError("The values of x must rise from one to the next.")


def _require_finite(values: Sequence[float], name: str) -> None:
    wrong = [index for index, value in enumerate(values) if not math.isfinite(value)]
    if wrong:
        raise FigureError(
            "A plot shows finite numbers, got {value} in {name} at place {place}.",
            value=values[wrong[0]],
            name=name,
            place=wrong[0] + 1,
        )


def _range(axis: Axis, values: Sequence[float], *, fits: bool = False) -> tuple[float, float]:
    """Return the ends of an axis: as given, else round numbers around the data (or just these).

    Raises
    ------
    FigureError
        When a value lies outside the given ends, or a logarithmic axis meets 0 or less.
    """
    if axis.scale != "linear":
        require_positive(tuple(values))
    # Nothing to show, as where all that was measured is a cross, leaves the ends that are given.
    low, high = (min(values), max(values)) if values else (axis.least or 0.0, axis.most or 1.0)
    given = (axis.least, axis.most)
    if any(end is not None and not math.isfinite(end) for end in given):
        require_range(*(0.0 if end is None else end for end in given))
    least = _round_end(axis, low, high, -1, fits) if axis.least is None else axis.least
    most = _round_end(axis, low, high, 1, fits) if axis.most is None else axis.most
    require_range(least, most)
    if low < least or high > most:
        raise FigureError(
            "The axis {title} runs from {least} to {most} and cannot show {value}.",
            title=axis.title,
            least=least,
            most=most,
            value=low if low < least else high,
        )
    return least, most


def _round_end(axis: Axis, low: float, high: float, side: int, fits: bool) -> float:
    """Return the end of an axis below (-1) or above (+1) the data."""
    end = low if side < 0 else high
    if low == high:
        return _apart(end, side, axis)
    if fits:
        return end
    if axis.scale != "linear":
        base = 10.0 if axis.scale == "log10" else 2.0
        exponent = math.log(end) / math.log(base)
        rounded = math.floor(exponent + 1e-9) if side < 0 else math.ceil(exponent - 1e-9)
        return min(base**rounded, end) if side < 0 else max(base**rounded, end)
    step = float(_step(low, high))
    rounded_end = (math.floor(end / step) if side < 0 else math.ceil(end / step)) * step
    return min(rounded_end, end) if side < 0 else max(rounded_end, end)


def _apart(value: float, side: int, axis: Axis) -> float:
    """Return an end that keeps a single value off the edge."""
    if axis.scale != "linear":
        return value * 2.0**side
    if value == 0:
        return float(side > 0)
    return value + side * abs(value) / 2


def _step(low: float, high: float) -> float:
    first, second, *_ = linear_ticks(low, high, 6).values
    return second - first

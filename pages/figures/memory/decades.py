"""A line plot as an editable chart with round axes: an office program writes plain numbers only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from pages.figures.figure import Chart, Reference, Series

_APART_ACROSS = 0.13  # of the width, between two upright lines that are named
_APART_UP = 0.07  # of the height, between two budgets that are named


def in_decades(chart: Chart, unit: float, y_title: str, *, beyond: bool = False) -> Chart:
    """Return a chart whose axes run between powers of ten, its heights in multiples of a unit.

    Parameters
    ----------
    chart : Chart
        With logarithmic axes. Points left of the first power of ten are left out, unless a
        reference stands there; references come most important first, and one whose label would
        be on that of an earlier one is left out.
    unit : float
        By which heights are divided.
    y_title : str
        Names the unit.
    beyond : bool
        Whether the lines end before the axis does, so that labels of levels are not on them.
    """
    x = [float(each) for each in chart.x]
    upright = [line for line in chart.references if line.axis == "x"]
    first = min([10.0 ** math.ceil(math.log10(x[0])), *(line.at for line in upright)])
    last = math.floor(math.log10(x[-1])) + 1 if beyond else math.ceil(math.log10(x[-1]))
    ends = 10.0 ** math.floor(math.log10(first)), 10.0**last
    series = tuple(_cut(each, x, ends[0], unit) for each in chart.series)
    levels = [replace(line, at=line.at / unit) for line in chart.references if line.axis == "y"]
    heights = [value for each in series for value in each.values] + [line.at for line in levels]
    y_range = _around(heights)
    named = [*_apart(upright, ends, _APART_ACROSS), *_apart(levels, y_range, _APART_UP)]
    return replace(chart, x=ends, series=series, y_title=y_title, y_range=y_range,
                   references=tuple(named))  # fmt: skip


def _cut(each: Series, x: Sequence[float], first: float, unit: float) -> Series:
    points = [(T, value / unit) for T, value in zip(x, each.values, strict=True) if first <= T]
    places, values = zip(*points, strict=True)
    return replace(each, x=places, values=values)


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return the powers of ten around numbers."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def _apart(lines: Sequence[Reference], ends: tuple[float, float], share: float) -> list[Reference]:
    """Return the references that keep a share of a logarithmic axis from all earlier ones."""
    kept: list[Reference] = []
    least = share * math.log(ends[1] / ends[0])
    for line in lines:
        if all(abs(math.log(line.at / other.at)) >= least for other in kept):
            kept.append(line)
    return kept

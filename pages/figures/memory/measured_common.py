"""What the figures of measurements share: series of ways, devices, refused points, axes of time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.experiments.memory.device import Machine
from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.measured import MeasuredResult
from engine.experiments.memory.needs import WAYS, Way
from engine.experiments.memory.point import Point
from pages.figures.figure import Chart, Crosses, Figure, Series, Style
from pages.figures.memory.common import method_colour
from pages.figures.palette import mix
from pages.figures.panel import Axis, Screen
from pages.text import Translator
from pages.text.memory_measured_words import (
    beside_words,
    cores_words,
    seconds_words,
    size_words,
    way_words,
)

MEASURED = Screen(424.0, 360.0)
_METHODS: dict[Way, str] = {"materialised": "materialised", "attend": "blocked"}
_KINDS: dict[Way, int] = {"materialised": 0, "attend": 1}
_PALE = 0.5  # of the background in the tone of a run that stands beside
_DASHES = ((0, 0.7), (1, None), (3, None), (2, None))  # of such runs: which dash, and which width
MOST_BESIDE = len(_DASHES)  # runs, whose lines and this one's are as many as a plot tells apart


def way_colour(way: Way, style: Style) -> str:
    """Return the colour of a way: of the formula, or of attention in blocks."""
    return method_colour(_METHODS[way], style)


def way_kind(way: Way) -> int:
    """Return which dash and marker a way takes."""
    return _KINDS[way]


def beside_series(
    result: MeasuredResult, quantity: str, style: Style, t: Translator
) -> list[Series]:
    """Return the lines of other machines: paler and thinner, each in a dash of its machine."""
    found = []
    named = zip(result.beside, beside_words(result, t, style.size), strict=True)
    for (kind, weight), (run, name) in zip(_DASHES, named, strict=False):
        for way in WAYS:
            points = run.of(way)
            if points:
                found.append(
                    Series(
                        t("{way}, {machine}", way=way_words(way, t), machine=name),
                        tuple(float(getattr(point, quantity)) for point in points),
                        mix(way_colour(way, style), style.colours.background, _PALE),
                        tuple(float(point.T) for point in points),
                        kind=kind,
                        weight=weight,
                    )
                )  # fmt: skip
    return found


def crosses_of(
    points: Iterable[Point], places: str, style: Style, t: Translator
) -> tuple[Crosses, ...]:
    """Return a row of crosses for each way that has refused points; a place is T or d_k."""
    refused = [point for point in points if point.refused]
    return tuple(
        Crosses(
            t("{way}: refused", way=way_words(way, t)),
            tuple(sorted(float(getattr(p, places)) for p in refused if p.way == way)),
            way_colour(way, style),
        )
        for way in WAYS
        if any(point.way == way for point in refused)
    )


def nothing_yet(style: Style, t: Translator) -> tuple[Crosses, ...]:
    """Return a legend that says that there is no point yet."""
    return (Crosses(t("no point is measured yet"), (), style.colours.muted),)


def lengths_axis(result: MeasuredResult, t: Translator) -> Axis:
    """Return the axis of T with a tick at every T, of the runs beside too; it stays while it grows.

    Measured lengths are mostly powers of two.
    """
    runs = (result, *result.beside[:MOST_BESIDE])
    every = tuple(sorted({T for run in runs for T in run.params.Ts}))
    least, most = ends_of(every)
    return Axis(t("number of tokens, T"), least, most, "log2", tuple(map(float, every)))


def ends_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a logarithmic axis, apart where there is one value."""
    least, most = float(min(values)), float(max(values))
    return (least, most) if least < most else (least / 2, 2 * least)


def time_axis(title: str, seconds: Sequence[float], t: Translator) -> Axis:
    """Return a logarithmic axis of durations between powers of ten, up to 1 s without any."""
    held = list(seconds) or [1e-3, 1.0]
    low, high = math.floor(math.log10(min(held))), math.ceil(math.log10(max(held)))
    return Axis(title, 10.0**low, 10.0 ** max(high, low + 1), "log10",
                written=lambda value: seconds_words(value, t))  # fmt: skip


def with_chart(figure: Figure, y_title: str, unit: float) -> Figure:
    """Return a figure whose editable chart counts in a unit, on axes between powers of ten."""
    if figure.chart is None:
        return figure
    chart = in_unit(figure.chart, y_title, unit)
    return replace(figure, chart=replace(chart, x=_powers([float(x) for x in chart.x])))


def in_unit(chart: Chart, y_title: str, unit: float) -> Chart:
    """Return a chart that counts in a unit, upwards between powers of ten."""
    series = tuple(replace(s, values=tuple(v / unit for v in s.values)) for s in chart.series)
    held = [value for each in series for value in each.values]
    return replace(chart, y_title=y_title, series=series, y_range=_powers(held))


def _powers(values: Sequence[float]) -> tuple[float, float]:
    """Return the powers of ten around values, at least a decade apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def setting_words(result: MeasuredResult | HeadSizeResult, t: Translator) -> str:
    """Return in a sentence what was measured, but for T and d_k."""
    params = result.params
    names = ("heads", "batch", "dtype", *(("causal",) if params.causal else ()))
    sizes = t.listing(size_words(params, names, t))
    if params.repeats == 1:
        return t("{sizes}; each measured once.", sizes=sizes)
    return t("{sizes}; median of {repeats}.", sizes=sizes, repeats=params.repeats)


def device_words(machine: Machine, t: Translator) -> str:
    """Return the device as a sentence of a note."""
    return t(
        "Measured on {device}, {cores}, {library}, {date}.",
        device=machine.device,
        cores=cores_words(machine.cores, t),
        library=machine.library,
        date=machine.date.partition("T")[0],
    )


def so_far(result: MeasuredResult | HeadSizeResult, t: Translator) -> str:
    """Say how many points there are, where it was stopped or goes on."""
    if result.done:
        return ""
    return t("So far: {done} of {total} points.", done=len(result.points), total=result.total)


def refused_words(points: Iterable[Point], t: Translator) -> str:
    """Say what the crosses are: an editable chart leaves them out."""
    refused = [point for point in points if point.refused]
    told = [
        t(
            "{way} at T = {T}",
            way=way_words(way, t),
            T=t.listing(f"{point.T:,}" for point in refused if point.way == way),
        )
        for way in WAYS
        if any(point.way == way for point in refused)
    ]
    return t("Refused: {points}.", points=t.clauses(told)) if told else ""


def stem(word: str, machine: Machine, *parts: object) -> str:
    """Return a file stem that says what is inside: ``memory-measured-time-numpy-H8-dk64``."""
    return "-".join(["memory", word, machine.backend_name, *map(str, parts)])

"""What each head size costs: time for each pair and component, and peak memory, by kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.needs import Kernel, Sizes, predicted_bytes
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.memory.common import bytes_axis, words_of
from pages.figures.memory.measured_common import (
    MEASURED,
    crosses_of,
    device_words,
    ends_of,
    in_unit,
    nothing_yet,
    setting_words,
    so_far,
    stem,
)
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.memory_measured_words import SIZES, kernel_words, seconds_words

_SHOWN: tuple[Kernel, ...] = ("blocked", "fused", "fallback")
_COLOURS: dict[Kernel, int] = {"blocked": 0, "fused": 1, "fallback": 2}
_KINDS: dict[Kernel, int] = {"blocked": 1, "fused": 1, "fallback": 0}
_NANO = 1e-9
_SIZES = tuple(name for name in SIZES if name != "d_k")  # that are one for all points


def head_time_figure(result: HeadSizeResult, style: Style, *, screen: Screen = MEASURED) -> Figure:
    """Draw the time for each pair of a query and a key, and each component, against d_k."""
    t = translator(style.language)
    series = _measured(result, [result.nanoseconds(each) for each in result.points], style, t)
    title = t("Time for each pair and component against the head size")
    axis = Axis(t("time / (pairs × d_k)"), 0.0, None if series else 1.0,
                written=lambda value: _nanoseconds(value, t))  # fmt: skip
    said = t("Median time over T² × heads × batch × d_k.")
    if result.params.causal:
        said = t("Median time over T(T + 1)/2 × heads × batch × d_k.")
    figure = _drawn(result, "head-size-time", title, said, series, axis, style, screen)
    if figure.chart is None:
        return figure
    named = replace(figure.chart, y_title=t("time / (pairs × d_k), in ns"))
    return replace(figure, chart=named)


def head_peak_figure(result: HeadSizeResult, style: Style, *, screen: Screen = MEASURED) -> Figure:
    """Draw the peak memory against d_k, with what is predicted of each kernel there may be."""
    t = translator(style.language)
    series = _measured(result, [float(each.peak_bytes) for each in result.points], style, t)
    series += _predicted(result, style, t)
    title = t("Peak memory against the head size")
    values = [value for each in series for value in each.values if value > 0]
    axis = bytes_axis(t("peak memory"), values, t)
    said = t("Held at once beyond Q, K and V; dotted: predicted.")
    figure = _drawn(result, "head-size-peak", title, said, series, axis, style, screen)
    if figure.chart is None:
        return figure
    return replace(figure, chart=in_unit(figure.chart, t("peak memory (MiB)"), 2.0**20))


def _nanoseconds(value: float, t: Translator) -> str:
    return "0" if value == 0 else seconds_words(value * _NANO, t)


def _drawn(
    result: HeadSizeResult,
    word: str,
    title: str,
    said: str,
    series: Sequence[Series],
    y_axis: Axis,
    style: Style,
    screen: Screen,
) -> Figure:
    t, params = translator(style.language), result.params
    note = t.sentences(t("T = {T}.", T=f"{params.T:,}"), said, device_words(result.machine, t),
                       setting_words(result, t), _refused_words(result, t),
                       so_far(result, t))  # fmt: skip
    places = tuple(float(d_k) for d_k in sorted(params.d_ks))
    crosses = crosses_of(result.points, "d_k", style, t)
    ends = ends_of(places)
    name = stem(word, result.machine, f"T{params.T}", f"H{params.heads}", params.dtype)
    figure = line_figure(
        places,
        series,
        style,
        words_of(name, title, note, "weights", t),
        x_axis=Axis(t("head size, d_k"), *ends, "linear", places),
        y_axis=y_axis,
        table=_table(result),
        crosses=crosses or (() if series else nothing_yet(style, t)),
        symbols=True,
        screen=screen,
    )
    return _with_ends(figure, ends)


def _with_ends(figure: Figure, ends: tuple[float, float]) -> Figure:
    """Return a figure whose editable chart has room beside the only head size, as it has itself."""
    chart = figure.chart
    if chart is None or len(chart.x) > 1:
        return figure
    return replace(figure, chart=replace(chart, x=ends))


def _measured(
    result: HeadSizeResult, values: list[float], style: Style, t: Translator
) -> list[Series]:
    """Return the measured points of each kernel that ran."""
    found = []
    for kernel in _SHOWN:
        points = [
            (float(point.d_k), value)
            for point, value in zip(result.points, values, strict=True)
            if point.kernel == kernel and not point.refused
        ]
        if points:
            places, heights = zip(*points, strict=True)
            found.append(
                Series(kernel_words(kernel, t), heights, _colour(kernel, style), places, "dots",
                       _KINDS[kernel])
            )  # fmt: skip
    return found


def _predicted(result: HeadSizeResult, style: Style, t: Translator) -> list[Series]:
    """Return what each kernel that there may be is predicted to hold, at every head size."""
    kernels: tuple[Kernel, ...] = ("blocked",)
    if result.backend_name == "mlx":
        kernels = ("fused", "fallback")
    params, places = result.params, sorted(result.params.d_ks)
    return [
        Series(
            t("{kernel}, predicted", kernel=kernel_words(kernel, t)),
            tuple(
                float(
                    predicted_bytes(
                        kernel, Sizes(params.batch, params.heads, params.T, d_k, params.dtype)
                    )
                )
                for d_k in places
            ),
            _colour(kernel, style),
            tuple(map(float, places)),
            kind=2,
        )
        for kernel in kernels
    ]


def _colour(kernel: Kernel, style: Style) -> str:
    return series_colour(_COLOURS[kernel], style.theme)


def _refused_words(result: HeadSizeResult, t: Translator) -> str:
    refused = t.listing(f"{point.d_k:,}" for point in result.refused)
    return t("Refused: d_k = {d_ks}.", d_ks=refused) if refused else ""


def _table(result: HeadSizeResult) -> Table:
    columns = ("device", "d_k", "T", "kernel", "seconds", "ns per pair and component",
               "peak_bytes", "predicted_bytes", *_SIZES)  # fmt: skip
    rows = [
        (
            result.machine.device, point.d_k, point.T, point.kernel,
            "" if point.refused else point.seconds,
            "" if point.refused else result.nanoseconds(point),
            "" if point.refused else point.peak_bytes, point.predicted_bytes,
            *(getattr(result.params, name) for name in _SIZES),
        )
        for point in result.points
    ]  # fmt: skip
    return Table(columns, tuple(rows))

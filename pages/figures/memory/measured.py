"""Measured time and memory against T: points with what was fitted or predicted, as lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.experiments.memory.growth import Growth
from engine.experiments.memory.measured import MeasuredResult
from engine.experiments.memory.needs import WAYS, Way
from pages.figures.figure import Crosses, Figure, Reference, Series, Style, Table
from pages.figures.memory.common import bytes_axis, words_of
from pages.figures.memory.measured_common import (
    MEASURED,
    beside_series,
    crosses_of,
    device_words,
    lengths_axis,
    nothing_yet,
    refused_words,
    setting_words,
    so_far,
    stem,
    time_axis,
    way_colour,
    way_kind,
    with_chart,
)
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.text import Translator, translator
from pages.text.memory_measured_words import (
    SIZES,
    beside_sentence,
    growth_words,
    scatter_words,
    way_words,
)
from pages.text.memory_words import NOTHING


def time_figure(result: MeasuredResult, style: Style, *, screen: Screen = MEASURED) -> Figure:
    """Draw the time of both ways against T, with the fitted powers of T."""
    t = translator(style.language)
    series = _measured(result, "seconds", style, t) + beside_series(result, "seconds", style, t)
    if not result.beside:  # of lines of several machines the slopes are told by the note
        series += _fits(result, style, t) + _square(result, style)
    title = t("Time of attention against T, measured")
    values = [value for each in series for value in each.values]
    axis = time_axis(t("time"), values, t)
    said = t.sentences(_fits_said(result, t), _square_said(result, t))
    figure = _drawn(result, "measured-time", title, said, series, axis, style, screen,
                    beside=_fits_beside(result, style, t))  # fmt: skip
    return with_chart(figure, t("time (s)"), 1.0)


def peak_figure(result: MeasuredResult, style: Style, *, screen: Screen = MEASURED) -> Figure:
    """Draw the peak memory of both ways against T, with what is predicted."""
    t = translator(style.language)
    series = _measured(result, "peak_bytes", style, t)
    series += beside_series(result, "peak_bytes", style, t)
    series += _predictions(result, style, t)
    title = t("Peak memory of attention against T, measured and predicted")
    values = [value for each in series for value in each.values]
    axis = bytes_axis(t("peak memory"), values or [2.0**20, 2.0**30], t)
    said = t("Held at once beyond Q, K and V; dotted: predicted.")
    figure = _drawn(result, "measured-peak", title, said, series, axis, style, screen)
    return with_chart(figure, t("peak memory (MiB)"), 2.0**20)


def ratio_figure(result: MeasuredResult, style: Style, *, screen: Screen = MEASURED) -> Figure:
    """Draw the measured peak over the predicted one, of both ways against T."""
    t = translator(style.language)
    series = _measured(result, "ratio", style, t, look="line")
    series += beside_series(result, "ratio", style, t)
    title = t("Measured over predicted peak memory, against T")
    values = [1.0, *(value for each in series for value in each.values)]
    tall = max(values) > _TALL
    axis = (
        Axis(t("measured / predicted"), scale="log10")
        if tall
        else Axis(t("measured / predicted"), 0.0, None if series else 2.0)
    )
    return _drawn(result, "measured-ratio", title, _ratio_said(result, t), series, axis, style,
                  screen, (Reference(1.0, "1", "y"),))  # fmt: skip


_TALL = 20.0  # a ratio beyond it would hide all others on a linear axis


def _drawn(
    result: MeasuredResult,
    word: str,
    title: str,
    said: str,
    series: Sequence[Series],
    y_axis: Axis,
    style: Style,
    screen: Screen,
    references: tuple[Reference, ...] = (),
    beside: Sequence[str] = (),
) -> Figure:
    t, params = translator(style.language), result.params
    note = t.sentences(said, device_words(result.machine, t), _sizes_words(result, t),
                       beside_sentence(result, t, style.size, beside),
                       refused_words(result.points, t), so_far(result, t))  # fmt: skip
    name = stem(word, result.machine, f"H{params.heads}", f"dk{params.d_k}", params.dtype)
    axis = lengths_axis(result, t)
    crosses: tuple[Crosses, ...] = crosses_of(result.points, "T", style, t)
    return line_figure(
        axis.ticks,
        series,
        style,
        words_of(name, title, note, "weights", t),
        x_axis=axis,
        y_axis=y_axis,
        table=table_of(result),
        references=references,
        dots=axis.ticks if references else (),
        symbols=True,
        crosses=crosses or (() if series else nothing_yet(style, t)),
        screen=screen,
    )


def _sizes_words(result: MeasuredResult, t: Translator) -> str:
    return t.sentences(t("d_k = {d_k}.", d_k=result.params.d_k), setting_words(result, t))


def _measured(
    result: MeasuredResult, quantity: str, style: Style, t: Translator, look: str = "dots"
) -> list[Series]:
    """Return the measured points of each way that has some."""
    found = []
    for way in WAYS:
        points = result.of(way)
        if points:
            values = tuple(float(getattr(point, quantity)) for point in points)
            Ts = tuple(float(point.T) for point in points)
            name = way_words(way, t)
            found.append(
                Series(name, values, way_colour(way, style), Ts,
                       "dots" if look == "dots" else "line", way_kind(way))
            )  # fmt: skip
    return found


def _fits(result: MeasuredResult, style: Style, t: Translator) -> list[Series]:
    """Return a line for each fitted power, over the points that it was fitted to."""
    found = []
    for way in WAYS:
        growth = result.growth(way, "seconds")
        if growth is not None and growth.is_clear:
            Ts = [float(point.T) for point in result.of(way) if growth.shortest <= point.T]
            name = t(
                "{way}: slope {exponent}",
                way=way_words(way, t),
                exponent=growth_words(growth),
            )
            found.append(
                Series(name, tuple(map(growth.at, Ts)), way_colour(way, style), tuple(Ts),
                       kind=0)
            )  # fmt: skip
    return found


def _square(result: MeasuredResult, style: Style) -> list[Series]:
    """Return T² through the longest measured point of the formula, as a guide beside the points.

    It ends where it would leave the measured times, so that it takes no room of its own.
    """
    points = result.of("materialised")
    if result.beside or len(points) < _GUIDED:
        return []
    last = points[-1]
    least = min(point.seconds for point in result.measured)
    start = max(points[0].T, last.T * math.sqrt(min(1.0, least / last.seconds)))
    if start >= last.T:
        return []
    Ts = (float(start), float(last.T))
    values = tuple(last.seconds * (T / last.T) ** 2 for T in Ts)
    return [Series(_SQUARE, values, style.colours.muted, Ts, kind=2)]


def _square_said(result: MeasuredResult, t: Translator) -> str:
    if not _square(result, Style()):
        return ""
    return t("Dotted: T² through the longest measured point of the formula.")


_SQUARE = "T²"
_GUIDED = 2  # points of the formula: a line of T² beside one alone compares nothing


def _predictions(result: MeasuredResult, style: Style, t: Translator) -> list[Series]:
    """Return what is predicted of each way, at every T that is measured so far."""
    found = []
    for way in WAYS:
        points = [point for point in result.points if point.way == way]
        if points:
            found.append(
                Series(
                    t("{way}, predicted", way=way_words(way, t)),
                    tuple(float(point.predicted_bytes) for point in points),
                    way_colour(way, style),
                    tuple(float(point.T) for point in points),
                    kind=2,
                )
            )
    return found


def _fits_said(result: MeasuredResult, t: Translator) -> str:
    grown = [(way, growth) for way in WAYS if (growth := result.growth(way, "seconds")) is not None]
    clear = [(way, growth) for way, growth in grown if growth.is_clear]
    scattered = [way for way, growth in grown if not growth.is_clear]
    return t.sentences(_exponents_said(clear, t), scatter_words(scattered, t))


def _fits_beside(result: MeasuredResult, style: Style, t: Translator) -> list[str]:
    """Return the exponents of each loaded run, empty where it has none.

    Those of several runs are too long for a narrow sheet, beside their names.
    """
    if style.size in ("half", "square") and len(result.beside) > 1:
        return []
    return [_both_exponents(run, t) for run in result.beside]


def _both_exponents(run: MeasuredResult, t: Translator) -> str:
    formula, attend = (growth_words(run.growth(way, "seconds")) for way in WAYS)
    if (formula, attend) == (NOTHING, NOTHING):
        return ""
    return t("p = {formula} (formula), {attend} (attend)", formula=formula, attend=attend)


def _exponents_said(grown: list[tuple[Way, Growth]], t: Translator) -> str:
    if not grown:
        return ""
    return t(
        "Fitted exponents p of T: {exponents}.",
        exponents=t.clauses(
            t(
                "{way}: p = {exponent} from T = {shortest} on",
                way=way_words(way, t),
                exponent=growth_words(growth),
                shortest=f"{growth.shortest:,}",
            )
            for way, growth in grown
        ),
    )


def _ratio_said(result: MeasuredResult, t: Translator) -> str:
    last = [points[-1] for way in WAYS if (points := result.of(way))]
    told = t.clauses(
        t("{way}: {ratio} at T = {T}", way=way_words(point.way, t), ratio=f"{point.ratio:.2f}",
          T=f"{point.T:,}")
        for point in last
    )  # fmt: skip
    return t("{ratios}.", ratios=told) if told else ""


def table_of(result: MeasuredResult) -> Table:
    """Return every point of this run and of those beside it, refused ones without numbers."""
    columns = ("device", "way", "T", "kernel", "seconds", "peak_bytes", "predicted_bytes",
               "library", "date", *SIZES)  # fmt: skip
    rows = [
        (
            run.machine.device, point.way, point.T, point.kernel,
            "" if point.refused else point.seconds, "" if point.refused else point.peak_bytes,
            point.predicted_bytes, run.machine.library, run.machine.date,
            *(getattr(run.params, name) for name in SIZES),
        )
        for run in (result, *result.beside)
        for point in run.points
    ]  # fmt: skip
    return Table(columns, tuple(rows))

"""What scores cost: additive attention against the dot product, timed, and the ratio of both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.experiments.lookup.cost import WAYS, CostPoint, CostResult, Ratio, Way
from pages.figures.figure import Band, Figure, Reference, Series, Style, Table
from pages.figures.lookup.common import stem, way_colour, way_kind, words_of
from pages.figures.memory.measured_common import (
    ends_of,
    nothing_yet,
    time_axis,
    with_chart,
)
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.text import Translator, translator
from pages.text.digits import digits
from pages.text.lookup_readings import busy_words
from pages.text.lookup_words import way_words
from pages.text.memory_measured_words import growth_words

Against = Literal["d_k", "T"]
SCREEN = Screen(424.0, 360.0)
_TALL = 20.0  # the largest ratio by the smallest, beyond which a linear axis hides one of them


def cost_time_figure(
    result: CostResult, style: Style, against: Against = "d_k", *, screen: Screen = SCREEN
) -> Figure:
    """Draw the time of all scores, both ways, with the range of the repeats."""
    t = translator(style.language)
    drawn = [_times(points_of(result, way, against), way, against, style, t) for way in WAYS]
    kept = [each for each in drawn if each is not None]
    title = (
        t("Time of all scores against d_k, measured")
        if against == "d_k"
        else t("Time of all scores against T, measured")
    )
    bands = [band for _, band in kept]
    values = [value for band in bands for edge in (band.low, band.high) for value in edge]
    plot = _Plot("cost-time", title, _exponents(result, against, t), [each for each, _ in kept],
                 bands, time_axis(t("time"), values, t))  # fmt: skip
    return with_chart(_drawn(result, plot, against, style, screen), t("time (s)"), 1.0)


def cost_ratio_figure(
    result: CostResult, style: Style, against: Against = "d_k", *, screen: Screen = SCREEN
) -> Figure:
    """Draw how many times as long additive attention takes, with the quartiles of its repeats."""
    t = translator(style.language)
    found = ratios_of(result, against)
    title = (
        t("How many times as long additive scores take, against d_k")
        if against == "d_k"
        else t("How many times as long additive scores take, against T")
    )
    series, bands = [], []
    if found:
        places = tuple(float(place) for place, _ in found)
        name, colour = t("medians"), way_colour("additive", style)
        series = [Series(name, tuple(r.ratio for _, r in found), colour, places, kind=0)]
        low, high = (tuple(getattr(r, side) for _, r in found) for side in ("low", "high"))
        bands = [Band(t("middle half of all pairs of repeats"), low, high, colour, places)]
    said = t("Line: ratio of the medians; band: the middle half of the ratios of all repeats.")
    # The axis says what the line is: a legend would only say it again.
    plot = _Plot("cost-ratio", title, said if found else "", series, bands, _ratio_axis(bands, t),
                 _level(bands), legend=False)  # fmt: skip
    return _drawn(result, plot, against, style, screen)


def points_of(result: CostResult, way: Way, against: Against) -> tuple[CostPoint, ...]:
    """Return the measured points of one way, in the order of an axis."""
    return result.by_d_k(way) if against == "d_k" else result.by_T(way)


def ratios_of(result: CostResult, against: Against) -> list[tuple[int, Ratio]]:
    """Return (T or d_k, ratio) of every place at which both ways are measured."""
    found = []
    for point in points_of(result, "dot", against):
        ratio = result.ratio(point.T, point.d_k)
        if ratio is not None:
            found.append((getattr(point, against), ratio))
    return found


def _times(
    points: Sequence[CostPoint], way: Way, against: Against, style: Style, t: Translator
) -> tuple[Series, Band] | None:
    if not points:
        return None
    places = tuple(float(getattr(point, against)) for point in points)
    colour, name = way_colour(way, style), way_words(way, t)
    line = Series(name, tuple(point.seconds for point in points), colour, places,
                  kind=way_kind(way))  # fmt: skip
    low = tuple(min(point.all_seconds) for point in points)
    high = tuple(max(point.all_seconds) for point in points)
    return line, Band(t("all repeats"), low, high, colour, places)


def _ratio_axis(bands: Sequence[Band], t: Translator) -> Axis:
    """Return an axis from 0 on; a logarithmic one where the largest would hide the smallest."""
    values = [value for band in bands for edge in (band.low, band.high) for value in edge]
    title, most = t("additive ÷ dot product"), max(values, default=0.0)
    if values and most > _TALL * min(values):
        low = math.floor(math.log10(min(1.0, *values)))
        return Axis(
            title, 10.0**low, 10.0 ** math.ceil(math.log10(most)), "log10", written=_times_tick
        )
    return Axis(title, 0.0, None if most > 1 else 2.0, written=_times_tick)


def _times_tick(value: float) -> str:
    return f"{digits(value)} ×"


def _level(bands: Sequence[Band]) -> tuple[Reference, ...]:
    return (Reference(1.0, "1 ×", "y"),) if bands else ()


@dataclass(frozen=True)
class _Plot:
    """What sets one figure of the cost apart from the other."""

    word: str
    title: str
    said: str
    series: Sequence[Series]
    bands: Sequence[Band]
    y_axis: Axis
    references: tuple[Reference, ...] = ()
    legend: bool = True


def _drawn(
    result: CostResult, plot: _Plot, against: Against, style: Style, screen: Screen
) -> Figure:
    t = translator(style.language)
    x_axis = _sizes_axis(result, against, t)
    note = t.sentences(_setting(result, against, t), plot.said, _device(result, t),
                       busy_words(result, t), so_far_words(result, t))  # fmt: skip
    name = stem(plot.word, f"against-{against.replace('_', '')}", result.backend_name)
    return line_figure(
        x_axis.ticks,
        plot.series,
        style,
        words_of(name, plot.title, note, "scores", t),
        x_axis=x_axis,
        y_axis=plot.y_axis,
        table=_table(result),
        references=plot.references,
        dots=x_axis.ticks,
        bands=plot.bands,
        crosses=() if plot.series else nothing_yet(style, t),
        symbols=True,
        legend=plot.legend,
        screen=screen,
    )


def _sizes_axis(result: CostResult, against: Against, t: Translator) -> Axis:
    """Return an axis with a tick at every size that is to be measured; it stays while it grows."""
    sizes = sorted(result.params.d_ks if against == "d_k" else result.params.Ts)
    title = t("width of queries and keys, d_k") if against == "d_k" else t("number of tokens, T")
    return Axis(title, *ends_of(sizes), "log2", tuple(map(float, sizes)))


def _setting(result: CostResult, against: Against, t: Translator) -> str:
    params = result.params
    held = {"T": f"{params.T:,}", "d_k": f"{params.d_k:,}"}
    if against == "d_k":
        return t("All T × T scores at T = {T}, in float32.", T=held["T"])
    return t("All T × T scores at d_k = {d_k}, in float32.", d_k=held["d_k"])


def _exponents(result: CostResult, against: Against, t: Translator) -> str:
    """Return the fitted exponents of both ways, where they are clear."""
    told = [
        t("{way}: p = {exponent}", way=way_words(way, t), exponent=growth_words(growth))
        for way in WAYS
        if (growth := result.growth(way, against)) is not None and growth.is_clear
    ]
    if not told:
        return t("Bands: all repeats.") if result.points else ""
    if against == "d_k":
        return t("Bands: all repeats; time grows as d_k to the power p: {exponents}.",
                 exponents=t.clauses(told))  # fmt: skip
    return t("Bands: all repeats; time grows as T to the power p: {exponents}.",
             exponents=t.clauses(told))  # fmt: skip


def _device(result: CostResult, t: Translator) -> str:
    device = result.device
    if result.one_core:
        device = t("one core of {device}", device=device)
    if result.params.repeats == 1:
        return t("Measured on {device}, each once.", device=device)
    return t("Measured on {device}, median of {repeats}.", device=device,
             repeats=result.params.repeats)  # fmt: skip


def so_far_words(result: CostResult, t: Translator) -> str:
    """Say how many points there are, where it was stopped or goes on."""
    if result.done:
        return ""
    return t("So far: {done} of {total} points.", done=len(result.points), total=result.total)


def _table(result: CostResult) -> Table:
    columns = ("T", "d_k", "way", "seconds", "least", "most", "operations", "tanhs", "device",
               "ratio additive / dot", "lower quartile", "upper quartile")  # fmt: skip
    rows = []
    for point in result.points:
        ratio = result.ratio(point.T, point.d_k) or ("", "", "")
        rows.append((point.T, point.d_k, point.way, point.seconds, min(point.all_seconds),
                     max(point.all_seconds), point.operations, point.tanhs, result.device,
                     *ratio))  # fmt: skip
    return Table(columns, tuple(rows))

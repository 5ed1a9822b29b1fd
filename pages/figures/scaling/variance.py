"""How far dot products spread: their distribution, and their deviation against d_k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engine.experiments.scaling.spread import expected_mean
from engine.experiments.scaling.variance import Result, Width
from pages.figures.errors import FigureError
from pages.figures.figure import Band, Figure, Reference, Series, Style, Table
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import (
    HALF,
    dots,
    stem,
    steps,
    way_colour,
    way_kind,
    words_of,
)
from pages.figures.series import series_colour
from pages.figures.ticks import ScaleName, rounded_down, rounded_up
from pages.text import Translator, translator
from pages.text.scaling_readings import (
    band_limit_words,
    band_words,
    drawn_words,
    exponent_limit_words,
    exponent_words,
    kurtosis_words,
    normal_words,
    spread_words,
    thin_band_words,
)
from pages.text.scaling_words import way_sign

LEAST_POWER = 0.25  # smaller powers of two are no round numbers
CURVE_POINTS = 121  # of a normal density
THIN = 0.6  # of the usual width of a line
VISIBLE = 5.0  # pixels of a band on screen: the line in it has 2
PLOT_HEIGHT = 230.0  # on screen; on a slide lines are as much thicker as the plot is higher


def distribution_figure(
    result: Result, style: Style, d_k: int | None = None, *, screen: Screen = HALF
) -> Figure:
    """Draw the distribution of raw and scaled dot products at one width (None: the largest).

    Both are densities, so that the area under each outline is 1. The bins of the scaled ones are
    those of the raw ones divided by the square root of d_k, which hold the same samples. A thin
    line is the normal density with the mean and the deviation that are expected of the scaled ones:
    beside the raw ones it would show the same once more.
    """
    t, width = translator(style.language), _width_of(result, d_k)
    roots = {False: 1.0, True: math.sqrt(width.d_k)}
    series = tuple(_outline(width, root, scaled, style, t) for scaled, root in roots.items())
    if width.d_k == 1:  # the divisor is 1
        series = (replace(series[0], name=t("scaled or not")),)
    series = (*series, _normal(result, width, style, t))
    title = t("Dot products of {d_k} components, unscaled and scaled", d_k=f"{width.d_k:,}")
    note = t.sentences(spread_words(width, t), normal_words(width, t), drawn_words(result, t))
    return line_figure(
        _places(width, roots[True]),
        series,
        style,
        words_of(
            stem("distribution", *_source(result), f"dk{width.d_k}"), title, note, "scores", t
        ),
        x_axis=Axis(t("dot product q·k")),
        y_axis=Axis(t("density"), 0.0),
        table=_distribution_table(width),
        references=_deviations(result, width, style, t),
        symbols=True,
        screen=screen,
    )


def _width_of(result: Result, d_k: int | None) -> Width:
    for width in reversed(result.widths):
        if d_k in (None, width.d_k):
            return width
    raise FigureError("There is no width {d_k} in this result.", d_k=d_k)


def _outline(width: Width, root: float, scaled: bool, style: Style, t: Translator) -> Series:
    edges = (width.edges / root).tolist()
    density = _density(width, root)
    places, heights = steps(edges, density)
    # Two outlines of the same area need no dash to be told apart.
    return Series(way_sign(scaled, t), tuple(heights), way_colour(scaled, style), tuple(places),
                  "area", kind=0)  # fmt: skip


def _normal(result: Result, width: Width, style: Style, t: Translator) -> Series:
    """Return the normal density that the scaled dot products come near to at large d_k."""
    root = math.sqrt(width.d_k)
    center = expected_mean(width.d_k, result.params.mean) / root
    deviation = math.sqrt(width.expected_variance) / root
    reach = width.edges[-1] / root - center
    steps_out = [2 * place / (CURVE_POINTS - 1) - 1 for place in range(CURVE_POINTS)]
    places = tuple(float(center + each * reach) for each in steps_out)
    top = 1 / (deviation * math.sqrt(2 * math.pi))
    heights = (math.exp(-(((x - center) / deviation) ** 2) / 2) for x in places)
    return Series(
        t("normal"), tuple(top * height for height in heights), style.colours.text, places,
        kind=0, weight=THIN,
    )  # fmt: skip


def _density(width: Width, root: float) -> list[float]:
    """Return the share of the samples in each bin, divided by its breadth."""
    breadth = float(width.edges[1] - width.edges[0]) / root
    counts: list[float] = (width.counts / (width.counts.sum() * breadth)).tolist()
    return counts


def _places(width: Width, root: float) -> tuple[float, ...]:
    """Return where the pointer says both densities: the ends, and the middle of every bin."""
    edges = width.edges.tolist()
    middles = [(low + high) / 2 for low, high in pairwise(edges)]
    inner = [middle / root for middle in middles]
    return tuple(sorted({edges[0], *middles, *inner, edges[-1]}))


def _deviations(result: Result, width: Width, style: Style, t: Translator) -> tuple[Reference, ...]:
    """Return the expected deviations as lines, one above 0; a mean moves all of it away from 0."""
    if result.params.mean:
        return ()
    raw = math.sqrt(width.expected_variance)
    scaled = raw / math.sqrt(width.d_k)
    ways = {scaled: True, raw: False}  # one line where d_k is 1
    return tuple(
        Reference(
            value,
            t("deviation {value}", value=_short(value)),
            colour=way_colour(is_scaled, style),
        )
        for value, is_scaled in ways.items()
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _source(result: Result) -> tuple[str, ...]:
    params = result.params
    return (params.distribution, *(() if params.assumed else ("broken",)))


def _distribution_table(width: Width) -> Table:
    root = math.sqrt(width.d_k)
    raw, scaled = _density(width, 1.0), _density(width, root)
    edges = width.edges.tolist()
    rows = [
        (low, high, int(count), height, low / root, high / root, other)
        for (low, high), count, height, other in zip(
            pairwise(edges), width.counts, raw, scaled, strict=True
        )
    ]
    columns = ("from", "to", "samples", "density", "scaled from", "scaled to", "scaled density")
    return Table(columns, tuple(rows))


def deviation_figure(result: Result, style: Style, *, screen: Screen = HALF) -> Figure:
    """Draw the deviation against d_k on log axes, with the law and its 95% band."""
    t = translator(style.language)
    title = t("How far dot products spread as queries and keys get wider")
    visible = _is_visible(result)
    note = t.sentences(
        exponent_words(result, t),
        band_words(result, t),
        "" if visible else thin_band_words(t),
        band_limit_words(result, t),
        exponent_limit_words(result, t),
    )
    shown = [width for width in result.widths if width.deviation > 0]
    d_ks = tuple(float(width.d_k) for width in result.widths)
    law = tuple(math.sqrt(width.expected_variance) for width in result.widths)
    name = "√d_k" if result.params.assumed else t("law")
    lines = [Series(name, law, style.colours.muted, kind=0)]
    lines += [_measured(shown, scaled, style, t) for scaled in (False, True) if shown]
    return line_figure(
        d_ks,
        lines,
        style,
        words_of(
            stem("deviation", *_source(result)),
            title,
            t.sentences(note, drawn_words(result, t)),
            "scores",
            t,
            note,
        ),
        x_axis=_across(result),
        y_axis=_upward(result, shown, t),
        table=_deviation_table(result),
        bands=(replace(_band(result, style, t), named=visible),),
        symbols=True,
        screen=screen,
    )


def _measured(widths: list[Width], scaled: bool, style: Style, t: Translator) -> Series:
    values = tuple(each.scaled_deviation if scaled else each.deviation for each in widths)
    series = Series(way_sign(scaled, t), values, way_colour(scaled, style), kind=way_kind(scaled))
    return dots(series, [float(each.d_k) for each in widths])


def _band(result: Result, style: Style, t: Translator) -> Band:
    low, high = zip(*(width.band for width in result.widths), strict=True)
    return _band_of(result.widths, low, high, way_colour(False, style), t)


def _is_visible(result: Result) -> bool:
    """Whether the band of deviations is wider than the line in it, wherever it is."""
    drawn = [value for width in result.widths for value in (*width.band, width.scaled_deviation)
             if value > 0]  # fmt: skip
    thinnest = min(math.log(high / low) if low > 0 else math.inf
                  for low, high in (width.band for width in result.widths))  # fmt: skip
    return thinnest * PLOT_HEIGHT >= VISIBLE * math.log(max(drawn) / min(drawn))


def _band_of(
    widths: Sequence[Width],
    low: tuple[float, ...],
    high: tuple[float, ...],
    colour: str,
    t: Translator,
) -> Band:
    """Return a band over some widths; that of a single width is half an octave wide."""
    places = [float(width.d_k) for width in widths]
    if len(places) == 1:
        places = [places[0] * 2**side for side in (-0.25, 0.25)]
        low, high = 2 * low, 2 * high
    return Band(t("95% band"), low, high, colour, tuple(places), named=True)


def _across(result: Result) -> Axis:
    """Return the axis of d_k; a single width stands in the middle of two octaves."""
    if len(result.widths) > 1:
        return Axis("d_k", scale="log2")
    (width,) = result.widths
    return Axis("d_k", width.d_k / 2, width.d_k * 2, "log2")


def _upward(result: Result, shown: list[Width], t: Translator) -> Axis:
    """Return the axis of deviations; a band that goes far down, as of two samples, is cut off."""
    drawn = [math.sqrt(width.expected_variance) for width in result.widths]
    drawn += [value for width in shown for value in (width.deviation, width.scaled_deviation)]
    lowest = min(width.band[0] for width in result.widths)
    least = rounded_down(min(drawn) / 2)
    scale: ScaleName = "log2" if min(lowest, *drawn) >= LEAST_POWER else "log10"
    return Axis(t("standard deviation of q·k"), least if lowest < least else None, None, scale)


def _deviation_table(result: Result) -> Table:
    columns = ("d_k", "mean", "variance", "standard deviation", "expected standard deviation",
               "95% band from", "95% band to", "scaled standard deviation")  # fmt: skip
    rows = tuple(
        (each.d_k, each.mean, each.variance, each.deviation, math.sqrt(each.expected_variance),
         *each.band, each.scaled_deviation)
        for each in result.widths
    )  # fmt: skip
    return Table(columns, rows)


def sampling_error_figure(result: Result, style: Style, *, screen: Screen = HALF) -> Figure:
    """Draw the measured deviation as a share of the expected one, in the band of chance around 1.

    It is the same share for the scaled dot products: both deviations have the same divisor.
    """
    t = translator(style.language)
    title = t("Measured deviations against the expected ones")
    note = t.sentences(band_words(result, t), band_limit_words(result, t))
    drawn = t.sentences(
        note, t("The ratios are the same after the division by √d_k."), drawn_words(result, t)
    )
    return line_figure(
        tuple(float(width.d_k) for width in result.widths),
        _shares(result, style, t),
        style,
        words_of(stem("sampling-error", *_source(result)), title, drawn, "scores", t, note),
        x_axis=_across(result),
        y_axis=Axis(t("measured ÷ expected deviation")),
        table=_sampling_table(result, t),
        references=(Reference(1.0, t("expected"), "y"),),
        bands=(_band_of(result.widths, *_relative_band(result), style.colours.muted, t),),
        screen=screen,
    )


def _share(value: float, width: Width) -> float:
    return value / math.sqrt(width.expected_variance)


def _relative_band(result: Result) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = (tuple(_share(width.band[end], width) for width in result.widths) for end in (0, 1))
    return low, high


def _shares(result: Result, style: Style, t: Translator) -> list[Series]:
    """Return the points inside the band and those outside it, as far as there are any."""
    found = []
    looks = ((True, t("inside"), 1, 0), (False, t("outside"), 2, 2))
    for inside, name, colour, kind in looks:
        some = [width for width in result.widths if width.is_inside == inside]
        if some:
            values = tuple(_share(width.deviation, width) for width in some)
            series = Series(name, values, series_colour(colour, style.theme), kind=kind)
            found.append(dots(series, [float(width.d_k) for width in some]))
    return found


def _sampling_table(result: Result, t: Translator) -> Table:
    columns = ("d_k", "measured standard deviation", "expected standard deviation",
               "measured / expected", "95% band from", "95% band to", "in the band")  # fmt: skip
    rows = tuple(
        (each.d_k, each.deviation, math.sqrt(each.expected_variance),
         _share(each.deviation, each), *(_share(end, each) for end in each.band),
         t("inside") if each.is_inside else t("outside"))
        for each in result.widths
    )  # fmt: skip
    return Table(columns, rows)


def kurtosis_figure(result: Result, style: Style, *, screen: Screen = HALF) -> Figure:
    """Draw the excess kurtosis against d_k: where the normal approximation is poor."""
    t = translator(style.language)
    title = t("How far dot products are from a normal distribution")
    note = kurtosis_words(result, t)
    lines = [*_expected_kurtosis(result, style, t), *_measured_kurtosis(result, style, t)]
    if not lines:
        raise FigureError("Samples that are all equal have no kurtosis.")
    return line_figure(
        tuple(float(width.d_k) for width in result.widths),
        lines,
        style,
        words_of(
            stem("kurtosis", *_source(result)),
            title,
            t.sentences(note, drawn_words(result, t)),
            "scores",
            t,
            note,
        ),
        x_axis=_across(result),
        y_axis=Axis(t("excess kurtosis"), _lowest(result)),
        table=_kurtosis_table(result),
        references=(Reference(0.0, t("normal"), "y"),),
        bands=_kurtosis_bands(result, style, t),
        screen=screen,
    )


def _lowest(result: Result) -> float:
    """Return the end of the axis of excess kurtosis: below 0, so that the line of 0 is seen."""
    drawn = [value for width in result.widths
             for value in (width.kurtosis, width.expected_kurtosis, *width.kurtosis_band)
             if value is not None and not math.isnan(value)]  # fmt: skip
    low, high = min(drawn), max(drawn)
    return -rounded_up(max(-low, high / 20, 0.01))


def _kurtosis_bands(result: Result, style: Style, t: Translator) -> tuple[Band, ...]:
    """Return the band of the sampling error, where there is one."""
    some = [width for width in result.widths if not math.isnan(width.kurtosis_band[0])]
    if not some:
        return ()
    low, high = zip(*(width.kurtosis_band for width in some), strict=True)
    return (_band_of(some, low, high, style.colours.muted, t),)


def _known(values: list[tuple[int, float | None]]) -> tuple[list[float], tuple[float, ...]]:
    """Return the places and the values that are numbers."""
    there = [(d_k, value) for d_k, value in values if value is not None and not math.isnan(value)]
    return [float(d_k) for d_k, _ in there], tuple(value for _, value in there)


def _expected_kurtosis(result: Result, style: Style, t: Translator) -> list[Series]:
    places, values = _known([(each.d_k, each.expected_kurtosis) for each in result.widths])
    if not places:
        return []
    return [Series(t("expected"), values, style.colours.muted, tuple(places), kind=0)]


def _measured_kurtosis(result: Result, style: Style, t: Translator) -> list[Series]:
    places, values = _known([(each.d_k, each.kurtosis) for each in result.widths])
    if not places:
        return []
    colour = way_colour(False, style)
    return [dots(Series(t("measured"), values, colour, kind=way_kind(False)), places)]


def _kurtosis_table(result: Result) -> Table:
    rows = tuple(
        (
            each.d_k,
            "" if math.isnan(each.kurtosis) else each.kurtosis,
            "" if each.expected_kurtosis is None else each.expected_kurtosis,
            *("" if math.isnan(end) else end for end in each.kurtosis_band),
        )
        for each in result.widths
    )
    columns = ("d_k", "excess kurtosis", "expected excess kurtosis", "95% band from",
               "95% band to")  # fmt: skip
    return Table(columns, rows)

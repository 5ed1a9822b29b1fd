"""What depth does to the vectors of a sequence: how alike they become, how many directions stay."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.properties.smoothing import Key, Measure, SmoothingResult
from engine.shapes import Array
from pages.figures.figure import Band, Figure, Reference, Series, Style, Table
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.figures.properties.common import stem, words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.properties_stacks import cosine_words, rank_words, stack_words
from pages.text.properties_words import residual_words, stack_name

HALF = Screen(424.0, 340.0, edges=(40.0, 294.0))
MANY = Screen(424.0, 400.0)  # with a legend of several numbers of heads
_COLUMNS = {"cosine": "mean cosine", "rank": "effective rank"}
_COLOURS = {False: 2, True: 1}  # without residual and with it
_FOOT = -0.05  # mean cosines of random vectors scatter around 0
_MOST_DOTS = 14  # layers with a marker each


def cosine_figure(result: SmoothingResult, style: Style, *, screen: Screen = HALF) -> Figure:
    """Draw the mean cosine between positions against depth; 424 pixels wide on screen."""
    t = translator(style.language)
    found = [value for values in result.cosine.values() for value in values.ravel().tolist()]
    least = min(value for value in found if not math.isnan(value))
    axis = Axis(t("mean cosine of two positions"), _FOOT if least >= _FOOT else None, 1.0)
    title = t("How alike the positions become with depth")
    return _figure(result, "cosine", axis, title, cosine_words(result, t), style, screen)


def rank_figure(result: SmoothingResult, style: Style, *, screen: Screen = HALF) -> Figure:
    """Draw the effective rank against depth; 424 pixels wide on screen."""
    t = translator(style.language)
    title = t("How many directions are left with depth")
    axis = Axis(t("effective rank"), 0.0)
    return _figure(result, "rank", axis, title, rank_words(result, t), style, screen)


def _figure(
    result: SmoothingResult, measure: Measure, y_axis: Axis, title: str, said: str, style: Style,
    screen: Screen,
) -> Figure:  # fmt: skip
    t, layers = translator(style.language), result.params.layers
    x = tuple(float(layer) for layer in range(layers + 1))
    several = len(result.heads) > 1
    note = t.sentences(said, _band_words(result, t), stack_words(result.params, t))
    name = stem(measure, f"T{result.params.T}", f"dmodel{result.params.d_model}", f"L{layers}",
                f"heads{'_'.join(map(str, result.heads))}",
                "norm" if result.params.norm else "")  # fmt: skip
    if several and screen == HALF:
        screen = MANY
    return line_figure(
        x,
        [_line(result, measure, place, style, t) for place in range(2 * len(result.heads))],
        style,
        words_of(name, title, note, "output", t),
        x_axis=Axis(t("layers"), ticks=x if layers <= _MOST_DOTS else ()),
        y_axis=y_axis,
        table=_table(result, measure),
        references=_most(result, t) if measure == "rank" else (),
        dots=x[:: 1 if layers <= _MOST_DOTS else 4],
        bands=_bands(result, measure, style, t),
        screen=screen,
    )


def _keys(result: SmoothingResult) -> list[Key]:
    """Return every stack, those without residual first."""
    return [(residual, heads) for residual in (False, True) for heads in result.heads]


def _line(
    result: SmoothingResult, measure: Measure, place: int, style: Style, t: Translator
) -> Series:
    """Return the mean over the seeds as a line, up to where a vector is zero."""
    residual, heads = key = _keys(result)[place]
    means = finite_means(_drawn(result, measure, key))
    name = residual_words(residual, t)
    if len(result.heads) > 1:
        name = stack_name(residual, heads, t)
    x = tuple(map(float, range(len(means))))
    ends_early = len(means) <= result.params.layers
    colour = series_colour(_COLOURS[residual], style.theme)
    return Series(name, tuple(means), colour, x if ends_early else None, kind=place)


def _drawn(result: SmoothingResult, measure: Measure, key: Key) -> Array:
    """Return what is drawn: rounding may lift a cosine above 1, where no axis has room for it."""
    found = result.of(measure)[key]
    return np.minimum(found, 1.0) if measure == "cosine" else found


def finite_means(found: Array) -> list[float]:
    """Return the mean over the seeds after each layer, as long as every seed has a number."""
    means = found.mean(axis=0)
    wrong = np.flatnonzero(np.isnan(means))
    return [float(value) for value in means[: wrong[0] if wrong.size else None]]


def _bands(result: SmoothingResult, measure: Measure, style: Style, t: Translator) -> list[Band]:
    """Return what holds every seed and every number of heads, without residual and with it."""
    if len(result.params.seeds) == 1 and len(result.heads) == 1:
        return []
    return [_band(result, measure, residual, style, t) for residual in (False, True)]


def _band(
    result: SmoothingResult, measure: Measure, residual: bool, style: Style, t: Translator
) -> Band:
    found = [_drawn(result, measure, (residual, heads)) for heads in result.heads]
    count = min(len(finite_means(each)) for each in found)
    every = np.concatenate(found)[:, :count]
    x = tuple(map(float, range(count)))
    colour = series_colour(_COLOURS[residual], style.theme)
    # A name of its own makes room for a legend above, which many lines need.
    named = len(result.heads) > 1 and not residual
    return Band(t("lowest to highest"), tuple(every.min(axis=0).tolist()),
                tuple(every.max(axis=0).tolist()), colour, x, named)  # fmt: skip


def _band_words(result: SmoothingResult, t: Translator) -> str:
    seeds = len(result.params.seeds)
    if seeds == 1 and len(result.heads) == 1:
        return t("One seed.")
    if len(result.heads) == 1:
        return t("Lines: means of {count} seeds; bands: all of them.", count=seeds)
    if seeds == 1:
        return t("One seed; bands hold every number of heads.")
    return t("Lines: means of {count} seeds; bands hold every seed and number of heads.",
             count=seeds)  # fmt: skip


def _most(result: SmoothingResult, t: Translator) -> tuple[Reference, ...]:
    """Return the largest rank there can be."""
    most = min(result.params.T, result.params.d_model)
    return (Reference(float(most), t("at most {most}", most=most), "y"),)


def _table(result: SmoothingResult, measure: Measure) -> Table:
    columns = ("residual", "heads", "seed", "layer", _COLUMNS[measure])
    rows = tuple(
        (residual, heads, seed, layer, value)
        for residual, heads in _keys(result)
        for seed, values in zip(
            result.params.seeds, result.of(measure)[residual, heads].tolist(), strict=True
        )
        for layer, value in enumerate(values)
    )
    return Table(columns, rows)

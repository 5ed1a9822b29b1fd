"""The weights of one lookup against the temperature: from one key that takes all to 1/n."""

from __future__ import annotations

import numpy as np

from engine.experiments.lookup.soft import Result
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.lookup.common import WIDE, table_stem, words_of
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.digits import digits
from pages.text.lookup_words import similarity_words, temperature_words, weight_text

_APART = 1e-3  # two weights that differ by more are seen apart


def temperature_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw one line for each key, the chosen temperature and equal weights marked."""
    t, params = translator(style.language), result.params
    title = t("Weights against the temperature")
    note = t.sentences(_setting(result, t), _ends(result, t), _parted(result, t))
    n, chosen = len(params.names), float(params.temperature)
    # Two keys of one score have one line: the later one lies above the earlier.
    series = [
        Series(name, tuple(result.curve[:, index].tolist()), series_colour(index, style.theme))
        for index, name in enumerate(params.names)
    ]
    marked = t("temperature {value}", value=temperature_words(params))
    return line_figure(
        tuple(result.temperatures.tolist()),
        series,
        style,
        words_of(table_stem("temperature", params), title, note, "weights", t, _spoken(result, t)),
        x_axis=Axis(t("temperature"), scale="log10"),
        y_axis=Axis(t("weight"), 0.0, 1.0),
        table=_table(result),
        references=(Reference(chosen, marked), *_even(n)),
        dots=(chosen,),
        legend=True,
        screen=screen,
    )


def _even(n: int) -> tuple[Reference, ...]:
    """Return the weight that every key has where all are alike."""
    return (Reference(1 / n, f"1/{n}", "y"),) if n > 1 else ()


def _setting(result: Result, t: Translator) -> str:
    return t(
        "Weights are softmax of score ÷ temperature; similarity: {similarity}.",
        similarity=similarity_words(result.params.similarity, t),
    )


def _ends(result: Result, t: Translator) -> str:
    """Return what the weights go to on either side."""
    n, nearest = len(result.params.names), result.nearest
    if n == 1:
        return t("One key has weight 1 at every temperature.")
    if len(nearest) == n:
        return t(
            "All scores are equal, so every weight is 1/{count} at every temperature.", count=n
        )
    if len(nearest) > 1:
        return t(
            "Towards temperature 0 the {some} keys with the largest score share all of the weight; "
            "towards infinity every weight goes to 1/{count}.",
            some=len(nearest),
            count=n,
        )
    return t(
        "Towards temperature 0 all of the weight goes to {name}; towards infinity every weight "
        "goes to 1/{count}.",
        name=result.params.names[nearest[0]],
        count=n,
    )


def _parted(result: Result, t: Translator) -> str:
    """Return where the lines of equal scores part all the same: their rounding is divided too."""
    tied = result.curve[:, list(result.nearest)]
    apart = np.flatnonzero(np.ptp(tied, axis=1) > _APART)
    if not len(apart):
        return ""
    return t(
        "At temperature {temperature} and below, the lines of equal scores part: the rounding of "
        "{precision} is divided by the temperature as well.",
        temperature=digits(float(result.temperatures[apart[-1]]), 2),
        precision=result.precision,
    )


def _spoken(result: Result, t: Translator) -> str:
    weights = t.clauses(
        t("{name}: {value}", name=name, value=weight_text(float(weight)))
        for name, weight in zip(result.params.names, result.soft.weights, strict=True)
    )
    return t("At temperature {temperature}: {weights}.",
             temperature=temperature_words(result.params), weights=weights)  # fmt: skip


def _table(result: Result) -> Table:
    e = result.curve_output.shape[1]
    outputs = ["output"] if e == 1 else [f"output {place + 1}" for place in range(e)]
    columns = ("temperature", *(f"weight of {name}" for name in result.params.names), *outputs)
    rows = tuple(
        (float(temperature), *weights.tolist(), *output.tolist())
        for temperature, weights, output in zip(
            result.temperatures, result.curve, result.curve_output, strict=True
        )
    )
    return Table(columns, rows)

"""What softmax makes of the scores at every width and under every rule."""

from __future__ import annotations

import math
from typing import Literal

from engine.experiments.scaling.pair import Pair
from engine.experiments.scaling.saturation import (
    RULES,
    TABLE,
    Rule,
    SaturationResult,
)
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.numerals import number, number_in_full
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import HALF_NAMED, WIDE, rule_colour, rule_kind, stem, words_of
from pages.figures.scaling.saturation_table import SIZES, SaturationTable
from pages.figures.series import series_colour
from pages.figures.slide import open_sheet
from pages.text import Translator, mark, translator
from pages.text.scaling_readings import pair_words, rows_words, sharpness_words
from pages.text.scaling_words import measure_words, rule_sign, rule_words, text_words

Measure = Literal["largest", "effective", "saturated", "jacobian"]
_PADDING = 6.0  # on screen
_WAYS: tuple[Rule, Rule] = ("unscaled", "sqrt")
_TITLES: dict[Measure, str] = {
    "largest": mark("How much the largest weight takes"),
    "effective": mark("How many keys share the weight"),
    "saturated": mark("How many rows are saturated"),
    "jacobian": mark("How large the Jacobian of softmax is"),
}


def saturation_figure(
    result: SaturationResult,
    style: Style,
    measure: Measure = "largest",
    *,
    screen: Screen = HALF_NAMED,
) -> Figure:
    """Draw one measure against d_k, one line a rule."""
    t = translator(style.language)
    d_ks = tuple(float(d_k) for d_k in result.d_ks)
    series = tuple(_line(result, measure, rule, style, t) for rule in RULES)
    title = t(_TITLES[measure])
    note = t.sentences(sharpness_words(result, measure, t), rows_words(result, t))
    return line_figure(
        d_ks,
        series,
        style,
        words_of(stem("saturation", measure, f"S{result.params.keys}"), title, note, "weights", t),
        x_axis=Axis("d_k", scale="log2", ticks=d_ks),
        y_axis=_y_axis(measure, t),
        table=_table(result, t),
        references=_levels(result, measure),
        dots=d_ks,
        symbols=True,
        screen=screen,
    )


def _line(
    result: SaturationResult, measure: Measure, rule: Rule, style: Style, t: Translator
) -> Series:
    values = tuple(float(getattr(result.found[d_k, rule], measure)) for d_k in result.d_ks)
    name = rule_sign(rule, result.params.exponent, t)
    return Series(name, values, rule_colour(rule, style), kind=rule_kind(rule))


def _y_axis(measure: Measure, t: Translator) -> Axis:
    most = 1.0 if measure in ("largest", "saturated") else None
    return Axis(measure_words(measure, t), 0.0, most)


def _levels(result: SaturationResult, measure: Measure) -> tuple[Reference, ...]:
    """Return what equal weights would give."""
    S = result.params.keys
    if measure == "largest":
        return (Reference(1 / S, f"1/{S:,}", "y"),)
    if measure == "effective":
        return (Reference(float(S), f"S = {S:,}", "y"),)
    return ()


def _table(result: SaturationResult, t: Translator) -> Table:
    columns = ("d_k", "rule", "mean largest weight", "standard error", "mean effective keys",
               "standard error of effective keys", "share of rows over 0.99",
               "mean norm of the Jacobian", "standard error of the norm")  # fmt: skip
    rows = tuple(
        (d_k, rule_words(rule, result.params.exponent, t), found.largest, found.largest_error,
         found.effective, found.effective_error, found.saturated, found.jacobian,
         found.jacobian_error)
        for (d_k, rule), found in sorted(
            result.found.items(), key=lambda item: (item[0][0], RULES.index(item[0][1]))
        )
    )  # fmt: skip
    return Table(columns, rows)


def pair_figure(pair: Pair, style: Style, *, screen: Screen = HALF_NAMED) -> Figure:
    """Draw both weights against the temperature, the chosen one marked."""
    t = translator(style.language)
    curve = dict(zip(pair.temperatures.tolist(), pair.curve.tolist(), strict=True))
    curve[pair.temperature] = pair.weights.tolist()
    rows = tuple((place, *curve[place]) for place in sorted(curve))
    first, second = scores = [number_in_full(float(score)) for score in pair.scores]
    chosen = t("temperature {value}", value=number_in_full(float(pair.temperature)))
    title = t("Two scores, {first} and {second}, divided by a temperature", first=first,
              second=second)  # fmt: skip
    return line_figure(
        tuple(place for place, *_ in rows),
        [_weight_line(rows, place, score, style, t) for place, score in enumerate(scores)],
        style,
        words_of(_pair_stem(pair), title, pair_words(pair, t), "weights", t),
        x_axis=Axis(t("temperature"), scale="log10"),
        y_axis=Axis(t("weight"), 0.0, 1.0),
        table=Table(
            ("temperature", f"weight of score 1 ({first})", f"weight of score 2 ({second})"), rows
        ),
        references=(Reference(pair.temperature, chosen),),
        dots=(pair.temperature,),
        screen=screen,
    )


def _weight_line(
    rows: tuple[tuple[float, ...], ...], place: int, score: str, style: Style, t: Translator
) -> Series:
    name, colour = t("score {score}", score=score), series_colour(place, style.theme)
    return Series(name, tuple(row[1 + place] for row in rows), colour)


def _pair_stem(pair: Pair) -> str:
    first, second = pair.scores
    return stem("pair", f"{first:g}", f"{second:g}", f"t{pair.temperature:g}")


def saturation_table_figure(result: SaturationResult, style: Style) -> Figure:
    """Draw the text's table of four widths, its words beside the measured numbers."""
    t = translator(style.language)
    title = t("Four widths: the text's words and the measured numbers")
    note = t.sentences(
        t("The stronger the colour, the nearer to one key that takes all the weight."),
        rows_words(result, t),
    )
    size = SIZES[style.size]
    if style.size == "screen":
        height = size.head + size.row * len(TABLE) + 2 * _PADDING
        canvas = Canvas(WIDE.width, height, style.colours, transparent=style.transparent)
        left, top, width, room = 0.0, _PADDING, WIDE.width, height - 2 * _PADDING
    else:
        canvas, (left, top, width, room) = open_sheet(style, title, note, "weights")
    table = SaturationTable(canvas, result, style)
    table.shrink(room)
    table.draw(left + (width - size.total) / 2, top + (room - table.height) / 2)
    alt = t.sentences(t("{title}.", title=title), _table_words(result, t), note)
    name = stem("saturation-table", f"S{result.params.keys}")
    return Figure(name, title, canvas.spec(alt), _words_table(result, t), note, alt)


def _table_words(result: SaturationResult, t: Translator) -> str:
    parts = [
        t(
            "d_k = {d_k}: {words}; largest weight {unscaled}, divided {scaled}",
            d_k=f"{d_k:,}",
            words=text_words(d_k, False, t),
            unscaled=number(result.found[d_k, "unscaled"].largest, 3),
            scaled=number(result.found[d_k, "sqrt"].largest, 3),
        )
        for d_k in TABLE
    ]
    return t("{parts}.", parts=t.clauses(parts))


def _words_table(result: SaturationResult, t: Translator) -> Table:
    columns = ("d_k", "standard deviation by the text", "rule", "the text says",
               "mean largest weight", "mean effective keys", "share of rows over 0.99")  # fmt: skip
    rows = tuple(
        (d_k, math.isqrt(d_k) if rule == "unscaled" else 1, rule_words(rule, 0.0, t),
         text_words(d_k, rule == "sqrt", t), found.largest, found.effective, found.saturated)
        for d_k in TABLE
        for rule in _WAYS
        for found in (result.found[d_k, rule],)
    )  # fmt: skip
    return Table(columns, rows)

"""Weight and effect of each key side by side, as bars with their numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.experiments.context.knock import KnockResult
from pages.figures.context.bar_table import (
    FEWEST,
    ROUNDING,
    Bar,
    BarTable,
    Column,
    TableRow,
    decimals_of,
    most_rows,
)
from pages.figures.context.knock import knock_table
from pages.figures.context.knock_points import standing_out
from pages.figures.context.knock_words import name_of, note_of, spoken
from pages.figures.context.look import strongest
from pages.figures.figure import Figure, Style
from pages.figures.numerals import number
from pages.figures.panel import SCREEN_PADDING, Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.text import Translator, translator
from pages.text.context_knock import key_words, query_name
from pages.text.context_names import is_numbered, token_names

SCREEN = Screen(868.0, 420.0)


@dataclass(frozen=True)
class _Plan:
    """The keys that have a row, rising, from 0, and how many of their names have a number."""

    keys: tuple[int, ...]
    count: int
    numbered: bool


def knock_bars_figure(result: KnockResult, style: Style) -> Figure:
    """Draw one row a key: its weight, and the effect of cutting it."""
    t = translator(style.language)
    plan, note = settled(
        note_of(result, t),
        lambda note: room_of(style, note, SCREEN),
        lambda room: _planned(result, most_rows(style, room[3])),
        lambda plan: t.sentences(_tinted(result, plan, t), _left_out(plan, t)),
        t,
    )
    title = t("Weight and effect of each key")
    words = words_of(name_of(result, "knock-bars"), title, note, "output", t, spoken(result, t))
    table = _fitted(result, plan, style, t)
    table.shrink(room_of(style, note, SCREEN)[3])
    screen = replace(SCREEN, height=math.ceil(table.height + 2 * SCREEN_PADDING - ROUNDING))
    canvas, (left, top, _, height) = open_plot(style, words, screen)
    table.draw(canvas, left, top + max(0.0, height - table.height) * 0.3)
    return Figure(words.name, title, canvas.spec(words.alt), knock_table(result), note, words.alt)


def _planned(result: KnockResult, most: int) -> _Plan:
    """Return the keys with the largest weights and effects, each as a share of the largest."""
    weights, effects = result.weights, np.nan_to_num(result.effects)
    shares = [each / (each.max() or 1.0) for each in (weights, effects)]
    always = tuple(sorted(standing_out(result)))
    keys = strongest(np.maximum(*shares), most, always)
    names = token_names(result.study)
    numbered = any(is_numbered(names[key], result.study, key) for key in keys)
    return _Plan(keys, result.study.length, numbered)


def _tinted(result: KnockResult, plan: _Plan, t: Translator) -> str:
    """Return which rows are set apart, and why."""
    tops, token = standing_out(result), query_name(result, t)
    if result.query not in plan.keys or result.query in tops:
        return t("Tinted rows: the keys with most weight and most effect.") if tops else ""
    if not tops:
        return t("Tinted row: {token} itself.", token=token)
    return t("Tinted rows: the keys with most weight and most effect, and {token} itself.",
             token=token)  # fmt: skip


def _left_out(plan: _Plan, t: Translator) -> str:
    few = ""
    if len(plan.keys) < plan.count:
        few = t("Of {count} keys, the {shown} with most weight or effect have a row.",
                count=plan.count, shown=len(plan.keys))  # fmt: skip
    numbered = t("A number after a token is its position.") if plan.numbered else ""
    return t.sentences(few, numbered)


def _fitted(result: KnockResult, plan: _Plan, style: Style, t: Translator) -> BarTable:
    """Return the table with as many decimals as leave its bars long enough."""
    width = room_of(style, "", SCREEN)[2]
    for decimals in range(max(FEWEST, style.decimals), FEWEST - 1, -1):
        table = BarTable(style, _rows(result, plan, t), _columns(result, plan, style, decimals, t),
                         width)  # fmt: skip
        if table.fits:
            break
    return table


def _rows(result: KnockResult, plan: _Plan, t: Translator) -> list[TableRow]:
    names = token_names(result.study)
    return [
        TableRow(
            names[key],
            key_words(result, key, t),
            _role(result, key),
            quiet=math.isnan(result.effects[key]),
        )
        for key in plan.keys
    ]


def _role(result: KnockResult, key: int) -> str:
    """Return the role whose colour sets a row apart."""
    if key in standing_out(result):
        return "key"
    return "query" if key == result.query else ""


def _columns(
    result: KnockResult, plan: _Plan, style: Style, decimals: int, t: Translator
) -> list[Column]:
    """Return the bars of the weights and those of the effects, each on a scale of its own."""
    roles = style.colours.roles
    keys = list(plan.keys)
    return [
        _column(t("weight"), result.weights[keys].tolist(), roles["weights"], 0, decimals),
        _column(t("effect"), result.effects[keys].tolist(), roles["output"], 1, decimals),
    ]


def _column(title: str, values: list[float], colour: str, look: int, decimals: int) -> Column:
    digits = decimals_of(values, decimals)
    return Column(title, (Bar("", tuple(values), colour, look),), lambda v: number(v, digits))

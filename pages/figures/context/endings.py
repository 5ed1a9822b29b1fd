"""The row of one token in two texts: paired bars, the weights, and what the change is."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.experiments.context.endings import EndingsResult
from pages.figures.context.bar_table import (
    FEWEST,
    ROUNDING,
    Bar,
    BarTable,
    Column,
    TableRow,
    most_rows,
)
from pages.figures.context.ending_parts import endings_stem, origin_words, text_colours
from pages.figures.context.endings_rows import Plan, Row, planned
from pages.figures.context.endings_view import EndingsView
from pages.figures.figure import Figure, Style, Table
from pages.figures.numerals import number
from pages.figures.panel import SCREEN_PADDING, Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.text import Translator, translator
from pages.text.context_endings import head_words, query_name
from pages.text.context_names import ending_names, head_name

SCREEN = Screen(868.0, 420.0)


def endings_figure(result: EndingsResult, view: EndingsView, style: Style) -> Figure:
    """Draw one row for each token: its weight in both texts, and the difference."""
    t, where = translator(style.language), view.at(result)
    plan, note = settled(
        t.sentences(_said(result, view, t), origin_words(result, t)),
        lambda note: room_of(style, note, SCREEN),
        lambda room: planned(result, where, most_rows(style, room[3]), t),
        lambda plan: _left_out(plan, query_name(result, t), t),
        t,
    )
    name = endings_stem("endings", result, view)
    title = t("Where {token} looks under both endings", token=query_name(result, t))
    alt = head_words(result, view.layer, view.head, t)
    words = words_of(name, title, note, "weights", t, alt)
    table = _fitted(plan, ending_names(result, t), style, t)
    table.shrink(room_of(style, note, SCREEN)[3])
    screen = replace(SCREEN, height=math.ceil(table.height + 2 * SCREEN_PADDING - ROUNDING))
    canvas, (left, top, _, height) = open_plot(style, words, screen)
    table.draw(canvas, left, top + max(0.0, height - table.height) * 0.3)
    return Figure(name, title, canvas.spec(words.alt), _table(result, where), note, words.alt)


def _said(result: EndingsResult, view: EndingsView, t: Translator) -> str:
    first, second = ending_names(result, t)
    return t(
        "Weights of {token} in {place}; the difference is {second} minus {first}.",
        token=query_name(result, t),
        place=head_name(view.layer, view.head, t),
        first=first,
        second=second,
    )


def _left_out(plan: Plan, token: str, t: Translator) -> str:
    """Return what rows are set apart, which tokens have none, what a number after a token is."""
    tinted, few = t("Tinted rows: the two words compared, and {token} itself.", token=token), ""
    if plan.shown < plan.shared:
        few = t("Of {count} shared tokens {shown} have a row: the words compared, and those with "
                "most weight or change.", count=plan.shared, shown=plan.shown)  # fmt: skip
    numbered = t("A number after a token is its position.") if plan.numbered else ""
    return t.sentences(tinted, few, numbered)


def _fitted(plan: Plan, names: tuple[str, str], style: Style, t: Translator) -> BarTable:
    """Return the table with as many decimals as leave its bars long enough."""
    width = room_of(style, "", SCREEN)[2]
    for decimals in range(max(FEWEST, style.decimals), FEWEST - 1, -1):
        table = BarTable(style, _rows(plan, names, t), _columns(plan, names, style, decimals, t),
                         width)  # fmt: skip
        if table.fits:
            break
    return table


def _rows(plan: Plan, names: tuple[str, str], t: Translator) -> list[TableRow]:
    return [
        TableRow(row.name, _tip(row, names, t), row.role, row.quiet, row.plain) for row in plan.rows
    ]


def _tip(row: Row, names: tuple[str, str], t: Translator) -> str:
    return t(
        "{name}: {a} with {first}, {b} with {second}, difference {change}",
        name=row.name,
        a=number(row.first, 4),
        first=names[0],
        b=number(row.second, 4),
        second=names[1],
        change=signed(row.change, 4),
    )


def _columns(
    plan: Plan, names: tuple[str, str], style: Style, decimals: int, t: Translator
) -> list[Column]:
    """Return the paired bars of both texts, and those of the difference."""
    colours = text_colours(style)
    both = tuple(
        Bar(name, tuple(getattr(row, side) for row in plan.rows), colour, place)
        for place, (name, side, colour) in enumerate(
            zip(names, ("first", "second"), colours, strict=True)
        )
    )
    change = Bar("", tuple(row.change for row in plan.rows), colours[1], 1)
    below = Bar("", (), colours[0], 0)
    return [
        Column(t("weight"), both, lambda value: number(value, decimals)),
        Column(t("difference"), (change,), lambda value: signed(value, decimals), below, 0.62),
    ]


def signed(value: float, decimals: int) -> str:
    """Return a difference with its sign; one that rounds to 0 has none."""
    text = number(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def _table(result: EndingsResult, where: tuple[int, int]) -> Table:
    columns = ("token", "position in the first text", "position in the second text",
               "weight in the first text", "weight in the second text", "difference")  # fmt: skip
    rows: list[tuple[object, ...]] = []
    for place, (first, second) in enumerate(result.shared):
        one, other = result.rows[:, *where, place].tolist()
        rows.append((result.first.tokens[first], first + 1, second + 1, one, other, other - one))
    one, other = result.rest[:, *where].tolist()
    rows.append(("not shared", "", "", one, other, other - one))
    return Table(columns, tuple(rows))

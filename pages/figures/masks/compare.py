"""Two masks compared: weights, their difference, and the change of every output."""

from __future__ import annotations

import numpy as np

from engine.experiments.masks import Result, Side
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.masks.common import (
    common_limit,
    empty_words,
    input_words,
    labels_of,
    named_tokens,
    spec_stem,
    stem,
)
from pages.figures.measure import text_width
from pages.figures.numerals import measured_number
from pages.figures.panel import Screen, Words, sizes_of
from pages.figures.panels import Panel, panels_figure
from pages.figures.plot import Axis, bar_figure, line_figure
from pages.text import Translator, translator
from pages.text.mask_words import spec_words

# Two figures of this size stand side by side on a page of 1280 pixels.
HALF_SCREEN = Screen(424.0, 368.0, edges=(68.0, 312.0))
_TITLE_ROOM = 300.0  # pixels above the cells of a difference
MOST_BARS = 24
_MOST_NAMED_BARS = 12


def weights_figure(result: Result, style: Style) -> Figure:
    """Draw the weights under both masks side by side, on one colour scale."""
    t = translator(style.language)
    labels = labels_of(result.head, result.params)
    a, b = (spec_words(side.spec, t, inside=True) for side in (result.a, result.b))
    title = t("Attention weights under two masks: {a} and {b}", a=a, b=b)
    note = _weights_note(result, t)
    panels = tuple(
        Panel(
            spec_words(side.spec, t),
            side.trace.weights,
            masked=~side.visible,
            row_labels=labels,
            column_labels=labels,
            limit=_limit(result),
        )
        for side in (result.a, result.b)
    )
    return panels_figure(
        panels,
        style,
        Words(
            stem("weights", result.params, result.head, result.a.spec, result.b.spec),
            title,
            note,
            _alt(title, note, len(result.head.tokens), t),
        ),
        row_title=t("query"),
        column_title=t("key"),
        table=_weights_table(result),
    )


def _limit(result: Result) -> float | None:
    """Return the end of the scale where a few large weights would leave the others without colour.

    Under a causal mask the first row holds one weight of 1, however small all others are.
    """
    shown = [side.trace.weights[side.visible] for side in (result.a, result.b)]
    return common_limit(np.concatenate(shown))


def _alt(title: str, note: str, T: int, t: Translator) -> str:
    size = t("Two heatmaps of {T} × {T} cells.", T=T)
    return t.sentences(t("{title}.", title=title), size, note)


def _weights_note(result: Result, t: Translator) -> str:
    cells = result.a.visible.size
    said = [
        t("Scores and colour scale are the same in both; only the mask differs."),
        t(
            "{a} hides {count_a} of {cells} cells, {b} hides {count_b}.",
            a=spec_words(result.a.spec, t),
            b=spec_words(result.b.spec, t, inside=True),
            count_a=int((~result.a.visible).sum()),
            count_b=int((~result.b.visible).sum()),
            cells=cells,
        ),
    ]
    said += _empty(result, t)
    return t.sentences(*said, input_words(result.params, t))


def _empty(result: Result, t: Translator) -> list[str]:
    labels = labels_of(result.head, result.params)
    return [empty_words(side.spec, side.empty_rows, labels, t) for side in (result.a, result.b)]


def _weights_table(result: Result) -> Table:
    sides = (("a", result.a), ("b", result.b))
    blocks = [(_side_name(name, side), _columns(side)) for name, side in sides]
    return cells_table(blocks, result.head.tokens, result.head.tokens)


def _side_name(name: str, side: Side) -> str:
    return f"{name}: {spec_stem(side.spec)}"


def _columns(side: Side) -> dict[str, np.ndarray]:
    return {"visible": side.visible, "weight": side.trace.weights}


def difference_figure(result: Result, style: Style) -> Figure:
    """Draw weights of b minus weights of a; 424 pixels wide on screen."""
    t = translator(style.language)
    words = _names_inside(result, t)
    title = t("Weights under {b} minus weights under {a}", **words)
    note = _difference_note(result, t)
    return panels_figure(
        (_difference_panel(result, _difference_title(result, style, t), t),),
        style,
        Words(
            stem("difference", result.params, result.head, result.a.spec, result.b.spec),
            title,
            note,
            t.sentences(t("{title}.", title=title), note),
            "scores",
        ),
        row_title=t("query"),
        column_title=t("key"),
        table=_difference_table(result),
        screen=HALF_SCREEN,
    )


def _difference_panel(result: Result, title: str, t: Translator) -> Panel:
    labels = labels_of(result.head, result.params)
    seen = result.a.visible | result.b.visible
    return Panel(
        title,
        result.difference,
        "scores",
        masked=~seen,
        row_labels=labels,
        column_labels=labels,
        measure=t("difference"),
        limit=common_limit(np.abs(result.difference[seen])),
    )


def _difference_table(result: Result) -> Table:
    name = f"b: {spec_stem(result.b.spec)} minus a: {spec_stem(result.a.spec)}"
    quantities = {
        "visible under a": result.a.visible,
        "visible under b": result.b.visible,
        "difference": result.difference,
    }
    tokens = result.head.tokens
    return cells_table([(name, quantities)], tokens, tokens, ("masks", "query", "key"))


def _names_inside(result: Result, t: Translator) -> dict[str, str]:
    """Return both masks in the words that stand inside a title."""
    sides = (("a", result.a), ("b", result.b))
    return {name: spec_words(side.spec, t, inside=True) for name, side in sides}


def _difference_title(result: Result, style: Style, t: Translator) -> str:
    """Return the title above the cells, short enough for its place; a sheet has a title already."""
    if style.size != "screen":
        return ""
    a, b = spec_words(result.a.spec, t, inside=True), spec_words(result.b.spec, t)
    title = t("{b} minus {a}", a=a, b=b)
    size = sizes_of(style).label
    return title if text_width(title, size, True) <= _TITLE_ROOM else t("Mask B minus mask A")


def _difference_note(result: Result, t: Translator) -> str:
    b = spec_words(result.b.spec, t, inside=True)
    if not result.difference.any():
        return t("Every weight is the same to the last bit.")
    said = [
        t("Pink: more weight under {b}; green: less.", b=b),
        _extremes(result, t),
    ]
    if (~(result.a.visible | result.b.visible)).any():
        said.append(t("Hatched cells are hidden by both masks."))
    same = np.flatnonzero(~result.difference.any(axis=1)).tolist()
    if same:
        labels = labels_of(result.head, result.params)
        said.append(
            t(
                "The weights of query {queries} do not change.",
                queries=named_tokens(same, labels, t),
            )
            if len(same) == 1
            else t(
                "The weights of queries {queries} do not change.",
                queries=named_tokens(same, labels, t),
            )
        )
    return t.sentences(*said)


def _extremes(result: Result, t: Translator) -> str:
    return t(
        "The largest gain is {gain}, the largest loss {loss}.",
        gain=measured_number(float(result.difference.max(initial=0.0)), 3),
        loss=measured_number(float(-result.difference.min(initial=0.0)), 3),
    )


def output_change_figure(result: Result, style: Style) -> Figure:
    """Draw how far each output moves from a to b; 424 pixels wide on screen."""
    t = translator(style.language)
    tokens, moved = result.head.tokens, tuple(result.moved.tolist())
    words = _names_inside(result, t)
    title = t("How far each output moves from {a} to {b}", **words)
    note = _moved_note(result, t)
    named = Words(
        stem("output-change", result.params, result.head, result.a.spec, result.b.spec),
        title,
        note,
        t.sentences(t("{title}.", title=title), note),
        "output",
    )
    table = Table(
        ("position", "label", "largest change of an output component"),
        tuple(zip(range(1, len(tokens) + 1), tokens, moved, strict=True)),
    )
    series = (Series(t("change"), moved, style.colours.roles["output"]),)
    axis = Axis(t("largest change of a component"), 0.0, _moved_end(result))
    if len(tokens) > MOST_BARS:
        x = tuple(float(place) for place in range(1, len(tokens) + 1))
        return line_figure(
            x, series, style, named, x_axis=Axis(t("position")), y_axis=axis, table=table,
            screen=HALF_SCREEN,
        )  # fmt: skip
    positions = tuple(str(place + 1) for place in range(len(tokens)))
    groups = tokens if len(tokens) <= _MOST_NAMED_BARS else positions
    return bar_figure(
        groups, series, style, named, x_title=t("output of token"), y_axis=axis, table=table,
        screen=HALF_SCREEN, measured=True,
    )  # fmt: skip


def _moved_end(result: Result) -> float | None:
    """Return the end of the axis: what is rounding alone must not fill it."""
    if result.moves or not result.moved.any():
        return None
    return float(np.abs(result.a.trace.output).max(initial=0.0)) or 1.0


def _moved_note(result: Result, t: Translator) -> str:
    moved, labels = result.moved, labels_of(result.head, result.params)
    if not moved.any():
        return t("Every output is the same to the last bit.")
    first = int(moved.argmax())
    if not result.moves:
        value = measured_number(float(moved[first]), 3)
        return t("No output moves beyond rounding: by {size} at most.", size=value)
    said = [
        t(
            "The output of token {token} moves most, by {value}.",
            token=named_tokens([first], labels, t),
            value=measured_number(float(moved[first]), 3),
        )
    ]
    still = np.flatnonzero(moved == 0).tolist()
    if still:
        said.append(t("To the last bit unmoved: {tokens}.", tokens=named_tokens(still, labels, t)))
    return t.sentences(*said)

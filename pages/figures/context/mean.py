"""One token in every head of a layer, and the mean over the heads, which hides what they do."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from engine.shapes import Array
from pages.figures.context.look import Look, look_at, strongest
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import (
    TIP_DECIMALS,
    common_words,
    few_words,
    named_on_screen,
    stem,
    token_words,
    way_of,
)
from pages.figures.context.token_grid import Side, TokenGrid, grid_in
from pages.figures.context.token_matrix import (
    TokenMatrix,
    bar_room,
    draw_token_matrix,
    limit_of,
)
from pages.figures.figure import Figure, SizeName, Style, Table
from pages.figures.matrix_words import beyond_limit
from pages.figures.numerals import number
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.figures.slide import Room
from pages.text import Translator, mark, translator
from pages.text.context_amounts import tied_at_top

SCREEN = Screen(868.0, 380.0)
# Tokens whose names have room along the columns.
_MOST: dict[SizeName, int] = {"screen": 44, "slide": 40, "half": 18, "square": 21}


def mean_figure(study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the row of one token in every head of a layer; 868 pixels wide on screen.

    A click on a cell of a head gives its layer and its head, from 0.
    """
    t, look = translator(style.language), look_at(study, view)
    look.require_row()
    token = token_words(study, look.query, t)
    title = t("Layer {layer}: where token {token} looks, head by head", layer=look.layer + 1,
              token=token)  # fmt: skip
    weights = _with_mean(look)
    columns = strongest(weights.max(axis=0), _MOST[style.size])
    shown = _matrix(look, weights, columns, t)
    grid, note = settled(
        _note(look, weights, columns, t),
        lambda said: room_of(style, said, screen),
        lambda room: _grid(shown, style, room),
        lambda _: _beyond(shown, t),
        t,
    )
    name = stem("mean", look, f"L{look.layer + 1}", f"H{look.head + 1}", f"token{look.query + 1}")
    words = named_on_screen(words_of(name, title, note, "weights", t), style, t)
    canvas, _ = open_plot(style, words, screen)
    draw_token_matrix(canvas, style, shown, grid)
    table = _table(look, weights)
    return Figure(name, title, canvas.spec(words.alt), table, words.note, words.alt)


def _with_mean(look: Look) -> Array:
    """Return the weights (H + 1, t) of the query in every head, and their mean."""
    rows = np.asarray(look.rows, dtype=np.float64)
    return np.vstack([rows, rows.mean(axis=0)])


def _matrix(look: Look, weights: Array, columns: tuple[int, ...], t: Translator) -> TokenMatrix:
    heads = look.study.heads
    names = (*(str(head + 1) for head in range(heads)), t("mean"))
    values = weights[:, columns]
    hidden = np.broadcast_to(~look.seen[list(columns)], values.shape)
    return TokenMatrix(
        values,
        hidden,
        Side(t("head"), names, tuple(range(1, heads + 2)), look.head, t("mean")),
        Side(
            t("key"),
            tuple(look.tokens[at] for at in columns),
            tuple(int(look.places[at]) + 1 for at in columns),
        ),
        limit_of(values, hidden, 1 / values.shape[1]),
        partial(_tip, look, weights, columns, t),
        lambda row, _column: (look.layer, row) if row < heads else None,
    )


def _tip(
    look: Look, weights: Array, columns: tuple[int, ...], t: Translator, row: int, column: int
) -> str:
    key = token_words(look.study, int(look.places[columns[column]]), t)
    value = number(float(weights[row, columns[column]]), TIP_DECIMALS)
    if row == look.study.heads:
        return t("mean of all heads, on token {key}: {value}", key=key, value=value)
    return t("head {head}, on token {key}: {value}", head=row + 1, key=key, value=value)


def _grid(shown: TokenMatrix, style: Style, room: Room) -> TokenGrid:
    bar = bar_room(shown.limit, style)
    split = len(shown.rows.names) - 1
    return grid_in(room, style, shown.rows, shown.columns, split=split, stretch=1.7, bar=bar)


def _beyond(shown: TokenMatrix, t: Translator) -> str:
    return beyond_limit(shown.limit, t) if shown.values.max() > shown.limit else ""


_LARGEST: dict[Specials, str] = {
    "shown": mark("The mean is largest on token {token}, {weight}."),
    "hidden": mark("Of the tokens shown, the mean is largest on token {token}, {weight}."),
    "renormalised": mark(
        "Of what special tokens leave, the mean is largest on token {token}, {weight}."
    ),
}
_TIED: dict[Specials, str] = {
    "shown": mark("The mean is largest on {count} tokens alike, {weight} each."),
    "hidden": mark("The mean is largest on {count} of the tokens shown alike, {weight} each."),
    "renormalised": mark(
        "Of what special tokens leave, the mean is largest on {count} tokens alike, {weight} each."
    ),
}


def _note(look: Look, weights: Array, columns: tuple[int, ...], t: Translator) -> str:
    return t.sentences(
        mean_words(look, weights, t),
        _hidden_by_mean(look, t),
        t("The frame marks head {head}.", head=look.head + 1),
        few_words(len(columns), len(look.tokens), t),
        common_words(look, t),
    )


def mean_words(look: Look, weights: Array, t: Translator) -> str:
    """Return where the mean looks most, and how many heads look elsewhere."""
    *heads, mean = weights
    top, *tied = tied_at_top(mean)
    said = t(
        (_TIED if tied else _LARGEST)[way_of(look)],
        token=token_words(look.study, int(look.places[top]), t),
        weight=number(float(mean[top]), 3),
        count=len(tied) + 1,
    )
    if tied or len(heads) == 1:
        return said
    elsewhere = sum(top not in tied_at_top(head) for head in heads)
    return t.sentences(said, _elsewhere(elsewhere, len(heads), t))


def _hidden_by_mean(look: Look, t: Translator) -> str:
    """Return what a mean over several heads is not."""
    if look.study.heads == 1:
        return ""
    return t("The mean is no head of the model, and hides in what its heads differ.")


def _elsewhere(count: int, heads: int, t: Translator) -> str:
    """Return how many of several heads look more at another token than the mean does."""
    if count == 0:
        return t("Every head is largest there, too.")
    if count == 1:
        return t("One of {heads} heads looks more at another one.", heads=heads)
    return t("{count} of {heads} heads look more at another one.", count=count, heads=heads)


def _table(look: Look, weights: Array) -> Table:
    names = [*(str(head + 1) for head in range(look.study.heads)), "mean"]
    places, tokens = look.places.tolist(), look.tokens
    rows = tuple(
        (name, place + 1, tokens[at], value)
        for name, line in zip(names, weights.tolist(), strict=True)
        for at, (place, value) in enumerate(zip(places, line, strict=True))
    )
    return Table(("head", "key", "key token", "weight"), rows)

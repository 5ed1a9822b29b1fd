"""The weights of one head: a row for each token that looks, a column for each it looks at."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from engine.shapes import Array
from pages.figures.context.look import Look, look_at
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import (
    TIP_DECIMALS,
    common_words,
    head_stem,
    named_on_screen,
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
from pages.figures.figure import Figure, Style, Table
from pages.figures.matrix_cells import MOST_VECTOR_SIDE, block_of
from pages.figures.matrix_words import beyond_limit, shared_pixels
from pages.figures.numerals import number
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.figures.slide import Room
from pages.text import Translator, mark, translator

SCREEN = Screen(424.0, 420.0)


def head_figure(study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw one head as a matrix, the row of the query in a frame; 424 pixels wide on screen.

    A click on a cell, where cells or rows can be told apart, gives its query and its key as
    positions in the whole text, from 0.
    """
    t, look = translator(style.language), look_at(study, view)
    title = t("Layer {layer}, head {head}: all its weights", layer=look.layer + 1,
              head=look.head + 1)  # fmt: skip
    shown = _matrix(look, t)
    grid, note = settled(
        _note(look, t),
        lambda said: room_of(style, said, screen),
        lambda room: _grid(shown, style, room),
        lambda found: _left_out(shown, found, t),
        t,
    )
    name = head_stem("head", look)
    words = words_of(name, title, note, "weights", t, largest_words(look, t))
    words = named_on_screen(words, style, t)
    canvas, _ = open_plot(style, words, screen)
    draw_token_matrix(canvas, style, shown, grid)
    return Figure(name, title, canvas.spec(words.alt), _table(look), words.note, words.alt)


def _matrix(look: Look, t: Translator) -> TokenMatrix:
    weights = np.asarray(look.weights, dtype=np.float64)
    places = tuple(place + 1 for place in look.places.tolist())
    return TokenMatrix(
        weights,
        look.hidden,
        Side(t("query"), look.tokens, places, look.row),
        Side(t("key"), look.tokens, places),
        limit_of(weights, look.hidden, 1 / len(weights)),
        partial(_tip, look, weights, t),
        lambda row, column: (int(look.places[row]), int(look.places[column])),
    )


def _tip(look: Look, weights: Array, t: Translator, row: int, column: int) -> str:
    query, key = (token_words(look.study, int(look.places[at]), t) for at in (row, column))
    if look.hidden[row, column]:
        return t("token {query} on token {key}: hidden by the mask", query=query, key=key)
    value = number(float(weights[row, column]), TIP_DECIMALS)
    return t("token {query} on token {key}: {value}", query=query, key=key, value=value)


def _grid(shown: TokenMatrix, style: Style, room: Room) -> TokenGrid:
    split, bar = len(shown.rows.names), bar_room(shown.limit, style)
    return grid_in(room, style, shown.rows, shown.columns, split=split, stretch=1.25, bar=bar)


def _left_out(shown: TokenMatrix, found: TokenGrid, t: Translator) -> str:
    """Return what the pixels and the scale of colours do not show."""
    beyond = beyond_limit(shown.limit, t) if shown.values.max() > shown.limit else ""
    if max(shown.values.shape) <= MOST_VECTOR_SIDE:
        return beyond
    block = block_of(shown.values.shape, found.grid.width, found.grid.height)
    return t.sentences(shared_pixels(block, t), beyond)


def _note(look: Look, t: Translator) -> str:
    row = look.row
    marked = ""
    if row is not None:
        marked = t(
            "Marked: the row of token {token}.", token=token_words(look.study, look.query, t)
        )
    seen = t("A token sees none after it.") if look.study.causal else ""
    return t.sentences(marked, seen, common_words(look, t))


_LARGEST: dict[Specials, str] = {
    "shown": mark("The largest weight is {weight}, of token {query} on token {key}."),
    "hidden": mark(
        "Of the tokens shown, the largest weight is {weight}, of token {query} on token {key}."
    ),
    "renormalised": mark(
        "Of what special tokens leave, the largest part is {weight}, of token {query} on token "
        "{key}."
    ),
}


def largest_words(look: Look, t: Translator) -> str:
    """Return where the head has its largest weight."""
    query, key = np.unravel_index(int(look.weights.argmax()), look.weights.shape)
    return t(
        _LARGEST[way_of(look)],
        weight=number(float(look.weights[query, key]), 3),
        query=token_words(look.study, int(look.places[query]), t),
        key=token_words(look.study, int(look.places[key]), t),
    )


def _table(look: Look) -> Table:
    """Return one row a cell; above 128 tokens one row a query."""
    weights, places, tokens = look.weights.tolist(), look.places.tolist(), look.tokens
    if len(tokens) > MOST_VECTOR_SIDE:
        columns = tuple(f"{place + 1} {token}" for place, token in zip(places, tokens, strict=True))
        lines = zip(places, tokens, weights, strict=True)
        return Table(
            ("query", "query token", *columns),
            tuple((place + 1, token, *line) for place, token, line in lines),
        )
    rows = tuple(
        (query + 1, tokens[row], key + 1, tokens[column], weights[row][column])
        for row, query in enumerate(places)
        for column, key in enumerate(places)
    )
    return Table(("query", "query token", "key", "key token", "weight"), rows)

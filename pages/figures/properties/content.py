"""The weight that a token is given, against the place where it stands."""

from __future__ import annotations

from engine.experiments.properties.order import OrderResult
from pages.figures.board import named
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.masks.common import input_words
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.figures.properties.common import input_stem, words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.properties_words import content_words

SCREEN = Screen(868.0, 340.0)
_COLOURS = {False: 1, True: 2}  # without positions and with them
_MOST_DOTS = 24


def content_figure(result: OrderResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the weight of the moved token against its place, without positions and with them."""
    t, moves = translator(style.language), result.moves
    T = len(result.tokens)
    labels = () if result.params.source == "random" else result.tokens
    places = tuple(float(place) for place in range(1, T + 1))
    query, moved = named(moves.query, labels, t), named(moves.moved, labels, t)
    title = t("How much weight token {moved} gets from token {query}, wherever it is put",
              moved=moved, query=query)  # fmt: skip
    note = t.sentences(content_words(result, t), input_words(result.params, t))
    return line_figure(
        places,
        [_line(result, positions, style, t) for positions in (False, True)],
        style,
        words_of(_stem(result), title, note, "weights", t),
        x_axis=Axis(
            t("place of the moved token"),
            0.5 if T == 1 else None,
            1.5 if T == 1 else None,
            ticks=places if T <= _MOST_DOTS else (),
        ),
        y_axis=Axis(t("weight"), 0.0),
        table=_table(result),
        dots=places,
        screen=screen,
    )


def _line(result: OrderResult, positions: bool, style: Style, t: Translator) -> Series:
    moves = result.moves
    weights = moves.positions if positions else moves.without
    name = t("with positions") if positions else t("without positions")
    colour = series_colour(_COLOURS[positions], style.theme)
    return Series(name, tuple(weights.tolist()), colour, kind=int(positions))


def _table(result: OrderResult) -> Table:
    moves, tokens = result.moves, result.tokens
    ends = (moves.query + 1, tokens[moves.query], moves.moved + 1, tokens[moves.moved])
    pairs = zip(moves.without.tolist(), moves.positions.tolist(), strict=True)
    rows = tuple((*ends, place, *pair) for place, pair in enumerate(pairs, 1))
    columns = ("query", "query label", "moved token", "moved label", "place",
               "weight without positions", "weight with positions")  # fmt: skip
    return Table(columns, rows)


def _stem(result: OrderResult) -> str:
    moves = result.moves
    return input_stem("content", result.params, len(result.tokens), f"query{moves.query + 1}",
                      f"moved{moves.moved + 1}")  # fmt: skip

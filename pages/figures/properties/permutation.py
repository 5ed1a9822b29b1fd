"""Outputs of a sequence, and of the same tokens in another order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.experiments.properties.order import OrderResult
from engine.shapes import Array
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import SCREEN_PADDING, Screen, open_plot, room_of
from pages.figures.properties.common import fewer_decimals, input_stem, settled, words_of
from pages.figures.properties.permutation_board import PermutationBoard, Step
from pages.text import Translator, translator
from pages.text.properties_words import order_words, vectors_words

SCREEN = Screen(868.0, 400.0)
DELTA = "\N{GREEK CAPITAL LETTER DELTA}"
_NAMED = 12  # tokens of a permutation in a file name


def permutation_figure(
    result: OrderResult, style: Style, *, positions: bool = False, screen: Screen = SCREEN
) -> Figure:
    """Draw the outputs, those of the permuted tokens, these permuted back, and the difference.

    Parameters
    ----------
    result : OrderResult
    style : Style
    positions : bool
        Whether positions are added to the vectors.
    screen : Screen
        The most that the figure takes on screen.
    """
    t = translator(style.language)
    title = _title(positions, t)
    names = () if result.params.source == "random" else result.tokens
    steps = _steps(result, positions, t)
    note = t.sentences(
        t("A line follows each token to its new place and back."),
        t("Sinusoidal positions, E, are added by the place where a token stands.")
        if positions
        else "",
        order_words(result, positions, t),
        vectors_words(result.params, t),
    )
    board, note = settled(
        note,
        lambda said: room_of(style, said, screen),
        lambda room: PermutationBoard(steps, names, style, room),
        lambda board: fewer_decimals(board.decimals, style.decimals, t),
        t,
    )
    words = words_of(_stem(result, positions), title, note, "output", t)
    canvas, _ = open_plot(style, words, replace(screen, height=_height(board)))
    board.draw(canvas)
    spec = canvas.spec(words.alt)
    return Figure(words.name, title, spec, _table(result, positions), note, words.alt)


def _height(board: PermutationBoard) -> float:
    """Return the height of the figure on screen: no more than it needs."""
    return math.ceil(board.size[1] + 2 * SCREEN_PADDING)


def _title(positions: bool, t: Translator) -> str:
    if positions:
        return t("The outputs of permuted tokens, with positions")
    return t("The outputs of permuted tokens, without positions")


def _steps(result: OrderResult, positions: bool, t: Translator) -> tuple[Step, ...]:
    """Return the four matrices."""
    output, permuted = _outputs(result, positions)
    order, plain = result.permutation, tuple(range(len(result.tokens)))
    back = np.empty_like(permuted)
    back[list(order)] = permuted
    inside, moved = ("X + E", "PX + E") if positions else ("X", "PX")
    return (
        Step(f"f({inside})", t("outputs"), t("outputs"), output, plain),
        Step(f"f({moved})", t("of the permuted tokens"), t("permuted"), permuted, order),
        Step(f"P^T f({moved})", t("permuted back"), t("put back"), back, plain),
        Step(
            "\N{GREEK CAPITAL LETTER DELTA}", t("difference"), t("difference"), back - output, plain
        ),
    )


def _outputs(result: OrderResult, positions: bool) -> tuple[Array, Array]:
    if positions:
        return result.output_positions, result.output_positions_permuted
    return result.output, result.output_permuted


def _table(result: OrderResult, positions: bool) -> Table:
    steps, tokens = _steps(result, positions, translator("en")), result.tokens
    columns = ("matrix", "row", "position of its token", "token", "column", "value")
    rows = tuple(
        (step.caption, row + 1, step.rows[row] + 1, tokens[step.rows[row]], column + 1, value)
        for step in steps
        for row, values in enumerate(step.values.tolist())
        for column, value in enumerate(values)
    )
    return Table(columns, rows)


def _stem(result: OrderResult, positions: bool) -> str:
    """Return the file stem, with the permutation where it is short."""
    order, T = result.permutation, len(result.tokens)
    turned = order == tuple(reversed(range(T)))
    own = "reversed" if turned else "order" + "_".join(str(row + 1) for row in order[:_NAMED])
    return input_stem("permutation", result.params, T, own, "positions" if positions else "")

"""Self-attention as a graph: tokens in a ring, and every weight as an arrow as wide as it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.properties.graph import GraphResult
from engine.shapes import Array
from pages.figures.board import named
from pages.figures.figure import Figure, Style, Table
from pages.figures.masks.common import input_words
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import fewer_decimals, input_stem, settled, words_of
from pages.figures.properties.graph_drawing import draw_graph
from pages.figures.properties.graph_plan import Plan, labels_of_tokens, plan_of
from pages.text import Translator, translator
from pages.text.properties_words import shown_words

ALIKE = 1e-6  # weights this near are alike, in either precision
SCREEN = Screen(540.0, 400.0)  # beside the matrix


def graph_figure(result: GraphResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the tokens and the arrows of at least the threshold; 540 pixels wide on screen.

    An arrow runs from the token that is looked at to the token that looks, the way its message
    takes.
    """
    t = translator(style.language)
    title = t("Self-attention as a graph of messages")
    plan, note = _fitted(result, style, screen, t)
    name = graph_stem("graph", result)
    words = words_of(name, title, note, "weights", t, _alt(result, t))
    canvas, _ = open_plot(style, words, screen)
    draw_graph(canvas, result, plan, style)
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def graph_stem(word: str, result: GraphResult) -> str:
    """Return a file stem: ``properties-graph-textbook-T4-causal-from0.1``."""
    params = result.params
    causal = "causal" if params.causal else ""
    return input_stem(word, params, len(result.tokens), causal, f"from{params.threshold:g}")


def _fitted(result: GraphResult, style: Style, screen: Screen, t: Translator) -> tuple[Plan, str]:
    """Return where everything stands, and the note; a longer one leaves less room."""
    note = t.sentences(
        t(
            "An arrow runs from the token that is looked at to the token that looks; its width is "
            "the weight."
        ),
        shown_words(result, t),
        input_words(result.params, t),
    )
    return settled(
        note,
        lambda said: room_of(style, said, screen),
        lambda room: plan_of(result, style, room),
        lambda plan: _left_out(result, plan, style, t),
        t,
    )


def _left_out(result: GraphResult, plan: Plan, style: Style, t: Translator) -> str:
    """Return what does not fit."""
    if not result.shown:
        return ""
    if plan.decimals is None:
        return t("There is no room for the numbers of the arrows.")
    count, shown = sum(label is not None for label in plan.labels), len(plan.labels)
    if count == shown:
        return fewer_decimals(plan.decimals, style.decimals, t)
    if count == 1:
        return t("One of {shown} arrows has its number, the strongest that has room.", shown=shown)
    return t("Numbers stand on {count} of {shown} arrows, the strongest that have room.",
             count=count, shown=shown)  # fmt: skip


def _alt(result: GraphResult, t: Translator) -> str:
    """Return the largest arrow into each token, or that several are alike."""
    labels = labels_of_tokens(result)
    parts = [
        _taken(row, largest_of(weights), labels, t) for row, weights in enumerate(result.weights)
    ]
    return t("{parts}.", parts=t.clauses(parts))


def _taken(row: int, sources: Sequence[int], labels: tuple[str, ...], t: Translator) -> str:
    target, names = named(row, labels, t), [named(source, labels, t) for source in sources]
    if len(names) == 1:
        return t("token {target} takes most from token {source}", target=target, source=names[0])
    return t("token {target} takes alike from tokens {sources}", target=target,
             sources=t.listing(names))  # fmt: skip


def largest_of(weights: Array) -> tuple[int, ...]:
    """Return where a row of weights is largest, from 0: several places where they are alike."""
    return tuple(np.flatnonzero(weights >= weights.max() - ALIKE).tolist())


def _table(result: GraphResult) -> Table:
    tokens, least = result.tokens, result.params.threshold
    rows = tuple(
        (edge.source + 1, tokens[edge.source], edge.target + 1, tokens[edge.target], edge.weight,
         edge.weight >= least)
        for edge in result.edges
    )  # fmt: skip
    columns = ("source", "source label", "target", "target label", "weight", "drawn")
    return Table(columns, rows)

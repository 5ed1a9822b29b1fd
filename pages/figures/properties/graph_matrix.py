"""The weights of a graph as a matrix: what is no arrow has no colour."""

from __future__ import annotations

import numpy as np

from engine.experiments.properties.graph import GraphResult
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style
from pages.figures.masks.common import input_words
from pages.figures.numerals import number_in_full
from pages.figures.panel import Screen
from pages.figures.panels import Panel, panels_figure
from pages.figures.properties.common import input_stem, words_of
from pages.figures.properties.graph_plan import labels_of_tokens
from pages.text import translator
from pages.text.properties_words import shown_words

SCREEN = Screen(320.0, 400.0)  # beside the graph


def graph_matrix_figure(result: GraphResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the weights, those under the threshold without their colour; 320 pixels wide."""
    t, labels = translator(style.language), labels_of_tokens(result)
    title = t("The same weights as a matrix")
    hidden, arrows = _hidden(result), _arrows(result)
    note = t.sentences(
        t("A row is the token that looks, a column the token that is looked at: every coloured "
          "cell is an arrow of the graph."),
        shown_words(result, t),
        input_words(result.params, t),
    )  # fmt: skip
    panel = Panel(
        "" if style.size != "screen" else title,
        result.weights,
        masked=hidden,
        row_labels=labels,
        column_labels=labels,
        muted=~arrows & ~hidden,
    )
    name = _stem(result)
    table = cells_table(
        [("weights", {"weight": result.weights, "arrow": arrows})],
        result.tokens,
        result.tokens,
        ("matrix", "query", "key"),
    )
    return panels_figure(
        (panel,),
        style,
        words_of(name, title, note, "weights", t),
        row_title=t("query"),
        column_title=t("key"),
        table=table,
        screen=screen,
        muted_word=t("under {least}", least=number_in_full(float(result.params.threshold))),
    )


def _hidden(result: GraphResult) -> np.ndarray:
    """Return the cells that the causal mask hides."""
    T = len(result.tokens)
    return np.triu(np.ones((T, T), dtype=np.bool_), 1) & result.params.causal


def _arrows(result: GraphResult) -> np.ndarray:
    """Return the cells whose arrows are drawn."""
    found = np.zeros(result.weights.shape, dtype=np.bool_)
    for edge in result.shown:
        found[edge.target, edge.source] = True
    return found


def _stem(result: GraphResult) -> str:
    params = result.params
    causal = "causal" if params.causal else ""
    return input_stem("graph-matrix", params, len(result.tokens), causal,
                      f"from{params.threshold:g}")  # fmt: skip

"""Graph: tokens as nodes and weights as edges; messages along them give the same output."""

from __future__ import annotations

import streamlit as st

from engine.experiments.properties.graph import GraphResult
from pages.figures.numerals import number_in_full
from pages.gallery.properties import GRAPH_FIGURE, GRAPH_MATRIX
from pages.text import Translator
from pages.text.amounts import size
from pages.text.properties_readings import graph_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_plain
from pages.ui.properties import computing

DIGITS = 3
WIDTHS = {GRAPH_FIGURE: 540, GRAPH_MATRIX: 320}  # pixels


def draw() -> None:
    """Draw the tab of the graph."""
    t = settings.translate()
    result = computing.graph(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, graph_notices(result, t))),
        lambda: side_by_side(result),
    )


def side_by_side(result: GraphResult) -> None:
    """Draw the graph, and its weights as a matrix beside it."""
    with st.container(horizontal=True, gap="xxsmall"):
        for name, width in WIDTHS.items():
            with st.container(width=width):
                result_figures.show(name, result)


def numbers(result: GraphResult, t: Translator) -> None:
    """Draw how many edges there are, and how far messages and matrices differ."""
    T = len(result.tokens)
    workspace.metric(
        t("Edges"),
        f"{len(result.edges):,}",
        t("of {count} pairs", count=f"{T * T:,}"),
        help=t("Pairs with a weight above 0, a token with itself among them."),
    )
    workspace.metric(
        t("Arrows drawn"),
        f"{len(result.shown):,}",
        t("weight ≥ {threshold}", threshold=number_in_full(float(result.params.threshold))),
    )
    workspace.metric(
        t("Messages against A V"),
        size(result.difference),
        t("largest difference"),
        help=t(
            "Each token sums weight times message over the edges that reach it, one edge after "
            "the other; this is how far that lies from the product of the matrices."
        ),
    )

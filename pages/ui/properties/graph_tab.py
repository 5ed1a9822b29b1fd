"""Graph: tokens as nodes and weights as edges; messages along them give the same output."""

from __future__ import annotations

from engine.experiments.properties.graph import GraphResult
from pages.figures.numerals import measured_number, number_in_full
from pages.gallery.properties import GRAPH_FIGURE, GRAPH_MATRIX
from pages.text import Translator
from pages.text.properties_readings import graph_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_bound
from pages.ui.properties import computing

DIGITS = 3


def draw() -> None:
    """Draw the tab of the graph."""
    t = settings.translate()
    result = computing.graph(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_bound, graph_notices(result, t))),
        lambda: result_figures.show(GRAPH_FIGURE, result),
    )
    result_figures.show(GRAPH_MATRIX, result)


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
        measured_number(result.difference, DIGITS),
        t("largest difference"),
        help=t(
            "Each token sums weight times message over the edges that reach it, one edge after "
            "the other; this is how far that lies from the product of the matrices."
        ),
    )

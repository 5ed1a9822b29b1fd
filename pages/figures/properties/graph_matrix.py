"""To be drawn."""

from __future__ import annotations

from engine.experiments.properties.graph import GraphResult
from pages.figures.figure import Figure, Style


def graph_matrix_figure(result: GraphResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

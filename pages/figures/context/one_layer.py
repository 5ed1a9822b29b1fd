"""One head of one layer."""

from __future__ import annotations

from engine.experiments.context.single_layer import SingleLayerResult
from pages.figures.figure import Figure, Style


def one_layer_figure(result: SingleLayerResult, style: Style, head: int = 1) -> Figure:
    """One head of one layer."""
    raise NotImplementedError

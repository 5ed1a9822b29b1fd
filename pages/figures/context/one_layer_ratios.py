"""All heads of one layer."""

from __future__ import annotations

from engine.experiments.context.single_layer import SingleLayerResult
from pages.figures.figure import Figure, Style


def ratios_figure(result: SingleLayerResult, style: Style, head: int = 1) -> Figure:
    """All heads of one layer."""
    raise NotImplementedError

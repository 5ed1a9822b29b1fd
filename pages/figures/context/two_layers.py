"""Two layers."""

from __future__ import annotations

from engine.experiments.context.two_layers import TwoLayersResult
from pages.figures.figure import Figure, Style


def two_layers_figure(result: TwoLayersResult, style: Style) -> Figure:
    """Two layers."""
    raise NotImplementedError

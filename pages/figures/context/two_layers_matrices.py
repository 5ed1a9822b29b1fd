"""Matrices."""

from __future__ import annotations

from engine.experiments.context.two_layers import TwoLayersResult
from pages.figures.figure import Figure, Style


def two_layers_matrices_figure(
    result: TwoLayersResult, style: Style, layer: int = 1, ending: str = "tired"
) -> Figure:
    """Matrices."""
    raise NotImplementedError

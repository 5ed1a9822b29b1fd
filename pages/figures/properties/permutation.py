"""To be drawn."""

from __future__ import annotations

from engine.experiments.properties.order import OrderResult
from pages.figures.figure import Figure, Style


def permutation_figure(result: OrderResult, style: Style, *, positions: bool = False) -> Figure:
    """Draw it."""
    raise NotImplementedError

"""To be drawn."""

from __future__ import annotations

from engine.experiments.properties.order import OrderResult
from pages.figures.figure import Figure, Style


def content_figure(result: OrderResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

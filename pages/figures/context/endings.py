"""Figure of endings."""

from __future__ import annotations

from engine.experiments.context.endings import EndingsResult
from pages.figures.figure import Figure, Style


def endings_figure(result: EndingsResult, style: Style, layer: int, head: int) -> Figure:
    """Draw it."""
    raise NotImplementedError

"""Figure of endings."""

from __future__ import annotations

from engine.experiments.context.endings import EndingsResult
from pages.figures.context.endings_view import EndingsView
from pages.figures.figure import Figure, Style


def endings_figure(result: EndingsResult, view: EndingsView, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

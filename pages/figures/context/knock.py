"""Figure of knock."""

from __future__ import annotations

from engine.experiments.context.knock import KnockResult
from pages.figures.figure import Figure, Style


def knock_figure(result: KnockResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

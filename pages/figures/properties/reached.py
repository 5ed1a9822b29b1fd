"""To be drawn."""

from __future__ import annotations

from engine.experiments.properties.paths import PathResult
from pages.figures.figure import Figure, Style


def reached_figure(result: PathResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

"""To be drawn."""

from __future__ import annotations

from engine.experiments.properties.smoothing import SmoothingResult
from pages.figures.figure import Figure, Style


def cosine_figure(result: SmoothingResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError


def rank_figure(result: SmoothingResult, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

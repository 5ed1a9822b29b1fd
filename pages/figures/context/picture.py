"""The drawn picture."""

from __future__ import annotations

from engine.experiments.context.pictured import Picture
from pages.figures.figure import Figure, Style


def picture_figure(result: Picture, style: Style, ending: str = "both") -> Figure:
    """The drawn picture."""
    raise NotImplementedError

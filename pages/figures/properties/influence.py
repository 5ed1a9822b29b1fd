"""To be drawn."""

from __future__ import annotations

from engine.experiments.masks.influence import InfluenceResult
from pages.figures.figure import Figure, Style


def usual_token(T: int) -> int:
    """Return the token that changes unless another is chosen, from 1: the third, or the last."""
    return min(3, T)


def influence_figure(result: InfluenceResult, style: Style, token: int) -> Figure:
    """Draw it."""
    raise NotImplementedError

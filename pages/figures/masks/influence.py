"""The mask beside the measured influence of every token on every output."""

from __future__ import annotations

from typing import Literal

from engine.experiments.masks.influence import InfluenceResult
from pages.figures.figure import Figure, Style


def influence_figure(
    result: InfluenceResult, style: Style, side: Literal["a", "b"] = "b"
) -> Figure:
    """Draw the mask of one side beside its measured influence."""
    raise NotImplementedError

"""What softmax makes of the scores at every width and under every rule."""

from __future__ import annotations

from typing import Literal

from engine.experiments.scaling.saturation import Pair, SaturationResult
from pages.figures.figure import Figure, Style

Measure = Literal["largest", "effective", "saturated", "jacobian"]


def saturation_figure(
    result: SaturationResult, style: Style, measure: Measure = "largest"
) -> Figure:
    """Draw one measure against d_k, one line a rule."""
    raise NotImplementedError


def saturation_table_figure(result: SaturationResult, style: Style) -> Figure:
    """Draw the text's table of four widths, its words beside the measured numbers."""
    raise NotImplementedError


def pair_figure(pair: Pair, style: Style) -> Figure:
    """Draw both weights against the temperature, the chosen one marked."""
    raise NotImplementedError

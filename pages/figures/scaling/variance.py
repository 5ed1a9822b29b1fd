"""How far dot products spread: their distribution, and their deviation against d_k."""

from __future__ import annotations

from engine.experiments.scaling.variance import Result
from pages.figures.figure import Figure, Style


def distribution_figure(result: Result, style: Style, d_k: int | None = None) -> Figure:
    """Draw the distribution of raw and scaled dot products at one width (None: the largest)."""
    raise NotImplementedError


def deviation_figure(result: Result, style: Style) -> Figure:
    """Draw the deviation against d_k on log axes, with the law and its 95 % band."""
    raise NotImplementedError


def kurtosis_figure(result: Result, style: Style) -> Figure:
    """Draw the excess kurtosis against d_k: where the normal approximation is poor."""
    raise NotImplementedError

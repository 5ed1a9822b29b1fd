"""The Jacobian of softmax, and how much gradient reaches each input."""

from __future__ import annotations

from engine.experiments.scaling.reach import ReachResult
from pages.figures.figure import Figure, Style


def jacobian_figure(result: ReachResult, style: Style) -> Figure:
    """Draw the Jacobian of one row, scaled beside unscaled, on one colour scale around 0."""
    raise NotImplementedError


def reach_figure(result: ReachResult, style: Style) -> Figure:
    """Draw the size of the gradients of q, k, W_Q and W_K against d_k, scaled and unscaled."""
    raise NotImplementedError

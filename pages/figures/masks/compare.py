"""Two masks compared: weights, their difference, and the change of every output."""

from __future__ import annotations

from engine.experiments.masks import Result
from pages.figures.figure import Figure, Style


def weights_figure(result: Result, style: Style) -> Figure:
    """Draw the weights under both masks side by side, on one colour scale."""
    raise NotImplementedError


def difference_figure(result: Result, style: Style) -> Figure:
    """Draw weights of b minus weights of a; 424 pixels wide on screen."""
    raise NotImplementedError


def output_change_figure(result: Result, style: Style) -> Figure:
    """Draw how far each output moves from a to b; 424 pixels wide on screen."""
    raise NotImplementedError

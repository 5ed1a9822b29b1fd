"""Training curves, scaled and unscaled, with their spread over seeds."""

from __future__ import annotations

from typing import Literal

from engine.experiments.scaling.training import SweepResult, TrainingResult
from pages.figures.figure import Figure, Style

Curve = Literal["loss", "accuracy", "gradient"]


def curve_figure(result: TrainingResult, style: Style, curve: Curve = "loss") -> Figure:
    """Draw one curve, scaled and unscaled: the mean over seeds between the least and the most."""
    raise NotImplementedError


def sweep_figure(result: SweepResult, style: Style) -> Figure:
    """Draw the final loss against the learning rate, scaled and unscaled."""
    raise NotImplementedError

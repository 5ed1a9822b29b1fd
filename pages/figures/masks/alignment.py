"""A causal mask for unequal lengths, aligned upper-left and lower-right."""

from __future__ import annotations

from engine.experiments.masks.alignment import AlignmentResult
from pages.figures.figure import Figure, Style


def alignment_figure(result: AlignmentResult, style: Style) -> Figure:
    """Draw the weights under both alignments side by side."""
    raise NotImplementedError

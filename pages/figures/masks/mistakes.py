"""The table of mask mistakes, and one of them beside the right weights."""

from __future__ import annotations

from engine.experiments.masks.mistakes import MistakesResult
from pages.figures.figure import Figure, Style


def mistakes_figure(result: MistakesResult, style: Style, chosen: str = "") -> Figure:
    """Draw the table; the row of the chosen variant is marked.

    On screen each row is clickable: its cells carry ``row`` and ``column`` as a board's do.
    """
    raise NotImplementedError


def mistake_weights_figure(
    result: MistakesResult, style: Style, variant: str = "zero-after"
) -> Figure:
    """Draw the weights of one variant beside the reference."""
    raise NotImplementedError

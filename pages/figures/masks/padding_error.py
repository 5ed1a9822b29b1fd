"""How far each sentence of a padded batch is from itself without padding."""

from __future__ import annotations

from engine.experiments.masks.padding import PaddingResult
from pages.figures.figure import Figure, Style


def padding_error_figure(result: PaddingResult, style: Style) -> Figure:
    """Draw the differences for each kind of mask."""
    raise NotImplementedError

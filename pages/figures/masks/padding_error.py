"""How far each sentence of a padded batch is from the same sentence without padding."""

from __future__ import annotations

from engine.experiments.masks.padding import PaddingResult
from pages.figures.figure import Figure, Style


def padding_error_figure(result: PaddingResult, style: Style) -> Figure:
    """Draw how far each sentence is from itself without padding, for each kind of mask."""
    raise NotImplementedError

"""A padded batch under each kind of padding mask."""

from __future__ import annotations

from engine.experiments.masks.padding import Kind, PaddingResult
from pages.figures.figure import Figure, Style


def padding_figure(result: PaddingResult, style: Style, kind: Kind = "keys") -> Figure:
    """Draw the weights of the three sentences under one kind of padding mask."""
    raise NotImplementedError


def padding_error_figure(result: PaddingResult, style: Style) -> Figure:
    """Draw how far each sentence is from itself without padding, for each kind of mask."""
    raise NotImplementedError

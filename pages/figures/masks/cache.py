"""What a cache of keys and values holds while a sequence is written token by token."""

from __future__ import annotations

from engine.experiments.masks.growth import GrowthResult
from pages.figures.figure import Figure, Style


def cache_figure(result: GrowthResult, style: Style, step: int = 1) -> Figure:
    """Draw step ``step``, from 1: the new query, the cached keys and values, the new output."""
    raise NotImplementedError

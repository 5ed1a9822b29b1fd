"""A sequence that grows: which earlier outputs change, and what a cache holds."""

from __future__ import annotations

from engine.experiments.masks.growth import GrowthResult
from pages.figures.figure import Figure, Style


def growth_figure(result: GrowthResult, style: Style) -> Figure:
    """Draw the differences of every shorter sequence to the whole one, under both masks."""
    raise NotImplementedError


def cache_figure(result: GrowthResult, style: Style, step: int = 1) -> Figure:
    """Draw step ``step``, from 1: the new query, the cached keys and values, the new output."""
    raise NotImplementedError

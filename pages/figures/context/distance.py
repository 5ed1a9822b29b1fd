"""Figure of distance."""

from __future__ import annotations

from engine.experiments.context.study import Study
from pages.figures.context.model_view import ModelView
from pages.figures.figure import Figure, Style


def distance_figure(study: Study, view: ModelView, style: Style) -> Figure:
    """Draw it."""
    raise NotImplementedError

"""The patterns of masks and the families of models that use them."""

from __future__ import annotations

from pages.figures.figure import Figure, Style


def families_figure(style: Style) -> Figure:
    """Draw every pattern for a few positions, with the models that use it."""
    raise NotImplementedError

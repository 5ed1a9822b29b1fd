"""The one error of a figure."""

from __future__ import annotations

from engine.errors import EngineError


class FigureError(EngineError):
    """Data that no figure can show, with what a figure needs."""

"""Masks: two compared, what they let through, how sequences grow, and how masks go wrong."""

from engine.experiments.masks.compare import Params, Result, Side, run
from engine.experiments.masks.spec import MaskSpec

__all__ = ["MaskSpec", "Params", "Result", "Side", "run"]

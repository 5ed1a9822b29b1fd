"""What to notice in the mechanism; every sentence holds for any result it is said of."""

from __future__ import annotations

from engine.experiments.context.pictured import Picture
from engine.experiments.context.single_layer import SingleLayerResult
from engine.experiments.context.two_layers import TwoLayersResult
from pages.text.translator import Translator


def picture_notices(result: Picture, t: Translator) -> list[str]:
    """Return what to notice in the picture."""
    raise NotImplementedError


def single_layer_notices(result: SingleLayerResult, head: int, t: Translator) -> list[str]:
    """Return what to notice in one layer; ``head`` counts from 1."""
    raise NotImplementedError


def two_layers_notices(result: TwoLayersResult, t: Translator) -> list[str]:
    """Return what to notice in two layers."""
    raise NotImplementedError


def two_layers_steps(result: TwoLayersResult, ending: str, t: Translator) -> list[str]:
    """Return the arithmetic of "it" with one ending, a step a sentence."""
    raise NotImplementedError

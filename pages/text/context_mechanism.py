"""What to notice in the mechanism; every sentence holds for any result it is said of."""

from __future__ import annotations

from collections.abc import Sequence

from engine.experiments.context.pictured import Ending, Picture
from engine.experiments.context.single_layer import SingleLayerResult
from engine.experiments.context.two_layers import TwoLayersResult
from pages.text.translator import Translator

# ---- the picture


def drawn_words(shown: Sequence[Ending], t: Translator) -> str:
    """Return who drew the weights, of the sentences that are shown."""
    if len(shown) > 1:
        return t("The weights were drawn by hand, not computed: those with “tired” by the text, "
                 "those with “wide” by us in its manner.")  # fmt: skip
    if shown[0].from_text:
        return t("The text drew these weights by hand; nothing computed them.")
    return t("We drew these weights by hand, in the manner of the text; nothing computed them.")


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

"""What the architectures, the ways and the switches of the properties are called."""

from __future__ import annotations

from engine.experiments.properties.graph import GraphResult
from engine.experiments.properties.paths import Architecture
from pages.figures.numerals import number_in_full
from pages.text.marking import mark
from pages.text.translator import Translator

_ARCHITECTURES: dict[Architecture, str] = {
    "rnn": mark("RNN"),
    "convolution": mark("convolution"),
    "dilated": mark("dilated convolution"),
    "window": mark("windowed attention"),
    "full": mark("self-attention"),
}


def architecture_words(architecture: Architecture, t: Translator) -> str:
    """Return the name of an architecture, as it stands inside a sentence."""
    return t(_ARCHITECTURES[architecture])


def residual_words(residual: bool, t: Translator) -> str:
    """Return whether a layer keeps its input: ``with residual``."""
    return t("with residual") if residual else t("without residual")


def switch_words(on: bool, t: Translator) -> str:
    """Return a switch as a word."""
    return t("yes") if on else t("no")


def shown_words(result: GraphResult, t: Translator) -> str:
    """Return how many of the arrows are drawn, and which."""
    count, shown = len(result.edges), len(result.shown)
    values = {"count": count, "shown": shown,
              "least": number_in_full(float(result.params.threshold))}  # fmt: skip
    if count == shown:
        return t("The one arrow is drawn.") if count == 1 else t("All {count} arrows are drawn.",
                                                                count=count)  # fmt: skip
    if not shown:
        return t("No weight reaches the threshold of {least}, so no arrow is drawn.",
                 least=values["least"])  # fmt: skip
    if shown == 1:
        return t("Drawn is the one of {count} weights that reaches the threshold of {least}.",
                 count=count, least=values["least"])  # fmt: skip
    return t("Drawn are the {shown} of {count} weights that reach the threshold of {least}.",
             **values)  # fmt: skip

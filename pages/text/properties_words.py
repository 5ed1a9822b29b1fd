"""What the architectures, the ways and the switches of the properties are called."""

from __future__ import annotations

from engine.experiments.properties.paths import Architecture
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

"""What masks, their families and their mistakes are called, in the reader's language."""

from __future__ import annotations

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.mistakes import MistakesResult, Outcome, Variant
from pages.text.translator import Translator


def spec_words(spec: MaskSpec, t: Translator) -> str:
    """Return a mask in a few words: ``Causal``, ``Sliding window of 3, padding after 4``."""
    raise NotImplementedError


def family_words(spec: MaskSpec, t: Translator) -> str:
    """Return which models use the pattern of a mask, in one sentence; empty where none is named."""
    raise NotImplementedError


def variant_title(name: str, t: Translator) -> str:
    """Return a mistake in a few words: ``−10⁹ before softmax``."""
    raise NotImplementedError


def variant_code(name: str) -> str:
    """Return a mistake as one short line of NumPy, the same in every language."""
    raise NotImplementedError


def training_words(
    result: MistakesResult, variant: Variant, outcome: Outcome, t: Translator
) -> str:
    """Return in one sentence what one would see in training, true for this outcome."""
    raise NotImplementedError


def full_row_words(outcome: Outcome, t: Translator) -> str:
    """Return what becomes of a row that may look nowhere, in one or two words."""
    raise NotImplementedError

"""What masks, their families and their mistakes are called, in the reader's language."""

from __future__ import annotations

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.mistakes import FullRow, Outcome
from engine.experiments.masks.spec import Pattern
from pages.text.marking import mark
from pages.text.translator import Translator

_PATTERNS: dict[Pattern, str] = {
    "none": mark("Bidirectional"),
    "causal": mark("Causal"),
    "window": mark("Sliding window of {window}"),
    "prefix": mark("Prefix of {prefix}"),
}
# The same inside a sentence, where English does not begin with a capital.
_PATTERNS_INSIDE: dict[Pattern, str] = {
    "none": mark("bidirectional"),
    "causal": mark("causal"),
    "window": mark("sliding window of {window}"),
    "prefix": mark("prefix of {prefix}"),
}
_FAMILIES: dict[Pattern, str] = {
    "none": mark("Encoder-only models look both ways: {models}."),
    "causal": mark("Decoder-only models look back only: {models}."),
    "window": mark("Some decoder-only models look back over a window only: {models}."),
    "prefix": mark(
        "Prefix language models read the prompt both ways, the rest causally: {models}."
    ),
}
# Only models whose papers say so.
# BERT: Devlin et al. 2018, arXiv 1810.04805. RoBERTa: Liu et al. 2019, arXiv 1907.11692.
# GPT-2: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
# Llama: Touvron et al. 2023, arXiv 2302.13971. Mistral 7B v0.1: Jiang et al. 2023, arXiv
# 2310.06825. Prefix LM: Raffel et al. 2019, arXiv 1910.10683. UniLM: Dong et al. 2019, arXiv
# 1905.03197. PaliGemma: Beyer et al. 2024, arXiv 2407.07726.
MODELS: dict[Pattern, tuple[str, ...]] = {
    "none": ("BERT", "RoBERTa"),
    "causal": ("GPT-2", "Llama"),
    "window": ("Mistral 7B v0.1",),
    "prefix": (mark("the prefix LM of the T5 paper"), "UniLM", "PaliGemma"),
}


def spec_words(spec: MaskSpec, t: Translator, *, inside: bool = False) -> str:
    """Return a mask in a few words: ``Causal``, ``Sliding window of 3, padding after 4``.

    Parameters
    ----------
    inside : bool
        Whether the words stand inside a sentence or a title, not at its beginning.
    """
    if spec.drawn and spec.pattern == "none":
        words = t("drawn by hand") if inside else t("Drawn by hand")
    else:
        patterns = _PATTERNS_INSIDE if inside else _PATTERNS
        words = t(patterns[spec.pattern], window=spec.window, prefix=spec.prefix)
        if spec.drawn:
            words = t("{mask}, drawn by hand", mask=words)
    if spec.length is not None:
        words = t("{mask}, padding after {length}", mask=words, length=spec.length)
    return words


def models_of(pattern: Pattern, t: Translator) -> str:
    """Return the models that use a pattern, in a row."""
    return t.listing(t(name) for name in MODELS[pattern])


def family_words(spec: MaskSpec, t: Translator) -> str:
    """Return which models use the pattern of a mask, in one sentence; empty where none is named."""
    if spec.drawn:
        return ""
    # A prefix of nothing is the causal mask.
    pattern = "causal" if spec.pattern == "prefix" and spec.prefix == 0 else spec.pattern
    return t(_FAMILIES[pattern], models=models_of(pattern, t))


_TITLES = {
    "minus-infinity": mark("−∞ before softmax (reference)"),
    "minus-1e9": mark("−1e9 before softmax"),
    "minus-1e4": mark("−1e4 before softmax"),
    "minus-1e4-far": mark("−1e4, huge hidden score"),
    "times-0-1": mark("Scores × 0/1 before softmax"),
    "plus-0-1": mark("0/1 mask added to the scores"),
    "zero-after": mark("Zeroed after softmax"),
    "renormalise": mark("Zeroed after, renormalised"),
    "renormalise-far": mark("Renormalised, huge hidden score"),
    "wrong-axis": mark("Padding mask on the query axis"),
    "transposed": mark("Mask upside down"),
    "inverted": mark("Mask inverted"),
}
_CODE = {
    "minus-infinity": "softmax(where(m, s, -inf))",
    "minus-1e9": "softmax(s + where(m, 0, -1e9))",
    "minus-1e4": "softmax(s + where(m, 0, -1e4))",
    "minus-1e4-far": "softmax(s + where(m, 0, -1e4))",
    "times-0-1": "softmax(s * m)",
    "plus-0-1": "softmax(s + m)",
    "zero-after": "softmax(s) * m",
    "renormalise": "w = softmax(s) * m; w / rowsum(w)",
    "renormalise-far": "w = softmax(s) * m; w / rowsum(w)",
    "wrong-axis": "softmax(where(m & real[:, None], s, -inf))",
    "transposed": "softmax(where(m.T, s, -inf))",
    "inverted": "softmax(where(~m, s, -inf))",
}
_FULL_ROWS: dict[FullRow, str] = {
    "nan": mark("NaN"),
    "uniform": mark("all equal"),
    "zero": mark("zeros"),
    "unmasked": mark("unmasked"),
    "other": mark("uneven"),
}


def variant_title(name: str, t: Translator) -> str:
    """Return a mistake in a few words: ``−1e9 before softmax``."""
    return t(_TITLES[name])


def variant_code(name: str) -> str:
    """Return a mistake as one short line of NumPy, the same in every language.

    ``s`` are the scaled scores, ``m`` the mask (True = may look), ``real`` the tokens that are no
    padding.
    """
    return _CODE[name]


def full_row_words(outcome: Outcome, t: Translator) -> str:
    """Return what became of the row that was hidden whole, in one or two words."""
    return t(_FULL_ROWS[outcome.full_row])


VERDICTS = (mark("right"), mark("NaN"), mark("wrong"))
NOTHING_TO_JUDGE = mark("nothing to judge")
EMPTY = mark("empty")  # the same, where there is little room
NOT_RUN = mark("not run")


def verdict_word(outcome: Outcome, t: Translator) -> str:
    """Return ``right``, ``NaN`` or ``wrong``; ``nothing to judge`` where no row sees anything."""
    right, nan, wrong = VERDICTS
    if not outcome.judged:
        return t(NOTHING_TO_JUDGE)
    if outcome.right:
        return t(right)
    return t(nan if outcome.nan_rows else wrong)

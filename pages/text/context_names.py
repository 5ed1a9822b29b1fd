"""What the tokens of a text, the two endings, a head and a model are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.experiments.context.endings import EndingsResult
from engine.experiments.context.study import Study
from pages.text.marking import mark
from pages.text.translator import Translator

_LONGEST = 16  # characters of an ending that names its text

_SPECIALS = {
    "shown": mark("shown"),
    "hidden": mark("left out"),
    "renormalised": mark("left out, the other weights divided by their sum"),
}


def token_names(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the names of tokens: one that a text has more than once gets its position, from 1."""
    counts = Counter(tokens)
    return tuple(
        f"{token} {place}" if counts[token] > 1 else token for place, token in enumerate(tokens, 1)
    )


def quote(text: str, t: Translator) -> str:
    """Return a token or an ending in the quotation marks of the language."""
    return t("“{text}”", text=text)


def head_name(layer: int, head: int, t: Translator) -> str:
    """Return a head inside a sentence; both count from 1."""
    return t("layer {layer}, head {head}", layer=layer, head=head)


def head_mark(layer: int, head: int) -> str:
    """Return a head in as few characters as a plot needs; both count from 1."""
    return f"L{layer}H{head}"


def specials_name(specials: str, t: Translator) -> str:
    """Return what is done with special tokens, as a setting reads."""
    return t(_SPECIALS[specials])


def specials_words(study: Study, specials: str, t: Translator) -> str:
    """Return what was done with special tokens as a sentence; nothing where they are shown."""
    if specials == "shown" or not study.special.any():
        return ""
    if specials == "hidden":
        return t("Special tokens are left out, so weights add up to less than 1.")
    return t("Special tokens are left out, the other weights divided by their sum.")


def source_words(study: Study, t: Translator) -> str:
    """Return which model it was, and whether its numbers were recorded or computed now."""
    if study.recorded:
        return t("Model: {model}, recorded.", model=study.model_name)
    return t("Model: {model}.", model=study.model_name)


# ---- two endings


def ending_names(result: EndingsResult, t: Translator) -> tuple[str, str]:
    """Return what the two texts are called: by the words that only they have, where these are few.

    ``“tired”`` and ``“wide”``; else ``the first text`` and ``the second text``.
    """
    own = own_words(result)
    if own is None:
        return t("the first text"), t("the second text")
    return quote(own[0], t), quote(own[1], t)


def own_words(result: EndingsResult) -> tuple[str, str] | None:
    """Return the words that each text has alone, as they stand in it; None where that is long."""
    words = tuple(_own(result, side) for side in (0, 1))
    if all(0 < len(each) <= _LONGEST for each in words) and words[0] != words[1]:
        return words[0], words[1]
    return None


def _own(result: EndingsResult, side: int) -> str:
    """Return the stretch of one text that the other does not share, its special tokens apart."""
    study = (result.first, result.second)[side]
    shared = {places[side] for places in result.shared}
    own = [
        study.spans[place]
        for place in range(study.length)
        if place not in shared and not study.special[place]
    ]
    if not own:
        return ""
    start, end = min(first for first, _ in own), max(last for _, last in own)
    return " ".join(study.text[start:end].split())

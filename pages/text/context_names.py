"""What the tokens of a text, the two endings, a head and a model are called."""

from __future__ import annotations

from collections import Counter

from engine.experiments.context.endings import EndingsResult
from engine.experiments.context.focus import is_word
from engine.experiments.context.sentences import pair_of
from engine.experiments.context.study import Study
from pages.figures.context.look import drawn_token
from pages.text.marking import mark
from pages.text.translator import Translator

_LONGEST = 16  # characters of an ending that names its text

_SPECIALS = {
    "shown": mark("shown"),
    "hidden": mark("left out"),
    "renormalised": mark("left out, the other weights divided by their sum"),
}


def token_names(study: Study) -> tuple[str, ...]:
    """Return the names of all tokens; those that are drawn alike get their positions, from 1."""
    drawn = [drawn_token(study, place) for place in range(study.length)]
    counts = Counter(drawn)
    return tuple(
        f"{token} {place}" if counts[token] > 1 else token for place, token in enumerate(drawn, 1)
    )


def is_numbered(name: str, study: Study, place: int) -> bool:
    """Return whether the name of a token, from 0, ends with its position."""
    return name != drawn_token(study, place)


def taken_words(study: Study, position: int, place: int, t: Translator) -> str:
    """Return how the token was found that is looked at; nothing where it was named.

    Parameters
    ----------
    study : Study
    position : int
        What names it, from 1; 0 where nothing does.
    place : int
        The token, from 0.
    t : Translator
    """
    if position or pair_of(study.text) or not is_word(study, place):
        return ""
    return t("{token} was not named, but is the first pronoun or, where there is none, the first "
             "word.", token=quote(token_names(study)[place], t))  # fmt: skip


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

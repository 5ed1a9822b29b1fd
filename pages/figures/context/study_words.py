"""What the figures of a model's attention say: names of files, whose weights, special tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from pages.figures.context.look import Look, drawn_token
from pages.figures.figure import Style
from pages.figures.measure import fit_text
from pages.figures.panel import Words
from pages.text import Translator

_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 40
TIP_DECIMALS = 6  # of a weight that the pointer says


def stem(word: str, look: Look, *parts: object) -> str:
    """Return a file stem: ``context-head-all-MiniLM-L6-v2-T16-L5-H1-hidden``."""
    return study_stem(word, look.study, look.way, *parts)


def study_stem(word: str, study: Study, way: Specials, *parts: object) -> str:
    """Return the file stem of a figure of a study, whatever is looked at."""
    model = _NO_NAME.sub("_", study.model_name).strip("._-")[:_LONGEST_NAME]
    found = ("context", word, model, f"T{study.length}", *parts, "" if way == "shown" else way)
    return "-".join(str(part) for part in found if part != "")


def head_stem(word: str, look: Look, *parts: object) -> str:
    """Return the file stem of a figure of one head."""
    return stem(word, look, f"L{look.layer + 1}", f"H{look.head + 1}", *parts)


def named_on_screen(words: Words, style: Style, t: Translator) -> Words:
    """Return words whose note begins with the title, where that stands nowhere else."""
    if style.size != "screen":
        return words
    return replace(words, note=t.sentences(t("{title}.", title=words.title), words.note))


def token_words(study: Study, place: int, t: Translator) -> str:
    """Return a token, from 0 in the full text, as ``11 (it)``."""
    label = drawn_token(study, place)
    return t("{number} ({label})", number=place + 1, label=label) if label else str(place + 1)


def source_words(study: Study, t: Translator) -> str:
    """Return whose weights these are, and whether they were computed now."""
    if study.recorded:
        return t("Weights of {model}, recorded.", model=study.model_name)
    return t("Weights of {model}, computed here.", model=study.model_name)


def way_of(look: Look) -> Specials:
    """Return what became of special tokens: they are shown where there are none."""
    return look.way if look.study.special.any() else "shown"


def specials_words(study: Study, way: Specials, t: Translator) -> str:
    """Return what became of special tokens, where there are any and they are not shown."""
    if way == "shown" or not study.special.any():
        return ""
    if way == "hidden":
        return t("Special tokens are hidden, and with them the weight that they get.")
    return t("Special tokens are left out, and each row is divided by what is left of it.")


def few_words(drawn: int, count: int, t: Translator) -> str:
    """Return that only some tokens are drawn, where that is so."""
    if drawn == count:
        return ""
    return t("Of {count} tokens the {drawn} with the largest weights are drawn.",
             count=f"{count:,}", drawn=drawn)  # fmt: skip


def unknown_words(study: Study, t: Translator) -> str:
    """Return that the model reads some tokens as one and the same, where it does."""
    count = int(study.unknown.sum())
    if count == 0:
        return ""
    if count == 1:
        return t("One token is not in the vocabulary.")
    return t("{count} tokens are not in the vocabulary; the model reads them all alike.",
             count=f"{count:,}")  # fmt: skip


def unknown_in_both(first: Study, second: Study, t: Translator) -> str:
    """Return the same of two texts, in one sentence where they have as many."""
    said = [unknown_words(study, t) for study in (first, second)]
    if said[0] == said[1]:
        return said[0]
    counts = [f"{int(study.unknown.sum()):,}" for study in (first, second)]
    return t("{first} tokens of the first text and {second} of the second are not in the "
             "vocabulary; the model reads them all alike.",
             first=counts[0], second=counts[1])  # fmt: skip


def common_words(look: Look, t: Translator) -> str:
    """Return what every note ends with."""
    return t.sentences(
        specials_words(look.study, look.way, t),
        unknown_words(look.study, t),
        source_words(look.study, t),
    )


def placed_names(look: Look, shown: Sequence[int], longest: float) -> list[str]:
    """Return the names of some of the kept tokens, each with its position where others are missing.

    So that a position is never cut off, a token before one takes at most ``longest`` of its font.
    """
    if len(shown) == len(look.tokens):
        return list(look.tokens)
    return [f"{fit_text(look.tokens[at], 1.0, longest)} {look.places[at] + 1}" for at in shown]

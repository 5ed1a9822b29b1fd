"""What the figures of two endings share: names of files, colours of the two texts, the note."""

from __future__ import annotations

from engine.experiments.context.endings import EndingsResult
from pages.figures.context.endings_view import EndingsView
from pages.figures.context.study_words import (
    source_words,
    specials_words,
    study_stem,
    unknown_in_both,
)
from pages.figures.figure import Style
from pages.figures.series import series_colour
from pages.text import Translator
from pages.text.context_endings import chosen_words


def endings_stem(word: str, result: EndingsResult, view: EndingsView) -> str:
    """Return the file stem of a figure of two endings."""
    head = f"L{view.layer}", f"H{view.head}"
    return study_stem(word, result.first, result.params.specials, *head)


def text_colours(style: Style) -> tuple[str, str]:
    """Return the colours of the first and of the second text."""
    return series_colour(0, style.theme), series_colour(1, style.theme)


def origin_words(result: EndingsResult, t: Translator) -> str:
    """Return which words weights chose, what became of special tokens, which model."""
    study = result.first
    return t.sentences(
        chosen_words(result, t),
        specials_words(study, result.params.specials, t),
        unknown_in_both(result.first, result.second, t),
        source_words(study, t),
    )

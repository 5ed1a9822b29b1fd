"""What the figures of two endings share: names of files, colours of the two texts, the note."""

from __future__ import annotations

from engine.experiments.context.endings import EndingsResult
from engine.experiments.context.study import Study
from pages.figures.context.study_words import source_words, specials_words
from pages.figures.figure import Style
from pages.figures.panel import Words
from pages.figures.series import series_colour
from pages.text import Translator


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``context-endings-T16-layer5-head1``."""
    return "-".join(["context", *(str(part) for part in parts if part != "")])


def study_stem(word: str, study: Study, *parts: object) -> str:
    """Return the file stem of a figure of one study."""
    return stem(word, "" if study.recorded else "own", f"T{study.length}", *parts)


def endings_stem(word: str, result: EndingsResult, *parts: object) -> str:
    """Return the file stem of a figure of two endings."""
    way = result.params.specials
    return study_stem(word, result.first, *parts, way if way != "shown" else "")


def text_colours(style: Style) -> tuple[str, str]:
    """Return the colours of the first and of the second text."""
    return series_colour(0, style.theme), series_colour(1, style.theme)


def origin_words(result: EndingsResult, t: Translator) -> str:
    """Return what was done with special tokens, and which model it was."""
    study = result.first
    return t.sentences(specials_words(study, result.params.specials, t), source_words(study, t))


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str) -> Words:
    """Return the words of a figure, described by its title, what it shows and its note."""
    return Words(name, title, note, t.sentences(t("{title}.", title=title), alt, note), role)

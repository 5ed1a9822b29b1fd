"""What the figures of the properties share: names of files, words, tokens."""

from __future__ import annotations

from engine.experiments.masks.inputs import InputParams
from pages.figures.panel import Words
from pages.text import Translator


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``properties-graph-textbook-T4``."""
    return "-".join(["properties", *(str(part) for part in parts if part != "")])


def input_stem(word: str, params: InputParams, T: int, *parts: object) -> str:
    """Return the file stem of a figure of one input."""
    return stem(word, params.source, f"T{T}", *parts)


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str = "") -> Words:
    """Return the words of a figure, described by its title, its numbers and its note."""
    return Words(name, title, note, t.sentences(t("{title}.", title=title), alt, note), role)

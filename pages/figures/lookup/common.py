"""What the figures of soft lookup share: sizes, names of files, sentences."""

from __future__ import annotations

from engine.experiments.lookup.table import Params
from pages.figures.figure import Style
from pages.figures.panel import Screen, Words
from pages.figures.series import series_colour
from pages.text import Translator
from pages.text.lookup_words import similarity_words, temperature_words

WIDE = Screen(868.0, 340.0)
HALF = Screen(424.0, 340.0)
# Two ways look alike in every figure: the place of a way among the colours, its dash and marker.
_COLOURS = {"free": 1, "tied": 2, "dot": 1, "additive": 2}
_KINDS = {"free": 0, "tied": 1, "dot": 0, "additive": 1}


def way_colour(way: str, style: Style) -> str:
    """Return the colour of a way."""
    return series_colour(_COLOURS[way], style.theme)


def way_kind(way: str) -> int:
    """Return which dash and marker a way takes."""
    return _KINDS[way]


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``lookup-weights-scaled-n4``."""
    return "-".join(["lookup", *(str(part) for part in parts if part != "")])


def table_stem(word: str, params: Params) -> str:
    """Return the file stem of a figure of one table."""
    temperature = f"t{params.temperature:.12f}".rstrip("0").rstrip(".")
    return stem(word, params.similarity, f"n{len(params.names)}", temperature)


def setting_words(params: Params, t: Translator) -> str:
    """Return similarity and temperature in a sentence."""
    return t(
        "Similarity: {similarity}; temperature {temperature}.",
        similarity=similarity_words(params.similarity, t),
        temperature=temperature_words(params),
    )


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str = "") -> Words:
    """Return the words of a figure, described by its title, its numbers and its note."""
    said = t.sentences(t("{title}.", title=title), alt, note)
    return Words(name, title, note, said, role)

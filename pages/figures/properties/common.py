"""What the figures of the properties share: names of files, words, tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.experiments.masks.inputs import InputParams
from pages.figures.panel import Words
from pages.figures.slide import Room
from pages.text import Translator

_Plan = TypeVar("_Plan")


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``properties-graph-textbook-T4``."""
    return "-".join(["properties", *(str(part) for part in parts if part != "")])


def input_stem(word: str, params: InputParams, T: int, *parts: object) -> str:
    """Return the file stem of a figure of one input."""
    return stem(word, params.source, f"T{T}", *parts)


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str = "") -> Words:
    """Return the words of a figure, described by its title, its numbers and its note."""
    return Words(name, title, note, t.sentences(t("{title}.", title=title), alt, note), role)


def settled(
    note: str,
    room_beside: Callable[[str], Room],
    plan: Callable[[Room], _Plan],
    left_out: Callable[[_Plan], str],
    t: Translator,
) -> tuple[_Plan, str]:
    """Return a plan that fits beside its own note, which says what the plan leaves out.

    Parameters
    ----------
    note : str
        What is said in any case.
    room_beside : callable
        Returns the room that a note leaves.
    plan : callable
        Plans the figure for a room.
    left_out : callable
        Returns what a plan leaves out, as a sentence, or nothing.
    t : Translator
    """
    said = note
    while True:
        room = room_beside(said)
        found = plan(room)
        said = t.sentences(note, left_out(found))
        # A longer note mostly leaves less room, which may leave out more.
        if room_beside(said)[3] >= room[3]:
            return found, said


def fewer_decimals(drawn: int | None, asked: int, t: Translator) -> str:
    """Return that numbers have fewer decimals than were asked for, where there are any."""
    if drawn is None or drawn >= asked:
        return ""
    return t("Numbers are drawn with fewer decimals ({decimals}) to fit.", decimals=drawn)

"""How choices are written into the address bar and read from it; what is wrong is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pages.text.grouping import in_full
from pages.ui import address
from pages.ui.choice_store import ChoiceStore

LONGEST_TEXT = 1_000  # characters in a link
_LONGEST_NUMBER = 24
EMPTY = '""'  # stands for an empty field of a number, which is refused


class Kind(Protocol):
    """How one choice is read from an address and written into it."""

    def read(self, name: str, text: str) -> object | None:
        """Return the choice, or None, which is then said."""

    def write(self, value: object) -> str | None:
        """Return the choice as text, or None where it cannot stand in an address."""


@dataclass(frozen=True)
class Whole:
    """A whole number from ``least`` to ``most``."""

    least: int
    most: int

    def read(self, name: str, text: str) -> int | None:
        """Return the number, or None, which is then said."""
        text = text.strip()
        short = text.isascii() and text.isdigit() and len(text) <= 9
        if short and self.least <= int(text) <= self.most:
            return int(text)
        address.refuse(name, text, [f"{self.least:,}–{self.most:,}"])
        return None

    def write(self, value: object) -> str | None:
        """Return the number as text, or what was typed, which the link then refuses."""
        return _typed(value)


@dataclass(frozen=True)
class Real:
    """A number from ``least`` to ``most``."""

    least: float
    most: float

    def read(self, name: str, text: str) -> float | None:
        """Return the number, or None, which is then said."""
        value = _number(text.strip())
        if self.least <= value <= self.most:
            return value
        address.refuse(name, text.strip(), [f"{_in_full(self.least)}–{_in_full(self.most)}"])
        return None

    def write(self, value: object) -> str | None:
        """Return the number as text that reads back exactly, or what was typed."""
        return _typed(value) if isinstance(value, str) else repr(float(str(value)))


def _typed(value: object) -> str:
    """Return what was typed, cut to what is surely refused; an empty field as two quotes."""
    return str(value)[: _LONGEST_NUMBER + 1] or EMPTY


def _in_full(value: float) -> str:
    return in_full(f"{value:.12g}")


def _number(text: str) -> float:
    """Return the number that a text is, or NaN."""
    try:
        return float(text) if text.isascii() and len(text) <= _LONGEST_NUMBER else math.nan
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class Word:
    """One of some words."""

    allowed: tuple[str, ...]

    def read(self, name: str, text: str) -> str | None:
        """Return the word, or None, which is then said."""
        if text in self.allowed:
            return text
        address.refuse(name, text, self.allowed)
        return None

    def write(self, value: object) -> str | None:
        """Return the word."""
        return str(value)


@dataclass(frozen=True)
class Text:
    """A text of the reader's, judged where it is computed.

    Attributes
    ----------
    shorten : callable
        Returns a text for a link that has at most so many characters, and one more where it was
        cut.
    """

    shorten: Callable[[str, int], str]

    def read(self, _name: str, text: str) -> str | None:
        """Return the text as it stands."""
        return text

    def write(self, value: object) -> str | None:
        """Return the text, shortened where it is too long for a link."""
        return self.shorten(str(value), LONGEST_TEXT)


@dataclass(frozen=True)
class LongText:
    """A text of the reader's that is left out of a link when it has more characters than ``most``.

    It is judged where it is computed.
    """

    most: int

    def read(self, _name: str, text: str) -> str | None:
        """Return the text as it stands."""
        return text

    def write(self, value: object) -> str | None:
        """Return the text, or None where it is too long for a link."""
        return str(value) if len(str(value)) <= self.most else None


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def read(self, name: str, text: str) -> bool | None:
        """Return whether it is on, or None, which is then said."""
        if text in ("on", "off"):
            return text == "on"
        address.refuse(name, text, ("on", "off"))
        return None

    def write(self, value: object) -> str | None:
        """Return on or off."""
        return "on" if value else "off"


Names = Mapping[str, tuple[str, Kind]]  # address name -> (choice, how it is read and written)


def restore(page: str, store: ChoiceStore, names: Names) -> bool:
    """Take over what the address says, when it says something new; return whether it did."""
    store.fill_defaults()
    arrival = address.read(page, names)
    if arrival is None:
        return False
    for name, (choice, kind) in names.items():
        if name in arrival.values:
            value = kind.read(name, arrival.values[name])
            store.put(choice, store.defaults[choice] if value is None else value)
        elif arrival.whole and not _is_left_out(store.get(choice), kind):
            store.put(choice, store.defaults[choice])
    return True


def _is_left_out(value: object, kind: Kind) -> bool:
    """Return whether a choice is left out of addresses, and so cannot be missing from one."""
    return isinstance(kind, LongText) and kind.write(value) is None


def publish(page: str, store: ChoiceStore, names: Names) -> None:
    """Write the view into the address: what differs from the usual, and what a link states."""
    address.write(
        page, {name: _written(name, store, choice, kind) for name, (choice, kind) in names.items()}
    )


def _written(name: str, store: ChoiceStore, choice: str, kind: Kind) -> str | None:
    """Return a choice as it stands in the address, None where it does not."""
    text = kind.write(store.get(choice))
    usual = store.get(choice) == store.defaults[choice]
    return None if usual and not address.shows(name, text) else text

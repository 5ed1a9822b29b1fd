"""The masks page in the address bar: read from a link, written after every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import OptionError
from engine.experiments.masks.alignment import MOST_SIDE
from engine.experiments.masks.inputs import (
    LEAST_RANDOM,
    MOST_SEED,
    MOST_TOKENS,
    MOST_WIDTH,
    SOURCES,
)
from engine.experiments.masks.mistakes import DTYPES, VARIANTS
from engine.experiments.masks.padding import KINDS
from engine.experiments.masks.spec import MOST_DRAWN
from pages.ui import address, messages
from pages.ui.masks import state
from pages.ui.masks.drawing_text import is_square

LONGEST_TEXT = 6_000  # characters of a sentence in a link; longer ones are refused in any case


@dataclass(frozen=True)
class Whole:
    """A whole number of the address, from ``least`` to ``most``."""

    least: int
    most: int

    def read(self, name: str, text: str) -> int | None:
        """Return the number, or None, which is then said."""
        text = text.strip()
        short = text.isascii() and text.isdigit() and len(text) <= 9
        if short and self.least <= int(text) <= self.most:
            return int(text)
        address.refuse(name, text, [f"{self.least}–{self.most}"])
        return None

    def write(self, value: object) -> str | None:
        """Return the number as text."""
        return str(value)


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


@dataclass(frozen=True)
class Sentence:
    """A text of the reader's, judged where it is computed."""

    def read(self, _name: str, text: str) -> str | None:
        """Return the text as it stands."""
        return text

    def write(self, value: object) -> str | None:
        """Return the text, or None where it is too long for a link."""
        return str(value) if len(str(value)) <= LONGEST_TEXT else None


@dataclass(frozen=True)
class Drawing:
    """A mask drawn by hand."""

    def read(self, name: str, text: str) -> str | None:
        """Return the drawing, or None, which is then said."""
        if is_square(text, MOST_DRAWN):
            return text
        messages.keep(
            OptionError(
                "The address asks for {name} = {value}, but a drawing has 1 to {most} rows, as "
                "many 0 or 1 in each row as there are rows, and / between them, such as 10/11. "
                "The usual value is shown instead.",
                name=name,
                value=text[:24],
                most=MOST_DRAWN,
            )
        )
        return None

    def write(self, value: object) -> str | None:
        """Return the drawing; None where there is none."""
        return str(value) or None


Kind = Whole | Word | Switch | Sentence | Drawing


def _of_mask(side: state.SideName) -> dict[str, tuple[str, Kind]]:
    return {
        side: (f"{side}_pattern", Word(tuple(state.PATTERNS))),
        f"{side}_window": (f"{side}_window", Whole(1, MOST_TOKENS)),
        f"{side}_prefix": (f"{side}_prefix", Whole(0, MOST_TOKENS)),
        f"{side}_padding": (f"{side}_padded", Switch()),
        f"{side}_length": (f"{side}_length", Whole(1, MOST_TOKENS)),
        f"{side}_drawn": (f"{side}_drawn", Drawing()),
    }


# Address name -> (choice, how it is read and written).
NAMES: dict[str, tuple[str, Kind]] = {
    "tab": ("tab", Word(tuple(state.TABS))),
    "source": ("source", Word(SOURCES)),
    "sentence": ("sentence", Sentence()),
    "seed": ("seed", Whole(0, MOST_SEED)),
    "T": ("T", Whole(LEAST_RANDOM, MOST_TOKENS)),
    "d_k": ("d_k", Whole(1, MOST_WIDTH)),
    **_of_mask("a"),
    **_of_mask("b"),
    "families": ("families", Switch()),
    "side": ("side", Word(state.SIDES)),
    "step": ("step", Whole(1, MOST_TOKENS)),
    "hide": ("kind", Word(KINDS)),
    "causal": ("causal", Switch()),
    **{name: (name, Sentence()) for name in state.SENTENCES},
    "queries": ("queries", Whole(1, MOST_SIDE)),
    "keys": ("keys", Whole(1, MOST_SIDE)),
    "dtype": ("dtype", Word(DTYPES)),
    "mistake": ("variant", Word(VARIANTS)),
    "decimals": ("decimals", Whole(*state.DECIMALS)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    state.fill_defaults()
    arrival = address.read(state.PAGE, NAMES)
    if arrival is None:
        return
    for name, (choice, kind) in NAMES.items():
        if name in arrival.values:
            state.put(choice, _read(arrival.values, name, choice, kind))
        elif arrival.whole and not _is_too_long(choice, kind):
            state.put(choice, state.DEFAULTS[choice])


def _is_too_long(choice: str, kind: Kind) -> bool:
    """Return whether a choice is left out of addresses, and so cannot be missing from one."""
    return isinstance(kind, Sentence) and kind.write(state.get(choice)) is None


def _read(given: Mapping[str, str], name: str, choice: str, kind: Kind) -> object:
    value = kind.read(name, given[name])
    return state.DEFAULTS[choice] if value is None else value


def publish() -> None:
    """Write the view into the address: what differs from the usual, and nothing else."""
    address.write(
        state.PAGE,
        {
            name: None
            if state.get(choice) == state.DEFAULTS[choice]
            else kind.write(state.get(choice))
            for name, (choice, kind) in NAMES.items()
        },
    )

"""The deck: slides collected from any page, kept as they were, in the order of the lecture.

It lives in the session of one browser tab. Every change can be undone, so each one leaves the deck
before it untouched.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import monotonic

import streamlit as st

from engine import EngineError, OptionError
from pages.export import MOST_SLIDES, ExportError, Slide, deck_bytes, refusal
from pages.export.limits import LARGEST_FILE, LONGEST_TITLE
from pages.ui.saving import picture

MOST_UNDO = 30

_KEPT = "deck.kept"
_CHOSEN = "deck.chosen"
_HISTORY = "deck.history"
_NEXT = "deck.next"
_TITLE = "deck.title."
_REMOVED = "deck.removed"
_DOUBLE_CLICK = 1.0  # seconds within which a second removal is taken for part of the first


@dataclass(frozen=True)
class Kept:
    """One slide in the deck.

    Parameters
    ----------
    number : int
        Names it for as long as the session lasts, wherever it stands.
    slide : Slide
        As it was when it was added, or renamed.
    fingerprint : str
        Of its figure.
    refused : EngineError or None
        Why a picture of it cannot be saved on this machine.
    size : int
        Bytes that it takes in a saved deck.
    """

    number: int
    slide: Slide
    fingerprint: str
    refused: EngineError | None
    size: int


Deck = tuple[Kept, ...]


def kept() -> Deck:
    """Return the deck."""
    return tuple(st.session_state.get(_KEPT, ()))


def slides() -> tuple[Slide, ...]:
    """Return the slides of the deck."""
    return tuple(each.slide for each in kept())


def chosen() -> int:
    """Return the place, from 0, of the chosen slide; 0 in an empty deck."""
    number = st.session_state.get(_CHOSEN)
    places = [place for place, each in enumerate(kept()) if each.number == number]
    return places[0] if places else 0


def choose(place: int) -> None:
    """Choose the slide at a place; one that is not there changes nothing."""
    if 0 <= place < len(kept()):
        st.session_state.pop(_REMOVED, None)
        st.session_state[_CHOSEN] = kept()[place].number


def place_of(slide: Slide) -> int | None:
    """Return where the deck has the very same slide, its style and its notes too, or None."""
    sought = picture.fingerprint(slide.figure)  # most slides differ in it, and it is at hand
    same = (
        place
        for place, each in enumerate(kept())
        if each.fingerprint == sought and each.slide == slide
    )
    return next(same, None)


def too_large() -> ExportError | None:
    """Return why the deck cannot be saved as a deck file, or None."""
    if sum(each.size for each in kept()) <= LARGEST_FILE:
        return None
    return ExportError(
        "A saved deck has at most {most} megabytes, and this one has more; take out slides "
        "with large matrices.",
        most=LARGEST_FILE // 1024**2,
    )


def check_room(more: int, present: int | None = None) -> None:
    """Refuse slides that the deck has no room for; raises OptionError."""
    count = len(kept()) if present is None else present
    if count + more > MOST_SLIDES:
        raise OptionError(
            "The deck holds at most {most} slides; it has {count}, and {more} more do not fit. "
            "Nothing was added: remove some slides first.",
            most=MOST_SLIDES,
            count=count,
            more=more,
        )


def append(new: Iterable[Slide]) -> int:
    """Put slides at the end and choose the first of them; return how many there were.

    Raises
    ------
    OptionError
        When the deck has no room for all of them; then it stays as it is.
    """
    added = list(new)
    check_room(len(added))
    _put_in(added, kept())
    return len(added)


def put_in_place(new: Iterable[Slide]) -> int:
    """Replace the deck by other slides; return how many; raises OptionError like ``append``."""
    added = list(new)
    check_room(len(added), present=0)
    _put_in(added, ())
    return len(added)


def rename(number: int, title: str) -> None:
    """Give a slide another title; one that is gone meanwhile, or the same title, changes nothing.

    Raises
    ------
    OptionError
        When nothing or too much is left of the title.
    """
    clean = clean_title(title)
    now = kept()
    if any(each.number == number and each.slide.title != clean for each in now):
        _change(
            tuple(
                _keep(each.slide.renamed(clean), number) if each.number == number else each
                for each in now
            )
        )


def clean_title(title: str) -> str:
    """Return a title without spare spaces and unprintable characters; raises OptionError."""
    clean = " ".join("".join(c for c in title if c.isprintable() or c.isspace()).split())
    if not clean:
        raise OptionError("A slide needs a title; the one it had is kept.")
    if len(clean) > LONGEST_TITLE:
        raise OptionError(
            "A title may have up to {most} characters, and this one has {count}; the one before "
            "is kept.",
            most=LONGEST_TITLE,
            count=len(clean),
        )
    return clean


def move(number: int, to: int) -> None:
    """Move a slide to a place, from 0; beyond either end is the end."""
    now = kept()
    moved = [each for each in now if each.number == number]
    if moved:
        others = [each for each in now if each.number != number]
        to = min(max(to, 0), len(others))
        _change((*others[:to], *moved, *others[to:]))
        st.session_state[_CHOSEN] = number


def duplicate(number: int) -> None:
    """Put a second slide like this one behind it, and choose the second; raises OptionError."""
    now = kept()
    places = [place for place, each in enumerate(now) if each.number == number]
    if places:
        check_room(1)
        second = replace(now[places[0]], number=_next_number())
        after = places[0] + 1
        _change((*now[:after], second, *now[after:]))
        st.session_state[_CHOSEN] = second.number


def remove(number: int) -> None:
    """Remove a slide; the one that takes its place is chosen.

    The second click of a slow double click finds that slide under the same button, and a held key
    one after the other: right after a removal nothing is removed.
    """
    gone = next((each for each in kept() if each.number == number), None)
    if gone is None or _has_just_removed():
        return
    place = chosen()
    _change(tuple(each for each in kept() if each is not gone))
    choose(min(place, len(kept()) - 1))
    st.session_state[_REMOVED] = monotonic()


def _has_just_removed() -> bool:
    """Say whether a slide was removed a moment ago, and nothing else was done since."""
    removed_at: float = st.session_state.get(_REMOVED, -math.inf)
    return monotonic() - removed_at < _DOUBLE_CLICK


def clear() -> None:
    """Remove every slide."""
    _change(())


def can_undo() -> bool:
    """Say whether there is a change to undo."""
    return bool(st.session_state.get(_HISTORY))


def undo() -> None:
    """Go back to the deck before the last change."""
    if can_undo():
        st.session_state.pop(_REMOVED, None)
        before, number = st.session_state[_HISTORY].pop()
        st.session_state[_KEPT] = before
        st.session_state[_CHOSEN] = number
        _forget_typed_titles()


def title_key(number: int) -> str:
    """Return the key of the field with a slide's title."""
    return f"{_TITLE}{number}"


def _put_in(added: list[Slide], before: Deck) -> None:
    if added or before != kept():
        new = tuple(_keep(slide, _next_number()) for slide in added)
        _change((*before, *new))
        choose(len(before) if new else 0)


def _keep(slide: Slide, number: int) -> Kept:
    figure = slide.figure
    fingerprint, refused = picture.fingerprint(figure), refusal(figure, "png")
    return Kept(number, slide, fingerprint, refused, _size(slide))


def _size(slide: Slide) -> int:
    """Return how many bytes a slide takes in a saved deck; above the most when it fits in none."""
    try:
        return len(deck_bytes((slide,), "json"))
    except ExportError:
        return LARGEST_FILE + 1


def _next_number() -> int:
    st.session_state[_NEXT] = st.session_state.get(_NEXT, 0) + 1
    return int(st.session_state[_NEXT])


def _change(new: Deck) -> None:
    if new == kept():
        return
    st.session_state.pop(_REMOVED, None)
    history = st.session_state.setdefault(_HISTORY, [])
    history.append((kept(), st.session_state.get(_CHOSEN)))
    del history[:-MOST_UNDO]
    st.session_state[_KEPT] = new


def _forget_typed_titles() -> None:
    """Let the fields show the titles of the deck again instead of what was typed last."""
    for name in [name for name in st.session_state if str(name).startswith(_TITLE)]:
        del st.session_state[name]

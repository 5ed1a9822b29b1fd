"""Widgets for choices that are no words: numbers, texts, sliders.

A number is typed as text: a browser's own field of numbers turns 2.5 into 2, 1e9 into 1 and 3,5
into 35 without a word. What cannot be computed is kept as it was typed, and the sentence that
refuses it stands in the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import streamlit as st

from engine.experiments.number_text import is_lost, is_number, plain_number_text
from pages.text import Translator
from pages.text.grouping import in_full, short_power, without_groups
from pages.ui import choices
from pages.ui.choice_store import ChoiceStore

# A run that is interrupted may never reach the browser. Streamlit then draws a field with its
# value, and not empty, if its state is said to persist.
PERSIST: Literal["session"] = "session"
_LARGEST = 1e15  # up to here a float holds every whole number
Read = Callable[[str], object]


class Field(NamedTuple):
    """A field of a whole number: its title, its choice, and what it means."""

    title: str
    name: str
    help: str | None = None


def widget(store: ChoiceStore, name: str, shown: object) -> str:
    """Return the key of a widget of choice ``name`` that is not typed in, set to what it shows."""
    place = _place(store, name)
    st.session_state[place] = shown
    return place


def typed(store: ChoiceStore, name: str, shown: str) -> dict[str, Any]:
    """Return key and value of a field that is typed in.

    It is set only where it shows something else: setting it again would undo what is being typed.
    Else the value is its default, which a browser draws that has thrown the field away, although
    its last message still spoke of it, as one does that goes to another tab and back at once.
    """
    place = _place(store, name)
    if st.session_state.get(place) != shown:
        st.session_state[place] = shown
        return {"key": place}
    return {"key": place, "value": shown}


def _place(store: ChoiceStore, name: str) -> str:
    return f"{store.key(name)}@field"


def taker(store: ChoiceStore, name: str, read: Read | None = None) -> Callable[[], None]:
    """Return the callback that takes a choice over from its widget, as ``read`` understands it.

    A widget without a value, such as an emptied one of numbers, leaves the choice as it was.
    """

    def take() -> None:
        value = st.session_state[_place(store, name)]
        if value is not None:
            store.put(name, value if read is None else read(value))

    return take


def whole_of(text: str) -> int | float | str:
    """Return the number that a text is, a whole one if it can be; what is none stays as it is."""
    number = real_of(text)
    if isinstance(number, float) and number.is_integer() and abs(number) < _LARGEST:
        return int(number)
    return number


def real_of(text: str) -> float | str:
    """Return the number that a text is; what is none stays as it is."""
    plain = without_groups(plain_number_text(text))
    if not is_number(plain) or is_lost(plain) or not math.isfinite(float(plain)):
        return text
    return float(plain)


def written(value: object) -> str:
    """Return a choice as it stands in its field."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        value = int(value)
    text = in_full(str(value))
    return short_power(text) if isinstance(value, float) else text


def whole(store: ChoiceStore, title: str, name: str, *, help: str | None = None) -> None:
    """Draw the field of a whole number."""
    _number(store, title, name, whole_of, help)


def whole_numbers(store: ChoiceStore, *fields: tuple[str, str] | Field) -> None:
    """Draw fields of whole numbers beside each other, each with its title and its choice."""
    for column, given in zip(st.columns(len(fields), gap="xsmall"), fields, strict=True):
        field = Field(*given)
        with column:
            whole(store, field.title, field.name, help=field.help)


def switch(
    store: ChoiceStore, title: str, name: str, t: Translator, help: str | None = None
) -> None:
    """Draw a choice of yes or no."""
    st.toggle(
        title,
        key=choices.widget(store.key(name), t),
        on_change=choices.taker(store.key(name), t),
        help=help,
    )


def one_of(
    store: ChoiceStore,
    title: str,
    name: str,
    titles: Mapping[str, str],
    t: Translator,
    help: str | None = None,
) -> None:
    """Draw a choice among a few words, marked texts by their names."""
    st.segmented_control(
        title,
        options=list(titles),
        format_func=lambda each: t(titles[each]),
        key=choices.widget(store.key(name), t),
        on_change=choices.taker(store.key(name), t),
        required=True,
        width="stretch",
        help=help,
    )


def real(store: ChoiceStore, title: str, name: str, *, help: str | None = None) -> None:
    """Draw the field of a number."""
    _number(store, title, name, real_of, help)


def _number(store: ChoiceStore, title: str, name: str, read: Read, help: str | None) -> None:
    st.text_input(
        title,
        on_change=taker(store, name, read),
        max_chars=None,
        help=help,
        persist_state=PERSIST,
        **typed(store, name, written(store.get(name))),
    )


def text(
    store: ChoiceStore,
    title: str,
    name: str,
    *,
    height: int = 0,
    help: str | None = None,
    placeholder: str | None = None,
) -> None:
    """Draw a line of text, or a box where it has a height in pixels; it keeps what was typed.

    ``placeholder`` is what an empty box stands for.
    """
    held, taken = typed(store, name, store.word(name)), taker(store, name)
    if height:
        st.text_area(
            title,
            on_change=taken,
            height=height,
            help=help,
            placeholder=placeholder,
            persist_state=PERSIST,
            **held,
        )
    else:
        st.text_input(title, on_change=taken, help=help, persist_state=PERSIST, **held)

"""Widgets for choices that are no words: numbers, texts, sliders.

A number may be typed that cannot be computed; the sentence that refuses it stands in the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.ui.choice_store import ChoiceStore


def widget(store: ChoiceStore, name: str, shown: object) -> str:
    """Return the key of the widget of choice ``name``, set to what it shows.

    It is set only where it shows something else: setting it again would undo what is being typed.
    """
    place = f"{store.key(name)}@field"
    if st.session_state.get(place) != shown:
        st.session_state[place] = shown
    return place


def taker(store: ChoiceStore, name: str) -> Callable[[], None]:
    """Return the callback that takes a choice over from its widget; an emptied field is none."""

    def take() -> None:
        value = st.session_state[f"{store.key(name)}@field"]
        if value is not None:
            store.put(name, value)

    return take


def whole(store: ChoiceStore, title: str, name: str, *, help: str | None = None) -> None:
    """Draw the field of a whole number of any size."""
    st.number_input(
        title,
        step=1,
        key=widget(store, name, int(store.word(name))),
        on_change=taker(store, name),
        help=help,
    )


def real(
    store: ChoiceStore, title: str, name: str, step: float, *, help: str | None = None
) -> None:
    """Draw the field of a number of any size."""
    st.number_input(
        title,
        step=step,
        format="%g",
        key=widget(store, name, float(store.word(name))),
        on_change=taker(store, name),
        help=help,
    )


def text(
    store: ChoiceStore, title: str, name: str, *, height: int = 0, help: str | None = None
) -> None:
    """Draw a line of text, or a box where it has a height in pixels; it keeps what was typed."""
    key, taken = widget(store, name, store.word(name)), taker(store, name)
    if height:
        st.text_area(title, key=key, on_change=taken, height=height, max_chars=None, help=help)
    else:
        st.text_input(title, key=key, on_change=taken, max_chars=None, help=help)

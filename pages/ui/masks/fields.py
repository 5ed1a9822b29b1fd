"""Widgets for choices that are not words: numbers, switches, texts.

The choice itself is kept under its own key (see state.py), so that it outlives its widget and may
differ from what the widget can show.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.text import Translator
from pages.ui.masks import state


def widget(name: str, shown: object) -> str:
    """Return the key of the widget of choice ``name``, set to what it shows.

    It is set only where it shows something else: setting it again would undo what is being typed.
    """
    place = f"{state.key(name)}@field"
    if st.session_state.get(place) != shown:
        st.session_state[place] = shown
    return place


def taker(name: str, then: Callable[[], None] | None = None) -> Callable[[], None]:
    """Return the callback that takes a choice over from its widget, then calls ``then``."""

    def take() -> None:
        state.put(name, st.session_state[f"{state.key(name)}@field"])
        if then is not None:
            then()

    return take


def whole(title: str, name: str, least: int, most: int, *, help: str | None = None) -> None:
    """Draw the field of a whole number between two bounds."""
    st.number_input(
        title,
        min_value=least,
        max_value=most,
        step=1,
        key=widget(name, state.fitting(name, least, most)),
        on_change=taker(name),
        help=help,
    )


def slider(title: str, name: str, least: int, most: int, *, help: str | None = None) -> None:
    """Draw the slider of a whole number; nothing where there is only one to choose."""
    if least < most:
        st.slider(
            title,
            min_value=least,
            max_value=most,
            key=widget(name, state.fitting(name, least, most)),
            on_change=taker(name),
            help=help,
        )


def say_cut(name: str, least: int, most: int, t: Translator) -> None:
    """Say when a number is cut to the tokens there are."""
    wanted, shown = state.whole(name), state.fitting(name, least, most)
    if wanted != shown:
        st.caption(
            t(
                "{wanted} was chosen; with {most} tokens it is cut to {shown}.",
                wanted=wanted,
                most=most,
                shown=shown,
            )
        )


def switch(title: str, name: str, *, help: str | None = None) -> None:
    """Draw a switch."""
    st.toggle(title, key=widget(name, bool(state.get(name))), on_change=taker(name), help=help)


def text(title: str, name: str, *, height: int, help: str | None = None) -> None:
    """Draw the box of a text of any length, which keeps what was typed."""
    st.text_area(
        title,
        key=widget(name, str(state.get(name))),
        on_change=taker(name),
        height=height,
        max_chars=None,
        help=help,
    )

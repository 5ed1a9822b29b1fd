"""Widgets for choices that are not words: numbers, switches, texts.

The choice itself is kept under its own key (see state.py), so that it outlives its widget and may
differ from what the widget can show.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.text import Translator
from pages.ui import choice_fields
from pages.ui.masks import state

widget = partial(choice_fields.widget, state.STORE)
taker = partial(choice_fields.taker, state.STORE)
text = partial(choice_fields.text, state.STORE)


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
        persist_state=choice_fields.PERSIST,
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
            persist_state=choice_fields.PERSIST,
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
    st.toggle(
        title,
        key=widget(name, bool(state.get(name))),
        on_change=taker(name),
        help=help,
        persist_state=choice_fields.PERSIST,
    )

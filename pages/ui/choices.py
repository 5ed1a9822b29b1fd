"""Choices whose options are shown in the reader's language.

Streamlit remembers what was chosen by the text of the option. When the language changes, so does
the text, and the choice would be lost or turn into the text itself. So the choice is kept under a
key of its own, and each language has its own widget that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.text import Translator


def widget(key: str, t: Translator, place: str = "") -> str:
    """Return the key of the widget that shows choice ``key``, and set it to the choice.

    ``place`` tells apart several widgets for one choice.
    """
    name = _name(key, t, place)
    st.session_state[name] = st.session_state[key]
    return name


def taker(
    key: str, t: Translator, then: Callable[[], None] | None = None, place: str = ""
) -> Callable[[], None]:
    """Return the callback that takes the choice over from its widget, then calls ``then``."""

    def take() -> None:
        st.session_state[key] = st.session_state[_name(key, t, place)]
        if then is not None:
            then()

    return take


def view(key: str, titles: Mapping[str, str], t: Translator) -> str:
    """Draw the bar of a page's views, and return the name of the one that is chosen.

    Parameters
    ----------
    key : str
        Of the choice.
    titles : mapping
        Marked texts by name.
    t : Translator
    """
    return str(
        st.segmented_control(
            t("View"),
            options=list(titles),
            format_func=lambda name: t(titles[name]),
            key=widget(key, t),
            on_change=taker(key, t),
            required=True,
            label_visibility="collapsed",
        )
    )


def _name(key: str, t: Translator, place: str) -> str:
    return f"{key}@{t.language}{place}"

"""The choice of what a figure of this page shows."""

from __future__ import annotations

import streamlit as st

from pages.text import Translator
from pages.ui import choices
from pages.ui.result_figures import of, show, show_live
from pages.ui.scaling import state

__all__ = ["choose", "of", "show", "show_live"]

CHOICE_WIDTH = 200


def choose(title: str, name: str, options: dict[str, str], t: Translator) -> None:
    """Draw the choice of what a figure shows; ``options`` are words by name."""
    with st.container(width=CHOICE_WIDTH):
        st.selectbox(
            title,
            options=list(options),
            format_func=options.__getitem__,
            key=choices.widget(state.key(name), t),
            on_change=choices.taker(state.key(name), t),
            label_visibility="collapsed",
        )

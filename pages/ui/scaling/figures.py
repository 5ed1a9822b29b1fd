"""Figures of this page on screen."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.gallery import Exhibit, exhibit
from pages.text import Translator
from pages.ui import choices, figure_view, settings
from pages.ui.scaling import state
from pages.ui.scaling.maths import typeset

CHOICE_WIDTH = 200


def of(name: str, result: Any, view: Any = None) -> Exhibit:
    """Return a figure with its numbers."""
    return exhibit(name, result, params=result.params, view=view, backend=result.backend_name)


def show(name: str, result: Any, view: Any = None, key: str = "") -> None:
    """Show a figure; ``key`` tells apart two of one name."""
    figure_view.show(of(name, result, view), key or name, typeset=typeset)


def show_live(place: Any, name: str, result: Any, view: Any = None) -> None:
    """Show a figure in a place for a moment, without its export bar."""
    figure = of(name, result, view).draw(settings.screen_style())
    with place.container(gap="xsmall"):
        st.vega_lite_chart(spec=figure.spec, theme=None, width="content")
        st.caption(typeset(figure.note))


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

"""Figures of a result on screen: with their export bar, or live while the result still grows."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.gallery import Exhibit, exhibit
from pages.ui import figure_view, settings
from pages.ui.maths import set_plain


def of(name: str, result: Any, view: Any = None) -> Exhibit:
    """Return a figure with its numbers; a prediction was computed on no backend in particular."""
    backend = getattr(result, "backend_name", None)
    return exhibit(name, result, params=result.params, view=view, backend=backend)


def show(name: str, result: Any, view: Any = None, key: str = "") -> None:
    """Show a figure; ``key`` tells apart two of one name."""
    figure_view.show(of(name, result, view), key or name, typeset=set_plain)


def show_live(place: Any, name: str, result: Any, view: Any = None) -> None:
    """Show a figure in a place for a moment, without its export bar."""
    figure = of(name, result, view).draw(settings.screen_style())
    with place.container(gap="xsmall"):
        st.vega_lite_chart(spec=figure.spec, theme=None, width="content")
        st.caption(set_plain(figure.note))

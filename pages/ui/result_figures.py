"""Figures of a result on screen: with their export bar, or live while the result still grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.gallery import Exhibit, exhibit
from pages.ui import figure_view, settings
from pages.ui.maths import set_plain


def of(name: str, result: Any, view: Any = None) -> Exhibit:
    """Return a figure with its numbers; a prediction was computed on no backend in particular."""
    backend = getattr(result, "backend_name", None)
    return exhibit(name, result, params=result.params, view=view, backend=backend)


def show(
    name: str,
    result: Any,
    view: Any = None,
    key: str = "",
    on_pick: Callable[[int, int], None] | None = None,
) -> None:
    """Show a figure; ``key`` tells apart two of one name.

    ``on_pick`` takes row and column, from 0, of the cell that the reader clicks.
    """
    place = key or name

    def take() -> None:
        cell = figure_view.picked_cell(place)
        if cell is not None and on_pick is not None:
            on_pick(*cell)

    picked = take if on_pick is not None else None
    figure_view.show(of(name, result, view), place, typeset=set_plain, on_pick=picked)


def show_live(place: Any, name: str, result: Any, view: Any = None) -> None:
    """Show a figure in a place for a moment, without its export bar."""
    figure = of(name, result, view).draw(settings.screen_style())
    with place.container(gap="xsmall"):
        st.vega_lite_chart(spec=figure.spec, theme=None, width="content")
        st.caption(set_plain(figure.note))

"""A figure on screen with its note and its export bar; the files show the same exhibit."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.gallery import Exhibit
from pages.ui import settings
from pages.ui.saving import bar

WIDTH = 868  # pixels: the widest figure on screen


def show(
    exhibit: Exhibit,
    key: str,
    *,
    decimals: int = 3,
    on_pick: Callable[[], None] | None = None,
    typeset: Callable[[str], str] | None = None,
) -> None:
    """Show a figure with its note and its export bar.

    Parameters
    ----------
    exhibit : Exhibit
        The screen and every file draw it, each in its own style.
    key : str
        Names the chart and its buttons; unique on the page.
    decimals : int
        Decimals of the numbers in the figure.
    on_pick : callable, optional
        Called when the reader clicks a cell; read it with ``picked_cell``.
    typeset : callable, optional
        Returns the note as Markdown, with its symbols as formulas.
    """
    t = settings.translate()
    figure = exhibit.draw(settings.screen_style(decimals))
    # A matrix of many cells is a picture, of which none can be picked.
    pick = on_pick if on_pick is not None and has_cells(figure.spec) else None
    with st.container(gap="xsmall", width=WIDTH):
        st.vega_lite_chart(
            spec=figure.spec,
            theme=None,
            width="content",
            key=chart_key(key),
            on_select=pick or "ignore",
            selection_mode="cell" if pick else None,
        )
        st.caption(typeset(figure.note) if typeset else figure.note)
        bar.draw(exhibit, figure, key, decimals, t)


def has_cells(spec: object) -> bool:
    """Say whether a specification has a selection of cells, at any depth."""
    if isinstance(spec, dict):
        named = any(each.get("name") == "cell" for each in spec.get("params", ()))
        return named or any(has_cells(part) for part in spec.get("layer", ()))
    return False


def chart_key(key: str) -> str:
    """Return the widget key of the chart called ``key``."""
    return f"figure.{key}"


def picked_cell(key: str) -> tuple[int, int] | None:
    """Return the row and column (from 0) that the reader clicked in chart ``key``, if any."""
    event = st.session_state.get(chart_key(key))
    cells = event["selection"].get("cell") if event else None
    if not cells:
        return None
    return int(cells[0]["row"]), int(cells[0]["column"])

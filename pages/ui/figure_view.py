"""A figure on screen with its export bar: PNG, SVG, PDF and CSV of the same specification."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.export import MEDIA_TYPES, file_name, refusal, to_bytes
from pages.figures.figure import Figure, Style, ThemeName
from pages.text import Translator, mark
from pages.ui import choices, messages, settings

MakeFigure = Callable[[Style], Figure]

FORMATS = {
    "png": mark("Picture for any program, 300 pixels per inch"),
    "svg": mark("Vector drawing with editable text"),
    "pdf": mark("Vector page with its fonts inside"),
    "csv": mark("The numbers behind the figure, at full precision"),
}
NEEDS_FONT = {"png", "pdf"}
EXPORT_THEMES = {"light": mark("Light slide"), "dark": mark("Dark slide")}
THEME_KEY = "export.theme"
WIDTH = 868  # pixels: the widest figure on screen


def show(
    make: MakeFigure, key: str, *, decimals: int = 3, on_pick: Callable[[], None] | None = None
) -> None:
    """Show the figure that ``make`` draws, its note and its export bar.

    Parameters
    ----------
    make : callable
        Draws the figure in a given style. The screen and every export call the same function.
    key : str
        Names the chart and its buttons; unique on the page.
    decimals : int
        Decimals of the numbers in the figure.
    on_pick : callable, optional
        Called when the reader clicks a cell; read it with ``picked_cell``.
    """
    t = settings.translate()
    style = settings.screen_style(decimals)
    figure = make(style)
    st.vega_lite_chart(
        spec=figure.spec,
        theme=None,
        width="content",
        key=chart_key(key),
        on_select=on_pick or "ignore",
        selection_mode="cell" if on_pick else None,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(figure.note, width="stretch")
        export_bar(make, figure, style, key, t)


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


def export_bar(make: MakeFigure, figure: Figure, style: Style, key: str, t: Translator) -> None:
    """Draw the row of download buttons under a figure, in the export theme of the reader."""
    unreadable = refusal(figure, "png")
    bar = st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="xsmall",
        width="content",
        key=f"bar.{key}",
    )
    with bar:
        slide = replace(style, theme=export_theme(t, key), size="slide")
        for kind, meaning in FORMATS.items():
            blocked = unreadable is not None and kind in NEEDS_FONT
            download_button(make, figure, slide, kind, key, meaning=t(meaning), blocked=blocked)
    if unreadable is not None:
        st.caption(messages.sentence(unreadable, t))


def download_button(
    make: MakeFigure,
    figure: Figure,
    style: Style,
    kind: str,
    key: str,
    *,
    meaning: str,
    blocked: bool,
) -> None:
    """Draw one download button; the file is made when it is pressed."""
    st.download_button(
        kind.upper(),
        data=lambda: to_bytes(make(style), kind),
        file_name=file_name(figure, kind, style),
        mime=MEDIA_TYPES[kind],
        key=f"save.{key}.{kind}",
        help=meaning,
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        disabled=blocked,
    )


def export_theme(t: Translator, key: str) -> ThemeName:
    """Draw and return the theme of saved files, one choice for the whole product."""
    st.session_state.setdefault(THEME_KEY, "light")
    st.selectbox(
        t("Theme of saved files"),
        options=list(EXPORT_THEMES),
        format_func=lambda name: t(EXPORT_THEMES[name]),
        key=choices.widget(THEME_KEY, t, key),
        on_change=choices.taker(THEME_KEY, t, place=key),
        label_visibility="collapsed",
        width=140,
    )
    return "dark" if st.session_state[THEME_KEY] == "dark" else "light"

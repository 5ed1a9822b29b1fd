"""The line under a figure: save it, add it to the deck, and how it will look."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine import EngineError
from pages.export import refusal, slide_of
from pages.figures.figure import Figure, Style
from pages.gallery import Exhibit
from pages.text import Translator, translator
from pages.ui.saving import adding, downloads, options, preview

# Under a narrow figure the line becomes two; they stay close together.
STYLE = """
<style>
[class*="st-key-bar-"] { row-gap: 0; }
[class*="st-key-bar-"] button { min-height: 2rem; }
</style>
"""


def dress() -> None:
    """Give every bar of the page its look; once a page."""
    st.html(STYLE)


def draw(exhibit: Exhibit, figure: Figure, key: str, decimals: int, t: Translator) -> None:
    """Draw the export bar of one figure.

    Parameters
    ----------
    exhibit : Exhibit
        What is saved.
    figure : Figure
        The same on screen.
    key : str
        Names the bar on its page.
    decimals : int
        Of the numbers on the page.
    """
    style = options.style(decimals)
    refused = refused_in(exhibit, figure, style)
    with st.container(horizontal=True, vertical_alignment="center", gap=12, key=f"bar.{key}"):
        st.caption(t("Save as"), width="content")
        downloads.row(lambda: slide_of(exhibit, style), figure, style, key, refused=refused, t=t)
        st.button(
            t("Add to deck"),
            icon=":material/add_to_photos:",
            help=t("Keep the figure as it is now for a deck of slides"),
            key=f"add.{key}",
            type="tertiary",
            on_click=adding.add,
            args=(exhibit, style),
        )
        st.space("stretch")
        if st.button(
            options.words(style, t),
            icon=":material/tune:",
            help=t("Preview what will be saved, and change it"),
            key=f"options.{key}",
            type="tertiary",
        ):
            preview.open_for(exhibit, decimals, t)
    downloads.say_refused(refused, t)


def refused_in(exhibit: Exhibit, figure: Figure, style: Style) -> EngineError | None:
    """Return why pictures in this style would show boxes, or None, without drawing them.

    The figure on screen has every label; the words around it come in the language of the file.
    """
    title = translator(style.language)(exhibit.entry.title)
    return refusal(replace(figure, spec={"screen": figure.spec, "title": title}), "png")

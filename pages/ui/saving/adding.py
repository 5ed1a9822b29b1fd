"""Puts figures into the deck and says so."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from pages.export import Slide, slide_of
from pages.figures.figure import Style
from pages.gallery import Exhibit
from pages.text.markup import quoted
from pages.ui import messages, settings
from pages.ui.saving import tray


def add(exhibit: Exhibit, style: Style) -> None:
    """Draw a figure as a slide and put it at the end of the deck; a callback."""
    try:
        add_slide(slide_of(exhibit, style))
    except EngineError as error:
        messages.keep(error)


def add_slide(slide: Slide) -> None:
    """Put a slide at the end of the deck, unless the very same is in it already.

    A double click therefore adds it once.
    """
    t = settings.translate()
    title, there = quoted(slide.title), tray.place_of(slide)
    if there is not None:
        st.toast(
            t("Already in the deck as slide {number}: {title}", number=there + 1, title=title),
            icon=":material/info:",
        )
        return
    tray.append([slide])
    st.toast(
        t("Added to the deck as slide {number}: {title}", number=len(tray.kept()), title=title),
        icon=":material/add_to_photos:",
    )

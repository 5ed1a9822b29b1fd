"""The dialog that shows what will be saved, while its options change."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from pages.export import Slide, file_name, refusal, slide_of
from pages.gallery import Exhibit
from pages.text import Translator
from pages.text.markup import quoted
from pages.ui import messages
from pages.ui.saving import adding, downloads, options, picture

HEIGHT = 430  # pixels of the room for the picture, the same for every size


def open_for(exhibit: Exhibit, decimals: int, t: Translator) -> None:
    """Open the dialog on a figure; the page runs again when it is closed, with the new options."""
    dialog = st.dialog(t("Save this figure"), width="large", on_dismiss="rerun")
    dialog(_draw)(exhibit, decimals, t)


def _draw(exhibit: Exhibit, decimals: int, t: Translator) -> None:
    shown, controls = st.columns([7, 3], gap="medium")
    with controls:
        options.draw(t)
    style = options.style(decimals)
    slide = slide_of(exhibit, style)
    with shown, st.container(height=HEIGHT, border=False, vertical_alignment="center"):
        draw_picture(slide, f"{HEIGHT - 8}px", t)
    refused = refusal(slide.figure, "png")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_name(slide), width="content")
        st.space("stretch")
        st.caption(t("Save as"), width="content")
        downloads.row(lambda: slide, slide.figure, style, "preview", refused=refused, t=t)
        if st.button(
            t("Add to deck"), icon=":material/add_to_photos:", type="primary", key="add.preview"
        ):
            _add(slide)
    st.caption(downloads.in_powerpoint(slide.figure, style, t))
    downloads.say_refused(refused, t)


def draw_picture(slide: Slide, height: str, t: Translator, known_as: str | None = None) -> None:
    """Draw a slide as its SVG file shows it; one that cannot be drawn says why.

    ``known_as`` is the fingerprint of its figure, where that is at hand.
    """
    try:
        address = picture.drawing(slide.figure, known_as)
    except EngineError as error:
        messages.refuse(error, t)
        return
    st.html(picture.framed(address, slide, height))


def _name(slide: Slide) -> str:
    stem = file_name(slide.figure, "png", slide.style).removesuffix(".png")
    return f":material/draft: {quoted(stem)}"


def _add(slide: Slide) -> None:
    try:
        adding.add_slide(slide)
    except EngineError as error:
        messages.keep(error)
    st.rerun()

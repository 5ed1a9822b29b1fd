"""The chosen slide at full width: its title to edit, its picture, its files, its notes."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from pages.text import Translator
from pages.ui import messages
from pages.ui.saving import downloads, options, preview, tray

HEIGHT = "max(18rem, calc(100vh - 21rem))"  # what the window leaves between title and files


def draw(t: Translator) -> None:
    """Draw the chosen slide."""
    deck, place = tray.kept(), tray.chosen()
    each = deck[place]
    with st.container(width="stretch", gap="small", key="deck.canvas"):
        _draw_head(each, place, len(deck), t)
        preview.draw_picture(each.slide, HEIGHT, t, each.fingerprint)
        _draw_files(each, t)
        with st.expander(t("Speaker notes"), icon=":material/notes:"):
            st.code(each.slide.notes, language=None, wrap_lines=True)


def _draw_head(each: tray.Kept, place: int, count: int, t: Translator) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{place + 1}** / {count}", width="content")
        key = tray.title_key(each.number)
        st.session_state.setdefault(key, each.slide.title)
        st.text_input(
            t("Title of this slide"),
            key=key,
            on_change=_take_title,
            args=(each.number,),
            label_visibility="collapsed",
            autocomplete="off",
        )
        _step(t("‹ Previous"), place - 1, "Alt+Left", disabled=place == 0)
        _step(t("Next ›"), place + 1, "Alt+Right", disabled=place == count - 1)
    _say_refused_title(each, t)


def _step(title: str, to: int, shortcut: str, *, disabled: bool) -> None:
    st.button(
        title,
        on_click=tray.choose,
        args=(to,),
        shortcut=shortcut,
        type="tertiary",
        disabled=disabled,
    )


def _take_title(number: int) -> None:
    """Take over a title that is one; what is wrong with another is said beside its field."""
    try:
        tray.rename(number, str(st.session_state.get(tray.title_key(number)) or ""))
    except EngineError:
        return


def _say_refused_title(each: tray.Kept, t: Translator) -> None:
    try:
        tray.clean_title(str(st.session_state.get(tray.title_key(each.number)) or ""))
    except EngineError as error:
        messages.refuse(error, t)


def _draw_files(each: tray.Kept, t: Translator) -> None:
    slide = each.slide
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(options.words(slide.style, t), width="content")
        st.space("stretch")
        st.caption(t("This slide as"), width="content")
        downloads.row(
            lambda: slide, slide.figure, slide.style, "deck.slide", refused=each.refused, t=t
        )
    downloads.say_refused(each.refused, t)

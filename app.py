"""Attention Workbench: the frame. Page config, navigation, language and backend choice."""

from __future__ import annotations

import streamlit as st

from pages.text import Translator
from pages.ui import address, frame, icon, later, messages, settings, status
from pages.ui.saving import bar, deck_page, downloads, leaving


def main() -> None:
    """Draw the frame and run the page that the reader chose."""
    st.set_page_config(
        page_title="Attention Workbench",
        page_icon=icon.picture(),
        layout="wide",
        initial_sidebar_state=340,
    )
    frame.use_the_room()
    bar.dress()
    frame.read_address()
    t = draw_switches()
    downloads.dress(t)
    page = st.navigation(sections(t), position="top")
    status.reset()
    later.forget_wishes()
    address.note_page(page.url_path)
    messages.refuse_kept(t)
    frame.warn_if_missing(t)
    with st.sidebar:
        deck_page.link(t)
    frame.run_page(page, t)
    frame.draw_status_line(t)
    frame.write_address()
    with st.sidebar:
        frame.tell_language(t)
        leaving.guard()
    frame.carry_on(t)


def draw_switches() -> Translator:
    """Draw the language switch and the backend choice; return the translator of the choice."""
    with st.sidebar:
        switches = st.container(horizontal=True, vertical_alignment="center", gap="small")
        with switches:
            frame.choose_language()
        t = settings.translate()
        with switches:
            frame.choose_backend(t)
    return t


def sections(t: Translator) -> dict[str, list[st.Page]]:
    """Return the pages by section, their titles in the reader's language.

    A page's address must differ from its file's stem: until st.navigation first runs, Streamlit
    serves the files of pages/ under their stems, without this frame.
    """
    return {
        t("Start"): [
            st.Page(
                "pages/overview.py",
                title=t("Overview"),
                icon=":material/home:",
                default=True,
            )
        ],
        t("Calculate"): [
            st.Page(
                "pages/lookup.py",
                title=t("Soft lookup"),
                icon=":material/manage_search:",
                url_path="soft-lookup",
            ),
            st.Page(
                "pages/worked_example.py",
                title=t("Worked example"),
                icon=":material/calculate:",
                url_path="worked-example",
            ),
            st.Page(
                "pages/masks.py",
                title=t("Masks"),
                icon=":material/visibility_off:",
                url_path="attention-masks",
            ),
            st.Page(
                "pages/scaling.py",
                title="√d_k",
                icon=":material/square_foot:",
                url_path="sqrt-dk",
            ),
            st.Page(
                "pages/properties.py",
                title=t("Properties"),
                icon=":material/hub:",
                url_path="attention-properties",
            ),
            st.Page(
                "pages/memory.py",
                title=t("Memory"),
                icon=":material/database:",
                url_path="memory-scaling",
            ),
            st.Page(
                "pages/context.py",
                title=t("Who is it?"),
                icon=":material/person_search:",
                url_path="who-is-it",
            ),
        ],
        t("Check"): [
            st.Page(
                "pages/claims.py",
                title=t("Claims"),
                icon=":material/fact_check:",
                url_path="claims-checked",
            )
        ],
        t("Present"): [
            st.Page(
                "pages/deck.py",
                title=t("Slides"),
                icon=":material/slideshow:",
                url_path="slide-deck",
            )
        ],
    }


main()

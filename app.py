"""Attention Workbench: the frame. Page config, navigation, language and backend choice."""

from __future__ import annotations

import streamlit as st

from pages.ui import address, frame, settings, status


def main() -> None:
    """Draw the frame and run the page that the reader chose."""
    st.set_page_config(
        page_title="Attention Workbench",
        page_icon=":material/blur_on:",
        layout="wide",
        initial_sidebar_state=340,
    )
    frame.use_the_room()
    frame.read_address()
    with st.sidebar:
        switches = st.container(horizontal=True, vertical_alignment="center", gap="small")
        with switches:
            frame.choose_language()
        t = settings.translate()
        with switches:
            frame.choose_backend(t)
    page = st.navigation(
        {
            t("Start"): [
                st.Page(
                    "pages/overview.py", title=t("Overview"), icon=":material/home:", default=True
                )
            ],
            t("Calculate"): [
                st.Page(
                    "pages/worked_example.py",
                    title=t("Worked example"),
                    icon=":material/calculate:",
                    url_path="worked-example",
                )
            ],
        },
        position="top",
    )
    status.reset()
    address.note_page(page.url_path)
    frame.warn_if_missing(t)
    frame.run_page(page, t)
    frame.draw_status_line(t)
    frame.write_address()
    with st.sidebar:
        frame.tell_language(t)


main()

"""The whole calculation as text: NumPy code that runs, LaTeX, Markdown."""

from __future__ import annotations

import streamlit as st

from engine.experiments.worked_example import Result
from pages.documents import latex, markdown, numpy_code
from pages.text import Translator, mark
from pages.ui import choices, settings
from pages.ui.example import state

KINDS = {
    "python": mark("NumPy code"),
    "latex": mark("LaTeX"),
    "markdown": mark("Markdown"),
}
FILES = {
    "python": "worked_example.py",
    "latex": "worked-example.tex",
    "markdown": "worked-example.md",
}
ABOUT = {
    "python": mark("Runs alone with NumPy and prints every step of this calculation."),
    "latex": mark("The body of a LaTeX document; its first lines name the packages it needs."),
    "markdown": mark("Tables for a note, an issue or a lecture page."),
}


def draw(result: Result) -> None:
    """Draw the tab with the calculation as text."""
    t = settings.translate()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        kind = str(
            st.segmented_control(
                t("As"),
                options=list(KINDS),
                format_func=lambda name: t(KINDS[name]),
                required=True,
                key=choices.widget(state.key("copy_kind"), t),
                on_change=choices.taker(state.key("copy_kind"), t),
                label_visibility="collapsed",
            )
        )
        text = written(result, kind, t)
        st.download_button(
            t("Save"),
            data=text,
            file_name=FILES[kind],
            mime="text/plain",
            on_click="ignore",
            icon=":material/download:",
        )
        st.caption(t(ABOUT[kind]))
    st.code(text, language=kind, height=520)


def written(result: Result, kind: str, t: Translator) -> str:
    """Return the calculation in one of the three languages."""
    decimals = state.whole("decimals")
    module = {"python": numpy_code, "latex": latex, "markdown": markdown}[kind]
    return str(module.render(result, decimals=decimals, t=t))

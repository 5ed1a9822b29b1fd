"""How a tab computes what it shows, folded: formulas, and sentences below them."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.text import Translator
from pages.ui.maths import typeset


def draw(formula: str, paragraphs: Iterable[str], t: Translator, title: str = "") -> None:
    """Draw formulas and paragraphs, folded.

    Parameters
    ----------
    formula : str
        In LaTeX; empty where there is none.
    paragraphs : iterable of str
        In the reader's language.
    t : Translator
    title : str
        In the reader's language, where it is not "How it is computed".
    """
    with st.expander(title or t("How it is computed")):
        if formula:
            st.latex(formula)
        for paragraph in paragraphs:
            st.markdown(typeset(paragraph))

"""The overview: the formula, the six steps, where each page leads, what computes."""

from __future__ import annotations

import streamlit as st

from pages.ui import overview, settings

t = settings.translate()
with st.sidebar:
    overview.legend(t)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title("Attention Workbench", anchor=False, width="content")
    st.markdown(
        t("What does a Transformer compute when one token attends to another?"), width="content"
    )
overview.formula(t)
overview.six_steps()
overview.ways(t)

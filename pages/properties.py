"""Properties of self-attention: order, reach, depth, influence, and the graph it is."""

from __future__ import annotations

import streamlit as st

from pages.ui import settings, workspace

t = settings.translate()
workspace.dress()
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Properties"), anchor=False, width="content")
    st.markdown(t("What does self-attention see, and what not?"), width="content")

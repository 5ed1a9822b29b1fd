"""Every claim of the two source texts, measured."""

from __future__ import annotations

import streamlit as st

from pages.ui import settings, workspace

t = settings.translate()
workspace.dress()
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Every claim, checked"), anchor=False, width="content")
    st.markdown(t("What do the texts claim, and what is so?"), width="content")

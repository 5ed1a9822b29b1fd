"""Soft lookup: a dictionary that answers with a weighted mean."""

from __future__ import annotations

import streamlit as st

from pages.ui import settings, workspace

t = settings.translate()
workspace.dress()
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Soft lookup"), anchor=False, width="content")
    st.markdown(t("What does a query find when no key has to match?"), width="content")

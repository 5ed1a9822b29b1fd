"""The overview: the formula, the six steps, where each page leads, what computes."""

from __future__ import annotations

import streamlit as st

from pages.ui import overview, settings

t = settings.translate()
with st.sidebar:
    overview.legend(t)
st.title("Attention Workbench", anchor=False)
st.markdown(t("What does a Transformer compute when one token attends to another?"))
overview.formula(t)
overview.six_steps(t)
overview.ways(t)

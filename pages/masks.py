"""Masks: what a query may look at, and what a wrong mask does."""

from __future__ import annotations

import streamlit as st

from pages.ui import choices, messages, settings
from pages.ui.masks import (
    alignment,
    checked,
    compare,
    drawing,
    growth,
    influence,
    inspector,
    layout,
    link_state,
    mistakes,
    padding,
    state,
)

t = settings.translate()
link_state.restore()
layout.dress()
drawing.dress()
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Masks"), anchor=False, width="content")
    st.markdown(
        t("Which tokens may a query look at, and what goes wrong when the mask is wrong?"),
        width="content",
    )
messages.refuse_kept(t)
with st.container(horizontal=True, gap="medium"):
    tab = choices.view(state.key("tab"), state.TABS, t)
    if tab == "influence":
        influence.controls(t)
    elif tab == "padding":
        padding.controls(t)
    elif tab == "mistakes":
        mistakes.controls(t)
if tab == "influence":
    influence.draw()
elif tab == "growth":
    growth.draw()
elif tab == "padding":
    padding.draw()
elif tab == "alignment":
    alignment.draw()
elif tab == "mistakes":
    mistakes.draw()
else:
    compare.draw()
checked.draw(tab, t)
link_state.publish()

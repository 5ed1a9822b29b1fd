"""Soft lookup: a dictionary that answers with a weighted mean."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.ui import choices, long_run, messages, settings, workspace
from pages.ui.lookup import (
    axes_tab,
    checked,
    cost_tab,
    explained,
    inspector,
    link_state,
    lookup_tab,
    roles_tab,
    similarity_tab,
    state,
)

t = settings.translate()
link_state.restore()
workspace.dress()
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Soft lookup"), anchor=False, width="content")
    st.markdown(t("What does a query find when no key has to match?"), width="content")
messages.refuse_kept(t)
bar: Any = None
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    tab = choices.view(state.key("tab"), state.TABS, t)
    if tab == "cost":
        cost_tab.choose(t)
        bar = long_run.bar(cost_tab.WORK)
if tab == "similarity":
    similarity_tab.draw()
elif tab == "roles":
    roles_tab.draw()
elif tab == "axes":
    axes_tab.draw()
elif tab == "cost":
    cost_tab.draw(bar)
else:
    lookup_tab.draw()
explained.draw(tab, t)
checked.draw(tab, t)
link_state.publish()

"""Properties of self-attention: order, reach, depth, influence, and the graph it is."""

from __future__ import annotations

import streamlit as st

from pages.ui import choices, messages, settings, workspace
from pages.ui.properties import (
    checked,
    depth_tab,
    explained,
    graph_tab,
    influence_tab,
    inspector,
    link_state,
    order_tab,
    reach_tab,
    state,
)

t = settings.translate()
link_state.restore()
workspace.dress()
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Properties"), anchor=False, width="content")
    st.markdown(t("What does self-attention see, and what does it not?"), width="content")
messages.refuse_kept(t)
tab = choices.view(state.key("tab"), state.TABS, t)
{
    "order": order_tab,
    "reach": reach_tab,
    "depth": depth_tab,
    "influence": influence_tab,
    "graph": graph_tab,
}[tab].draw()
explained.draw(tab, t)
checked.draw(tab, t)
link_state.publish()

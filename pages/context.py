"""Who is it: what the weights of attention say of a pronoun, and what they do not explain."""

from __future__ import annotations

import streamlit as st

from pages.ui import choices, messages, settings, workspace
from pages.ui.context import (
    cause_tab,
    checked,
    endings_tab,
    explained,
    fetching,
    heads_tab,
    inspector,
    layers_tab,
    link_state,
    one_layer_tab,
    picture_tab,
    state,
    two_layers_tab,
)

t = settings.translate()
link_state.restore()
workspace.dress(workspace.NOTICE_BELOW)
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Who is it?"), anchor=False, width="content")
    st.markdown(t("Whom does a pronoun attend to, and what does that explain?"), width="content")
messages.refuse_kept(t)
tab = choices.view(state.key("tab"), state.TABS, t)
if tab in state.OF_A_MODEL:
    fetching.carry_out(t)
else:
    fetching.forget()
{
    "picture": picture_tab,
    "one-layer": one_layer_tab,
    "two-layers": two_layers_tab,
    "heads": heads_tab,
    "endings": endings_tab,
    "layers": layers_tab,
    "cause": cause_tab,
}[tab].draw()
explained.draw(tab, t)
checked.draw(tab, t)
link_state.publish()

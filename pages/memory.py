"""What T tokens cost: bytes and operations predicted, time and memory measured on this machine."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.ui import choices, long_run, messages, settings, workspace
from pages.ui.maths import typeset
from pages.ui.memory import (
    bytes_tab,
    checked,
    explained,
    fits_tab,
    heads_tab,
    inspector,
    link_state,
    measured_tab,
    state,
    work_tab,
)

t = settings.translate()
link_state.restore()
workspace.dress(workspace.NOTICE_BELOW)
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(typeset(t("Memory and time")), anchor=False, width="content")
    st.markdown(
        typeset(t("What do T tokens cost, by formula and on this machine?")), width="content"
    )
messages.refuse_kept(t)
bar: Any = None
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    tab = choices.view(state.key("tab"), state.TABS, t)
    if tab == "measured":
        bar = long_run.bar(measured_tab.WORK)
    elif tab == "heads":
        bar = long_run.bar(heads_tab.WORK)
if tab == "fits":
    fits_tab.draw()
elif tab == "work":
    work_tab.draw()
elif tab == "measured":
    measured_tab.draw(bar)
elif tab == "heads":
    heads_tab.draw(bar)
else:
    bytes_tab.draw()
explained.draw(tab, t)
checked.draw(tab, t)
link_state.publish()

"""Every claim of the two source texts, measured, with the threshold that decides it."""

from __future__ import annotations

import streamlit as st

from pages.ui import messages, settings, workspace
from pages.ui.claims import inspector, ledger, link_state

t = settings.translate()
link_state.restore()
workspace.dress(ledger.STYLE)
with st.sidebar:
    recount = inspector.draw(t)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Every claim, checked"), anchor=False, width="content")
    st.markdown(t("What do the two texts claim, and what is so?"), width="content")
messages.refuse_kept(t)
ledger.draw(t, recount)
link_state.publish()

"""The worked example: one small calculation, every number in sight."""

from __future__ import annotations

import streamlit as st

from pages.ui import choices, messages, settings
from pages.ui.example import (
    computing,
    copy_out,
    inspector,
    link_state,
    movement,
    one_row,
    practice,
    printed,
    shapes,
    state,
    steps,
)

t = settings.translate()
link_state.restore()
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(t("Worked example"), anchor=False, width="content")
    st.markdown(
        t("What happens to every number between the input and the output of one attention head?"),
        width="content",
    )
last, refusal = computing.compute()
messages.refuse_kept(t)
if refusal is not None:
    computing.say_refusal(refusal, t)
movement.say(last.result, last.movement, state.whole("decimals"), t)
tab = choices.view(state.key("tab"), state.TABS, t)
if tab == "row":
    one_row.draw(last.result)
elif tab == "shapes":
    shapes.draw(last.result)
elif tab == "practice":
    practice.draw(last.result)
elif tab == "printed":
    printed.draw()
elif tab == "copy":
    copy_out.draw(last.result)
else:
    steps.draw(last.result)
link_state.publish()

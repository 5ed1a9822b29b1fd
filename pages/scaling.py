"""The square root of d_k: why scores are divided by it, measured from variance to training."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.ui import choices, long_run, messages, settings, workspace
from pages.ui.maths import typeset
from pages.ui.scaling import (
    checked,
    explained,
    gradient,
    inspector,
    link_state,
    rates,
    saturation,
    state,
    training,
    variance,
)

t = settings.translate()
link_state.restore()
workspace.dress()
with st.sidebar:
    inspector.draw()

with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(typeset(t("Divide by √d_k")), anchor=False, width="content")
    st.markdown(
        typeset(t("Why are the scores divided by √d_k, and is the usual story the whole truth?")),
        width="content",
    )
messages.refuse_kept(t)
bar: Any = None
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    tab = choices.view(state.key("tab"), state.TABS, t)
    if tab == "saturation":
        saturation.controls(t)
    elif tab == "gradient":
        gradient.controls(t)
    elif tab == "training":
        bar = long_run.bar(training.WORK)
    elif tab == "rates":
        bar = long_run.bar(rates.WORK)
if tab == "saturation":
    saturation.draw()
elif tab == "gradient":
    gradient.draw()
elif tab == "training":
    training.draw(bar)
elif tab == "rates":
    rates.draw(bar)
else:
    variance.draw()
explained.draw(tab, t)
checked.draw(tab, t)
link_state.publish()

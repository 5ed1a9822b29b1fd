"""The deck: the collected figures in their order, and the files they become."""

from __future__ import annotations

import streamlit as st

from pages.ui import settings
from pages.ui.saving import canvas, deck_actions, deck_page, navigator, tray

t = settings.translate()
filled = bool(tray.kept())
with st.sidebar:
    deck_actions.save(t)
    if filled:
        deck_actions.this_slide(t)
    pressed = deck_actions.whole_deck(t)

deck_page.head(t)
progress = st.container()
if filled:
    with st.container(horizontal=True, gap="medium"):
        navigator.draw(t)
        canvas.draw(t)
else:
    pressed = deck_page.empty(t) or pressed
if pressed:
    with progress:
        deck_actions.add_every_figure(t)

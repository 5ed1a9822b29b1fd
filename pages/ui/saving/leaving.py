"""Lets the browser ask before a tab with slides in its deck is closed or loaded again."""

from __future__ import annotations

import streamlit as st

from pages.ui.saving import tray

# The same function each time: adding it twice adds it once, and it can be taken away again.
_SCRIPT = """
<script>
window.askBeforeLeaving ??= (event) => {{ event.preventDefault(); event.returnValue = true; }};
window.{change}EventListener("beforeunload", window.askBeforeLeaving);
</script>
"""


def guard() -> None:
    """Make the browser ask while the deck holds slides, and let it be where there are none.

    Saving a file, following a link inside the product and changing the language unload nothing,
    so none of them asks.
    """
    change = "add" if tray.kept() else "remove"
    st.html(_SCRIPT.format(change=change), unsafe_allow_javascript=True)

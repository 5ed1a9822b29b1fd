"""How long this view took to compute, told by the page to the status line."""

from __future__ import annotations

import streamlit as st

_SECONDS = "status.seconds"


def reset() -> None:
    """Forget the time of the view before; the frame calls this before a page runs."""
    st.session_state.pop(_SECONDS, None)


def record(seconds: float) -> None:
    """Add the computing time of a result that is on screen, in seconds."""
    st.session_state[_SECONDS] = st.session_state.get(_SECONDS, 0.0) + seconds


def seconds() -> float | None:
    """Return the computing time of this view, or None when nothing was computed."""
    value = st.session_state.get(_SECONDS)
    return None if value is None else float(value)

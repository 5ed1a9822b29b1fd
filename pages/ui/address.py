"""A page's state in the address bar, so that a link reproduces a view.

Streamlit can bind one widget to one query parameter. A page whose parameters depend on each
other (a preset decides the sizes) keeps its own: it reads the address when something came from
outside, and writes it after every run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_PAGE = "address.page"
_ARRIVED = "address.arrived"


def note_page(page: str) -> None:
    """Remember which page runs; the frame calls this before it does."""
    st.session_state[_ARRIVED] = st.session_state.get(_PAGE) != page
    st.session_state[_PAGE] = page


def read(page: str, names: Iterable[str]) -> dict[str, str] | None:
    """Return what the address says of ``names``, or None when it says nothing new.

    The first run of a session always returns a dictionary, perhaps an empty one. Later runs
    return one when the reader followed a link to this page or went through the browser's
    history. Else an address that this page wrote itself is not news; several written ones are
    remembered, because a quick reader can cause a rerun before the browser has taken up the
    newest.
    """
    here = {name: st.query_params[name] for name in names if name in st.query_params}
    key = f"address.{page}"
    if key not in st.session_state:
        st.session_state[key] = deque(maxlen=64)
        return here
    if _from_history():
        return here
    arrived = st.session_state.get(_ARRIVED, False)
    known = not here or (not arrived and frozenset(here.items()) in st.session_state[key])
    return None if known else here


def _from_history() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def write(page: str, values: Mapping[str, str | None]) -> None:
    """Put ``values`` into the address; None takes a name out of it."""
    for name, value in values.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value
    shown = frozenset((name, value) for name, value in values.items() if value is not None)
    st.session_state.setdefault(f"address.{page}", deque(maxlen=64)).append(shown)

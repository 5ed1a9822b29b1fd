"""A page's state in the address bar, so that a link reproduces a view.

Streamlit can bind one widget to one query parameter. A page whose parameters depend on each
other (a preset decides the sizes) keeps its own: it reads the address when something came from
outside, and writes it after every run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from engine import OptionError
from engine.experiments.number_text import shortened
from pages.ui import messages

_PAGE = "address.page"
_ARRIVED = "address.arrived"
LONGEST_VALUE = 24  # characters that a refusal quotes


def note_page(page: str) -> None:
    """Remember which page runs; the frame calls this before it does."""
    st.session_state[_ARRIVED] = st.session_state.get(_PAGE) != page
    st.session_state[_PAGE] = page


@dataclass(frozen=True)
class Arrival:
    """What an address from outside says.

    Attributes
    ----------
    values : dict
        The names of the page that stand in it.
    whole : bool
        Whether it describes the whole view, so that what it leaves out has its usual value: the
        first address of a session, and one from the browser's history. A link inside the product
        changes what it names.
    """

    values: dict[str, str]
    whole: bool


def read(page: str, names: Iterable[str]) -> Arrival | None:
    """Return what the address says of ``names``, or None when it says nothing new.

    An address that this page wrote itself is not news. Several written ones are remembered,
    because a quick reader can cause a rerun before the browser has taken up the newest.
    """
    here = {name: st.query_params[name] for name in names if name in st.query_params}
    key = f"address.{page}"
    first = key not in st.session_state
    if first:
        st.session_state[key] = deque(maxlen=64)
    arrived = st.session_state.get(_PAGE) == page and st.session_state[_ARRIVED]
    known = not here or (not arrived and frozenset(here.items()) in st.session_state[key])
    # Handed out once: a reader may act before the page has run to its end and written it.
    st.session_state[key].append(frozenset(here.items()))
    if first or _from_history():
        return Arrival(here, whole=True)
    return None if known else Arrival(here, whole=False)


def refuse(name: str, value: str, allowed: Iterable[object]) -> None:
    """Keep a sentence on a value of the address that is none of the allowed ones."""
    messages.keep(
        OptionError(
            "The address asks for {name} = {value}, but {name} can be: {allowed}. "
            "The usual value is shown instead.",
            name=name,
            value=shortened(value, LONGEST_VALUE) or '""',
            allowed=tuple(allowed),
        )
    )


def _from_history() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def shows(name: str, value: str | None) -> bool:
    """Say whether the address has a value under a name.

    A usual value that a link states stays in the address: taken out, it would be one more entry in
    the browser's history, and Back would lead to the link, which leads here again.
    """
    return value is not None and st.query_params.get(name) == value


def write(page: str, values: Mapping[str, str | None]) -> None:
    """Put ``values`` into the address; None takes a name out of it."""
    for name, value in values.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value
    shown = frozenset((name, value) for name, value in values.items() if value is not None)
    st.session_state.setdefault(f"address.{page}", deque(maxlen=64)).append(shown)

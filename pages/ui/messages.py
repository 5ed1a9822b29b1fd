"""Says a refusal in the page, so that nothing a reader typed is read as Markdown."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from pages.text import Translator
from pages.text.grouping import in_full
from pages.text.markup import quoted

_KEPT, _SHOWN, _SAID = "messages.kept", "messages.shown", "messages.said"


def sentence(error: EngineError, t: Translator) -> str:
    """Return a refusal as Markdown that shows its values as they stand, and numbers in full."""
    return t.error(error, each=lambda text: quoted(in_full(text)))


def refuse(error: EngineError, t: Translator) -> None:
    """Show a refusal."""
    st.error(sentence(error, t), icon=":material/error:")


def say_once(refusal: str, remedy: str, t: Translator) -> None:
    """Show the sentence of a refusal and one more, unless this run has shown the refusal."""
    said = st.session_state.setdefault(_SAID, [])
    if refusal not in said:
        said.append(refusal)
        st.error(t.sentences(refusal, remedy), icon=":material/error:")


def keep(error: EngineError) -> None:
    """Keep a refusal for the next place in the page where refusals are shown."""
    st.session_state.setdefault(_KEPT, []).append(error)


def refuse_kept(t: Translator) -> None:
    """Show every refusal that was kept, once."""
    kept = st.session_state.pop(_KEPT, [])
    st.session_state.setdefault(_SHOWN, []).extend(kept)
    for error in kept:
        refuse(error, t)


def forget_shown() -> None:
    """Forget what an earlier run showed; the frame calls this before anything is shown."""
    st.session_state[_SHOWN] = []
    st.session_state[_SAID] = []


def keep_shown() -> None:
    """Keep what this run showed for the next one, which the reader did not ask for."""
    st.session_state[_KEPT] = [*st.session_state.get(_SHOWN, []), *st.session_state.get(_KEPT, [])]

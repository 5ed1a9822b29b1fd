"""Says a refusal in the page, so that nothing a reader typed is read as Markdown."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from pages.text import Translator
from pages.text.grouping import in_full
from pages.text.markup import quoted

_KEPT = "messages.kept"


def sentence(error: EngineError, t: Translator) -> str:
    """Return a refusal as Markdown that shows its values as they stand, and numbers in full."""
    return t.error(error, each=lambda text: quoted(in_full(text)))


def refuse(error: EngineError, t: Translator) -> None:
    """Show a refusal."""
    st.error(sentence(error, t), icon=":material/error:")


def keep(error: EngineError) -> None:
    """Keep a refusal for the next place in the page where refusals are shown."""
    st.session_state.setdefault(_KEPT, []).append(error)


def refuse_kept(t: Translator) -> None:
    """Show every refusal that was kept, once."""
    for error in st.session_state.pop(_KEPT, []):
        refuse(error, t)

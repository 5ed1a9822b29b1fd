"""Loads a model, and fetches it before where it is to come from the hub, while the reader watches.

Both happen in the run that the button begins. Whatever the reader does meanwhile begins another
run and so ends this one: nothing of a model that is not whole is kept.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine import EngineError
from engine.models.hub import download, is_downloaded
from engine.models.loading import load
from pages.text import Translator
from pages.text.memory_words import bytes_words
from pages.ui.context import models, state

_WANTED, _STOPPED = f"{state.PAGE}.wanted", f"{state.PAGE}.stopped"


def want() -> None:
    """Ask for the model that is named; a callback."""
    st.session_state[_WANTED] = state.reference()


def forget() -> None:
    """Drop what was asked for by a run that came to another tab: nobody waits for it there."""
    st.session_state.pop(_WANTED, None)
    st.session_state.pop(_STOPPED, None)


def carry_out(t: Translator) -> None:
    """Load the model that was asked for, if one was, and say what is wrong with it."""
    reference = st.session_state.pop(_WANTED, None)
    if st.session_state.pop(_STOPPED, False):
        st.info(t("Stopped; nothing that was not whole is kept."), icon=":material/stop_circle:")
    if reference is None:
        return
    place = st.empty()
    try:
        if reference.startswith(models.HUB):
            _fetch(reference.removeprefix(models.HUB), place, t)
        with place, st.spinner(t("Loading the model …")):
            load(reference)
    except EngineError as error:
        models.note(reference, error)  # the tab says so, beside what it shows instead
    else:
        models.note(reference, None)
    place.empty()
    st.rerun()  # so that the inspector, which was drawn before, shows the model


def _note_stop() -> None:
    st.session_state[_STOPPED] = True


def _fetch(repository: str, place: Any, t: Translator) -> None:
    """Fetch a repository with its progress and a way to stop, unless it is here already."""
    if is_downloaded(repository):
        return
    with place.container(horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, t("Asking the hub …"), width="stretch")
        # A click begins another run, which is what stops this one.
        st.button(
            t("Stop"), icon=":material/stop:", key=state.key("fetch.stop"), on_click=_note_stop
        )

    def hear(done: int, total: int) -> None:
        said = t("{done} of {total}", done=bytes_words(done, t), total=bytes_words(total, t))
        bar.progress(min(done / total, 1.0) if total else 0.0, said)

    download(repository, progress=hear)

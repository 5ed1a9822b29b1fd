"""Start, stop and progress of work that takes seconds or minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.training import SweepResult, TrainingResult
from pages.text import Translator
from pages.ui import later, messages, settings
from pages.ui.scaling import state

BAR_WIDTH = 200


def start(name: str, begin: Callable[[], Iterator[Any]]) -> None:
    """Begin a work; a callback. What is refused is said at the top of the page."""
    try:
        later.begin(name, begin())
    except EngineError as error:
        messages.keep(error)


def button(name: str, begin: Callable[[], Iterator[Any]], t: Translator, *, ready: bool) -> Any:
    """Draw the button to start or stop a work; return the place of its progress, or None.

    ``ready`` says that what is chosen can be computed.
    """
    if not later.goes_on(name):
        st.button(
            t("Start"),
            key=state.key(f"start.{name}"),
            icon=":material/play_arrow:",
            type="primary",
            shortcut="Mod+Enter",
            disabled=not ready,
            on_click=start,
            args=(name, begin),
        )
        return None
    st.button(
        t("Stop"),
        key=state.key(f"stop.{name}"),
        icon=":material/stop:",
        shortcut="Mod+Enter",
        help=t("What was done so far is kept."),
        on_click=later.stop,
        args=(name,),
    )
    with st.container(width=BAR_WIDTH):
        return st.empty()


def tell_what_is_shown(
    result: TrainingResult | SweepResult | None, chosen: Callable[[], object], t: Translator
) -> None:
    """Say what is refused, and when other values or another backend are chosen than are shown."""
    now = settings.backend().name
    try:
        params = chosen()
    except EngineError as error:
        last = t("Shown below is the last result that could be computed.") if result else ""
        st.error(t.sentences(messages.sentence(error, t), last), icon=":material/error:")
        return
    if result is None:
        return
    if params != result.params:
        said = t("What is shown was trained with other values; Start trains with those chosen now.")
    elif result.backend_name != now:
        said = t(
            "Trained with {before}; Start trains with {now}.",
            before=settings.BACKEND_TITLES[result.backend_name],
            now=settings.BACKEND_TITLES[now],
        )
    else:
        return
    st.info(said, icon=":material/info:")

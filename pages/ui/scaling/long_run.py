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

BAR_WIDTH = 360


Begin = Callable[[], Iterator[Any]]
Worth = Callable[[Any], bool]


def start(name: str, begin: Begin, worth: Worth) -> None:
    """Begin a work; a callback. What is refused is said at the top of the page."""
    try:
        later.begin(name, begin(), worth)
    except EngineError as error:
        messages.keep(error)


def buttons(
    name: str, begin: Begin, t: Translator, *, ready: bool, worth: Worth = later.everything
) -> None:
    """Draw the buttons that start and stop a work.

    Both stand all the time, so that a second click never meets the other one.

    Parameters
    ----------
    name : str
        Of the work.
    begin : callable
        Returns its results, one after the other.
    t : Translator
    ready : bool
        Whether what is chosen can be computed.
    worth : callable
        Says whether a result is worth keeping.
    """
    running = later.goes_on(name)
    st.button(
        t("Start"),
        key=state.key(f"start.{name}"),
        icon=":material/play_arrow:",
        type="primary",
        shortcut="Mod+Enter",
        width="stretch",
        disabled=running or not ready,
        on_click=start,
        args=(name, begin, worth),
    )
    st.button(
        t("Stop"),
        key=state.key(f"stop.{name}"),
        icon=":material/stop:",
        shortcut="Mod+Backspace",
        width="stretch",
        disabled=not running,
        on_click=later.stop,
        args=(name,),
    )


def bar(name: str) -> Any:
    """Return the place of the progress of a work while it goes on, else None."""
    if not later.goes_on(name):
        return None
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

"""Start, stop and progress of work that takes seconds or minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.training import SweepResult, TrainingResult
from pages.text import Translator
from pages.ui import later, messages, settings
from pages.ui.scaling import refusals, state

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


def grows(name: str) -> bool:
    """Say whether what is shown is a result of a work that goes on, and not of one before it."""
    return later.goes_on(name) and later.fresh(name)


Result = TrainingResult | SweepResult


def tell_what_is_shown(
    place: Any, name: str, result: Result | None, chosen: Callable[[], object], t: Translator
) -> None:
    """Say what is refused, and when other values or another backend are chosen than are shown.

    Parameters
    ----------
    place : DeltaGenerator
        Where it is said; empty where there is nothing to say.
    name : str
        Of the work that the result is of.
    result : TrainingResult or SweepResult or None
    chosen : callable
        Returns the parameters that are chosen; raises EngineError when they cannot be trained.
    t : Translator
    """
    try:
        params = chosen()
    except EngineError as error:
        last = t("Shown below is the last result that could be computed.") if result else ""
        said = t.sentences(refusals.sentence(error, t), last)
        place.error(said, icon=":material/error:")
        return
    said = _beside(name, result, params, t) if result is not None else ""
    if said:
        place.info(said, icon=":material/info:")
    else:
        place.empty()


def _beside(name: str, result: Result, params: object, t: Translator) -> str:
    """Return how what is shown differs from what is chosen; empty where it does not."""
    if later.goes_on(name) and not later.fresh(name):
        return t("Until the first result of the new training the one before it is shown.")
    if params != result.params:
        return _other_values(name, t)
    if result.backend_name != settings.backend().name:
        return _other_backend(name, result.backend_name, t)
    return ""


def _other_values(name: str, t: Translator) -> str:
    if later.goes_on(name):
        return t("What goes on was started with other values; those chosen now wait for the next "
                 "start.")  # fmt: skip
    return t("What is shown was trained with other values; Start trains with those chosen now.")


def _other_backend(name: str, before: str, t: Translator) -> str:
    names = {
        "before": settings.BACKEND_TITLES[before],
        "now": settings.backend_title(t),
    }
    if later.goes_on(name):
        return t("What goes on is trained with {before}; {now} waits for the next start.", **names)
    return t("Trained with {before}; Start trains with {now}.", **names)

"""Computes the example; when it cannot, the page keeps the last result that it could."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from engine import EngineError
from engine.experiments.influence import Movement, moved_outputs
from engine.experiments.worked_example import Params, Result, run
from pages.text import Translator
from pages.ui import messages, settings, status
from pages.ui.example import state

_LAST = "worked-example.last"


@dataclass(frozen=True)
class Last:
    """The last result that could be computed, and what its last edit moved."""

    result: Result
    movement: Movement | None


def compute() -> tuple[Last, EngineError | None]:
    """Return the result of the present matrices, or the last good one and why it is not theirs."""
    last = st.session_state.get(_LAST)
    backend = settings.backend()
    try:
        result = run(state.params(), backend=backend)
    except EngineError as error:
        usable = last if isinstance(last, Last) else Last(run(Params(), backend=backend), None)
        return usable, error
    movement = movement_of(last, result)
    st.session_state[_LAST] = Last(result, movement)
    status.record(result.seconds)
    return st.session_state[_LAST], None


def say_refusal(error: EngineError, t: Translator) -> None:
    """Say why the matrices cannot be computed, and what is shown instead."""
    if isinstance(st.session_state.get(_LAST), Last):
        shown = t("Shown below is the last result that could be computed.")
    else:
        shown = t("Shown below is the textbook example.")
    st.error(t.sentences(messages.sentence(error, t), shown), icon=":material/error:")


def movement_of(last: object, result: Result) -> Movement | None:
    """Return what moved since the last result; a rerun without an edit repeats its message."""
    if not isinstance(last, Last):
        return None
    same = last.result.params == result.params and last.result.backend_name == result.backend_name
    return last.movement if same else moved_outputs(last.result, result)

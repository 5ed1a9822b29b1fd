"""Saved runs: this machine's to take along, another machine's to be drawn beside it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine import EngineError, OptionError
from engine.experiments.memory.measured import MeasuredResult
from engine.experiments.memory.saved import from_json, to_csv, to_json
from pages.text import Translator
from pages.text.markup import quoted
from pages.text.memory_measured_words import run_words
from pages.text.memory_readings import device_words
from pages.ui import messages
from pages.ui.memory import state

MOST_RUNS = 4  # beside this machine's own: more lines cannot be told apart
_RUNS, _FILE = state.key("loaded.runs"), state.key("loaded.file")


def runs() -> tuple[MeasuredResult, ...]:
    """Return the runs that were loaded in this session."""
    loaded: tuple[MeasuredResult, ...] = st.session_state.get(_RUNS, ())
    return loaded


def beside(result: MeasuredResult) -> MeasuredResult:
    """Return a run with those that were loaded beside it."""
    return replace(result, beside=runs())


def popover(result: MeasuredResult | None, t: Translator) -> None:
    """Draw what saves the run that is shown, loads another one, and takes one away."""
    with st.popover(t("Runs"), icon=":material/compare:", help=t("Save this run, or load another")):
        if result is not None and result.points:
            save(result, t)
        st.file_uploader(
            t("Load a saved run (JSON), to be drawn beside this one"),
            type=["json"],
            key=_FILE,
            on_change=take,
        )
        loaded = runs()
        for place, (run, name) in enumerate(zip(loaded, run_words(len(loaded), t), strict=True)):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{name}** · {quoted(device_words(run, t))}", width="stretch")
                st.button(
                    t("Remove"),
                    key=f"{_RUNS}.{place}",
                    icon=":material/close:",
                    type="tertiary",
                    on_click=take_away,
                    args=(place,),
                )


def save(result: MeasuredResult, t: Translator) -> None:
    """Draw the downloads of a run."""
    name = f"attention-memory-{result.backend_name}"
    with st.container(horizontal=True, gap="small"):
        for title, kind, mime, text in (
            (t("Save as JSON"), "json", "application/json", to_json(result)),
            (t("Save as CSV"), "csv", "text/csv", to_csv(result)),
        ):
            st.download_button(
                title,
                data=text.encode(),
                file_name=f"{name}.{kind}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=state.key(f"save.{kind}"),
            )


def take() -> None:
    """Load the chosen file; a callback. What it is not is said at the top of the page."""
    file = st.session_state.get(_FILE)
    if file is None:
        return
    try:
        if len(runs()) >= MOST_RUNS:
            raise OptionError(
                "At most {most} loaded runs are drawn beside this one; take one away first.",
                most=MOST_RUNS,
            )
        run = from_json(file.getvalue())
        if run not in runs():
            st.session_state[_RUNS] = (*runs(), run)
    except EngineError as error:
        messages.keep(error)


def take_away(place: int) -> None:
    """Draw a loaded run no longer; a callback."""
    st.session_state[_RUNS] = runs()[:place] + runs()[place + 1 :]

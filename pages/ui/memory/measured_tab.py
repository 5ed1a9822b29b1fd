"""Measured: time and peak memory of the engine itself against T, as formula and as attend."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.experiments.memory.measured import MeasuredResult, measure, require_measured
from engine.experiments.memory.predicted import Params
from pages.gallery.memory import PUBLISHED
from pages.gallery.memory_measured import MEASURED, PEAK, RATIO, TIME
from pages.text import Translator
from pages.text.memory_peak_readings import gap_said, kernel_said
from pages.text.memory_readings import measures, notices, refused_in_short
from pages.ui import later, long_run, result_figures, settings
from pages.ui.long_run import Places
from pages.ui.maths import typeset
from pages.ui.memory import computing, loaded_runs, state
from pages.ui.memory.refusals import say_refusals
from pages.ui.watched import WORDS, Watched, draw_pair, said

WORK = f"{state.PAGE}.measured"
NUMBERS = 4
WATCHED = Watched(WORK, state.measured_params, require_measured, measure, MEASURED)


def controls(t: Translator) -> None:
    """Draw start and stop, and what saves and loads runs."""
    WATCHED.controls(TAB, t)
    loaded_runs.popover(WATCHED.shown(), t)


def draw(bar: Any) -> None:
    """Draw the tab; ``bar`` is the place of the progress while it goes on."""
    t = settings.translate()
    result = WATCHED.shown()
    TAB.draw(result, bar, t)
    if later.goes_on(WORK):
        return
    if result is not None and result.points:
        details(loaded_runs.beside(result), t)
    with st.expander(t("Published figures beside ours")):
        result_figures.show(PUBLISHED, computing.PREDICTED(Params(), settings.backend().name))


def details(result: MeasuredResult, t: Translator) -> None:
    """Draw the ratio of measured and predicted bytes, why they differ, and what was refused."""
    left, right = st.columns(2, gap="medium")
    with left:
        result_figures.show(RATIO, result)
    with right:
        st.markdown(f"**{t('Why measured and predicted differ')}**")
        st.markdown(typeset(gap_said(result, t)))
        st.markdown(f"**{t('What computed it')}**")
        st.markdown(typeset(kernel_said(result, t)))
        say_refusals(result, t)


def fill(places: Places, result: MeasuredResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        places.words.info(WATCHED.nothing_said(t), icon=":material/info:")
        return
    result = loaded_runs.beside(result)
    sentences = [*notices(result, t), refused_in_short(result, t)]
    places.say(measures(result, t), [*filter(None, sentences)], t)
    draw_pair(places, (TIME, PEAK), result, live=live)


TAB = long_run.Tab(
    WORK,
    WORDS,
    WATCHED.begin,
    WATCHED.chosen,
    fill,
    said,
    numbers=NUMBERS,
    precision=lambda result: None if result is None else result.params.dtype,
)

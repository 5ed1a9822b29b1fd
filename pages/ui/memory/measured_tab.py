"""Measured: time and peak memory of the engine itself against T, as formula and as attend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.memory.measured import (
    MeasuredParams,
    MeasuredResult,
    measure,
    require_measured,
    run,
)
from pages.gallery.kept_results import Kept
from pages.gallery.memory import PUBLISHED
from pages.gallery.memory_measured import PEAK, RATIO, TIME
from pages.text import Translator, mark
from pages.text.memory_readings import (
    gap_said,
    kernel_said,
    measures,
    notices,
    refusals_said,
)
from pages.ui import later, long_run, result_figures, settings
from pages.ui.long_run import Places
from pages.ui.maths import typeset
from pages.ui.memory import computing, loaded_runs, state

WORK = f"{state.PAGE}.measured"
NUMBERS = 4
WORDS = long_run.Words(
    mark("What is shown was measured with other values; Start measures with those chosen now."),
    mark("Until the first new point the measurement before it is shown."),
    mark("Measured with {before}; Start measures with {now}."),
    mark("What goes on is measured with {before}; {now} waits for the next start."),
)


# What this process has measured, for other sessions: time and memory are the machine's.
MEASURED: Kept[MeasuredParams, MeasuredResult] = Kept(
    lambda params, backend, listener: run(params, backend=backend, progress=listener), 6
)


def begin() -> Iterator[MeasuredResult]:
    """Return the measurement that is chosen, on the backend that is chosen."""
    params = state.measured_params()
    return _kept(params, measure(params, backend=settings.backend().name))


def _kept(params: MeasuredParams, results: Iterator[MeasuredResult]) -> Iterator[MeasuredResult]:
    """Yield results; a whole one is kept for other sessions."""
    for result in results:
        if result.done:
            MEASURED.put(params, result.backend_name, result)
        yield result


def chosen() -> MeasuredParams:
    """Return what is chosen; raises EngineError when it cannot be measured."""
    params = state.measured_params()
    require_measured(params)
    return params


def controls(t: Translator) -> None:
    """Draw start and stop, and what saves and loads runs.

    The first visit begins by itself: it is watched, and can be stopped.
    """
    if TAB.ready and shown() is None and not later.begun(WORK):
        TAB.start()
    TAB.buttons(t)
    loaded_runs.popover(shown(), t)


def shown() -> MeasuredResult | None:
    """Return the reader's own measurement as far as it went, or one that the process has done."""
    own: MeasuredResult | None = later.found(WORK)
    if own is None:
        try:
            own = MEASURED.peek(chosen(), settings.backend().name)
        except EngineError:  # said where the result is shown
            return None
        if own is not None:  # kept, so that it stays when other values are chosen
            later.put(WORK, own)
    return own


def draw(bar: Any) -> None:
    """Draw the tab; ``bar`` is the place of the progress while it goes on."""
    t = settings.translate()
    result = shown()
    TAB.draw(result, bar, t)
    if later.goes_on(WORK):
        return
    if result is not None and result.points:
        details(loaded_runs.beside(result), t)
    with st.expander(t("Published figures beside ours")):
        result_figures.show(PUBLISHED, computing.predicted(t))


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


def fill(places: Places, result: MeasuredResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        places.words.info(nothing_said(t), icon=":material/info:")
        return
    result = loaded_runs.beside(result)
    places.say(measures(result, t), [*notices(result, t), *refusals_said(result, t)], t)
    for place, name in zip(places.sides, (TIME, PEAK), strict=True):
        if live:
            result_figures.show_live(place, name, result)
        else:
            with place.container():
                result_figures.show(name, result)


def nothing_said(t: Translator) -> str:
    """Return why nothing is shown yet."""
    if later.goes_on(WORK):
        return t("The figures begin with the first point.")
    return t("Nothing is measured yet. Start measures time and memory at each T.")


def progress_said(result: MeasuredResult, t: Translator) -> str:
    """Return how far the measurement is, in a line."""
    return points_said(len(result.points), result.total, waiting=result.waiting, t=t)


def points_said(done: int, total: int, *, waiting: bool, t: Translator) -> str:
    """Return how many points are measured, or that another measurement has its turn."""
    if waiting:
        return t("Another measurement of this program has its turn …")
    return t("Point {done} of {total}", done=done, total=total)


TAB = long_run.Tab(WORK, WORDS, begin, chosen, fill, progress_said, numbers=NUMBERS)

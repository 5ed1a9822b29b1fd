"""Learning rates: whether another one makes up for the missing division."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.trainable import require_trainable
from engine.experiments.scaling.training import SweepResult, sweeping
from pages.figures.numerals import measured_number, number
from pages.gallery.scaling_head import SWEEP, SWEPT, SweepParams
from pages.text import Translator
from pages.text.scaling_training import stage_of, sweep_notices
from pages.text.scaling_words import way_sign
from pages.ui import later, settings, status, workspace
from pages.ui.scaling import figures, long_run, state
from pages.ui.scaling.maths import typeset

WORK = f"{state.PAGE}.rates"
DIGITS = 3
Found = tuple[float, SweepResult]  # the share that is done, and what is there


def begin() -> Iterator[Found]:
    """Return the sweep that is chosen, on the backend that is chosen."""
    return sweeping(state.sweep_params(), backend=settings.backend().name)


def chosen() -> SweepParams:
    """Return what is chosen; raises EngineError when it cannot be trained."""
    params = state.sweep_params()
    require_trainable(params)
    return params


def controls(t: Translator) -> None:
    """Draw the start and the stop.

    The first visit begins by itself: it is watched, and can be stopped.
    """
    try:
        ready = bool(chosen())
    except EngineError:  # said where the result is shown
        ready = False
    if ready and shown() is None and not later.begun(WORK):
        later.begin(WORK, begin(), has_rates)
    long_run.buttons(WORK, begin, t, ready=ready, worth=has_rates)


def draw(bar: Any) -> None:
    """Draw the tab of learning rates; ``bar`` is the place of the progress while it goes on."""
    t = settings.translate()
    result = shown()
    places = Places()
    workspace.draw(places.numbers, places.notice, places.figures)
    fill(places, result, t, live=later.goes_on(WORK))
    if result is not None:
        status.record_precision(result.precision)
    if bar is None:
        if result is not None:
            status.record(result.seconds)
        return
    later.ask(
        WORK,
        lambda found: tell(found, bar, t),
        lambda found: fill(places, found[1], t, live=True),
    )


class Places:
    """Where the parts of the tab stand, all of which belong to one result at any time."""

    def __init__(self) -> None:
        self.above = st.empty()

    def numbers(self) -> None:
        """Make room for the numbers."""
        self.metrics = [workspace.metric_place() for _ in range(3)]

    def notice(self) -> None:
        """Make room for what to notice."""
        self.words = st.empty()

    def figures(self) -> None:
        """Make room for the figure and the table."""
        self.figure: Any = None
        self.table: Any = None

        def left() -> None:
            self.figure = st.empty()

        def right() -> None:
            self.table = st.empty()

        workspace.side_by_side(left, right)


def fill(places: Places, result: SweepResult | None, t: Translator, *, live: bool) -> None:
    """Draw the rates that are trained to their end, if any; without an export bar while live."""
    long_run.tell_what_is_shown(places.above, WORK, result, chosen, t)
    if result is None or not len(result.rates):
        places.words.info(nothing_said(t), icon=":material/info:")
        return
    for place, measured in zip(places.metrics, measures(result, t), strict=True):
        workspace.fill(place, *measured)
    with places.words.container(gap="xsmall"):
        workspace.notice(t, *map(typeset, notices(result, t)))
    if live:
        figures.show_live(places.figure, SWEEP, result)
    else:
        with places.figure.container():
            figures.show(SWEEP, result)
    with places.table.container(gap="xsmall"):
        st.markdown(f"**{t('Loss at the end, mean over the seeds')}**")
        st.table(rows(result, t), hide_index=True)


def nothing_said(t: Translator) -> str:
    """Return why nothing is shown yet."""
    if later.goes_on(WORK):
        return t("The figure begins once the first learning rate is trained to its end.")
    return t("Nothing is trained yet. Start trains at each learning rate, with the division and "
             "without it.")  # fmt: skip


def shown() -> SweepResult | None:
    """Return the reader's own sweep as far as it went, or one that the process has done before."""
    own: Found | None = later.found(WORK)
    if own is None:
        try:
            before = SWEPT.peek(chosen(), settings.backend().name)
        except EngineError:  # said where the result is shown
            before = None
        if before is not None:  # kept, so that it stays when other values are chosen
            later.put(WORK, (1.0, before))
            return before
    return own[1] if own is not None else None


def has_rates(found: Found) -> bool:
    """Say whether a rate is trained to its end."""
    return len(found[1].rates) > 0


def tell(found: Found, bar: Any, t: Translator) -> None:
    """Show how far the sweep is; a whole one is kept for other sessions."""
    share, result = found
    if result.finished:
        SWEPT.put(result.params, result.backend_name, result)
    bar.progress(share, progress_said(found, t))


def progress_said(found: Found, t: Translator) -> str:
    """Return how far the sweep is, in a line."""
    return t(
        "{percent} %, learning rates done: {count}",
        percent=f"{100 * found[0]:.0f}",
        count=len(found[1].rates),
    )


def rows(result: SweepResult, t: Translator) -> dict[str, list[str]]:
    """Return the losses by rate."""
    columns = {
        typeset(way_sign(way, t)): [
            t("diverged") if math.isnan(loss) else measured_number(loss, DIGITS)
            for loss in losses.mean(axis=1).tolist()
        ]
        for way, losses in ((False, result.unscaled), (True, result.scaled))
    }
    return {t("learning rate"): [f"{rate:g}" for rate in result.rates]} | columns


def measures(result: SweepResult, t: Translator) -> list[tuple[str, str, str, str]]:
    """Return title, value, words below and explanation of each number."""
    S = result.params.pairs
    return [
        best(result, t("Best, not divided"), False, t),
        best(result, t("Best, divided"), True, t),
        (
            t("Guessing"),
            number(math.log(S), DIGITS),
            t("ln {S}", S=S),
            t("The loss of a head that gives each of the S symbols the same probability."),
        ),
    ]


def best(result: SweepResult, title: str, scaled: bool, t: Translator) -> tuple[str, str, str, str]:
    """Return the lowest loss of one way as `measures` does."""
    about = t("Mean over the last tenth of the steps and over the seeds.")
    found = result.best(scaled=scaled)
    if found is None:
        return title, t("diverged"), "", about
    rate = f"{found[0]:g}"
    if result.finished:
        place = t("loss at rate {rate}", rate=rate)
    else:
        place = t("so far, at rate {rate}", rate=rate)
    return title, measured_number(found[1], DIGITS), place, about


def notices(result: SweepResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this sweep at this moment."""
    return sweep_notices(result, stage_of(result, running=long_run.grows(WORK)), t)

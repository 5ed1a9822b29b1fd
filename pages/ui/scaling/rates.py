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
    places: list[Any] = []
    if not later.goes_on(WORK):
        long_run.tell_what_is_shown(result, chosen, t)
    if result is None:
        workspace.side_by_side(lambda: places.append(st.empty()), lambda: places.append(st.empty()))
        places[0].info(nothing_said(t), icon=":material/info:")
    else:
        draw_result(result, places, t)
    if bar is not None:
        later.ask(
            WORK,
            lambda found: tell(found, bar, t),
            lambda found: refresh(found[1], places, t),
        )


def nothing_said(t: Translator) -> str:
    """Return why nothing is shown yet."""
    if later.goes_on(WORK):
        return t("The figure begins once the first learning rate is trained to its end.")
    return t("Nothing is trained yet. Start trains at each learning rate, with the division and "
             "without it.")  # fmt: skip


def draw_result(result: SweepResult, places: list[Any], t: Translator) -> None:
    """Draw the rates that are trained to their end."""
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, notices(result, t))),
        lambda: workspace.side_by_side(
            lambda: figure(result, places), lambda: table(result, places, t)
        ),
    )
    status.record(result.seconds)


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


def refresh(result: SweepResult, places: list[Any], t: Translator) -> None:
    """Draw the rates so far in their places."""
    if len(result.rates):
        figures.show_live(places[0], SWEEP, result)
        places[1].table(rows(result, t), hide_index=True)


def figure(result: SweepResult, places: list[Any]) -> None:
    """Draw the loss at every rate."""
    place = st.empty()
    places.append(place)
    if later.goes_on(WORK):
        figures.show_live(place, SWEEP, result)
    else:
        with place.container():
            figures.show(SWEEP, result)


def table(result: SweepResult, places: list[Any], t: Translator) -> None:
    """Draw the losses as a table."""
    st.markdown(f"**{t('Loss at the end, mean over the seeds')}**")
    place = st.empty()
    places.append(place)
    place.table(rows(result, t), hide_index=True)


def rows(result: SweepResult, t: Translator) -> dict[str, list[str]]:
    """Return the losses by rate."""
    columns = {
        way_sign(way, t): [
            t("diverged") if math.isnan(loss) else measured_number(loss, DIGITS)
            for loss in losses.mean(axis=1).tolist()
        ]
        for way, losses in ((False, result.unscaled), (True, result.scaled))
    }
    return {t("learning rate"): [f"{rate:g}" for rate in result.rates]} | columns


def numbers(result: SweepResult, t: Translator) -> None:
    """Draw the lowest loss of each way, and what guessing gives."""
    for title, scaled in ((t("Best, not divided"), False), (t("Best, divided"), True)):
        best = result.best(scaled=scaled)
        workspace.metric(
            title,
            t("diverged") if best is None else measured_number(best[1], DIGITS),
            "" if best is None else t("loss at rate {rate}", rate=f"{best[0]:g}"),
            help=t("Mean over the last tenth of the steps and over the seeds."),
        )
    S = result.params.pairs
    workspace.metric(
        t("Guessing"),
        number(math.log(S), DIGITS),
        t("ln {S}", S=S),
        help=t("The loss of a head that gives each of the S symbols the same probability."),
    )


def notices(result: SweepResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this sweep."""
    unscaled, scaled = result.best(scaled=False), result.best(scaled=True)
    if unscaled is None or scaled is None:
        return [t("One way diverged at every rate that was tried.")]
    guess = math.log(result.params.pairs)
    values = {
        "unscaled": measured_number(unscaled[1], DIGITS),
        "scaled": measured_number(scaled[1], DIGITS),
        "rate": f"{unscaled[0]:g}",
    }
    if unscaled[1] > scaled[1]:
        said = t(
            "Without the division the best of these rates, {rate}, ends at a loss of {unscaled}; "
            "with it the best ends at {scaled}. None of the rates makes up for the division.",
            **values,
        )
    else:
        said = t(
            "Without the division the best of these rates, {rate}, ends at a loss of {unscaled}, "
            "with it the best at {scaled}: here another rate makes up for the division.",
            **values,
        )
    worse = int((result.unscaled.mean(axis=1) > guess).sum())
    return [
        said,
        t(
            "Not divided, the loss is above that of guessing at {count} of {total} rates.",
            count=worse,
            total=len(result.rates),
        ),
    ]  # fmt: skip

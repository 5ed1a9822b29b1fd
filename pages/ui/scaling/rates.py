"""Learning rates: whether another one makes up for the missing division."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.course import PRECISION
from engine.experiments.scaling.training import SweepResult, sweeping
from engine.experiments.scaling.verdict import best_losses
from pages.figures.numerals import number
from pages.gallery.scaling_head import SWEEP, SWEPT, SweepParams
from pages.text import Translator
from pages.text.scaling_sweep import (
    end_title,
    loss_words,
    place_words,
    rate_words,
    sweep_notices,
    sweep_rule_words,
)
from pages.text.scaling_training import mean_words, stage_of
from pages.text.scaling_words import way_sign
from pages.ui import later, long_run, settings
from pages.ui.long_run import Places
from pages.ui.maths import typeset
from pages.ui.scaling import figures, refusals, state
from pages.ui.scaling.training import WORDS

WORK = f"{state.PAGE}.rates"
DIGITS = 3


def begin() -> Iterator[SweepResult]:
    """Return the sweep that is chosen, on the backend that is chosen."""
    params = state.sweep_params()
    backend = settings.backend().name
    return _kept(params, sweeping(params, params.rates or None, backend=backend))


def _kept(params: SweepParams, results: Iterator[SweepResult]) -> Iterator[SweepResult]:
    """Yield results; a whole one is kept for other sessions."""
    for result in results:
        if result.finished:
            SWEPT.put(params, result.backend_name, result)
        yield result


def chosen() -> SweepParams:
    """Return what is chosen; raises EngineError when it cannot be trained."""
    params = state.sweep_params()
    params.tried()
    return params


def controls(t: Translator) -> None:
    """Draw the start and the stop.

    The first visit begins by itself: it is watched, and can be stopped.
    """
    if TAB.ready and shown() is None and not later.begun(WORK):
        TAB.start()
    TAB.buttons(t)


def draw(bar: Any) -> None:
    """Draw the tab of learning rates; ``bar`` is the place of the progress while it goes on."""
    TAB.draw(shown(), bar, settings.translate())


def fill(places: Places, result: SweepResult | None, t: Translator, live: bool) -> None:
    """Draw the rates that are trained to their end, if any; without an export bar while live."""
    if result is None or not len(result.rates):
        places.words.info(nothing_said(t), icon=":material/info:")
        return
    places.say(measures(result, t), notices(result, t), t)
    figure, table = places.sides
    if live:
        figures.show_live(figure, SWEEP, result)
    else:
        with figure.container():
            figures.show(SWEEP, result)
    with table.container(gap="xsmall"):
        st.markdown(f"**{end_title(result, t)}**")
        st.table(rows(result, t), hide_index=True)


def nothing_said(t: Translator) -> str:
    """Return why nothing is shown yet."""
    if later.goes_on(WORK):
        return t("The figure begins once the first learning rate is trained to its end.")
    return t("Nothing is trained yet. Start trains at each learning rate, with the division and "
             "without it.")  # fmt: skip


def shown() -> SweepResult | None:
    """Return the reader's own sweep as far as it went, or one that the process has done before."""
    own: SweepResult | None = later.found(WORK)
    if own is None:
        try:
            own = SWEPT.peek(chosen(), settings.backend().name)
        except EngineError:  # said where the result is shown
            return None
        if own is not None:  # kept, so that it stays when other values are chosen
            later.put(WORK, own)
    return own


def has_rates(result: SweepResult) -> bool:
    """Say whether a rate is trained to its end."""
    return len(result.rates) > 0


def progress_said(result: SweepResult, t: Translator) -> str:
    """Return how far the sweep is, in a line."""
    return t(
        "{percent} %, learning rates done: {count}",
        percent=f"{100 * result.share:.0f}",
        count=len(result.rates),
    )


def rows(result: SweepResult, t: Translator) -> dict[str, list[str]]:
    """Return the losses by rate."""
    columns = {
        typeset(way_sign(way, t)): [loss_words(of_seeds, t) for of_seeds in losses.tolist()]
        for way, losses in ((False, result.unscaled), (True, result.scaled))
    }
    return {t("learning rate"): list(map(rate_words, result.rates.tolist()))} | columns


def measures(result: SweepResult, t: Translator) -> list[tuple[str, str, str, str]]:
    """Return title, value, words below and explanation of each number."""
    S = result.params.pairs
    return [
        best(result, t("Lowest loss, unscaled"), False, t),
        best(result, t("Lowest loss, scaled"), True, t),
        (
            t("Guessing"),
            number(math.log(S), DIGITS),
            t("ln {S}", S=S),
            t("The loss of a head that gives each of the S symbols the same probability."),
        ),
    ]


def best(result: SweepResult, title: str, scaled: bool, t: Translator) -> tuple[str, str, str, str]:
    """Return the lowest loss of one way as `measures` does."""
    about = sweep_rule_words(result, t)
    found = best_losses(result, scaled=scaled)
    if found is None:
        return title, t("diverged"), "", about
    place = place_words(result, scaled, t)
    if not result.finished:
        place = t("so far, {place}", place=place)
    return title, mean_words(found.of_seeds.tolist(), "loss"), place, about


def notices(result: SweepResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this sweep at this moment."""
    return sweep_notices(result, stage_of(result, running=long_run.grows(WORK)), t)


TAB = long_run.Tab(
    WORK,
    WORDS,
    begin,
    chosen,
    fill,
    progress_said,
    refusals.sentence,
    worth=has_rates,
    precision=lambda _result: PRECISION,
)

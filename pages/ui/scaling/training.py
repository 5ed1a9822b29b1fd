"""Training: one head learns to recall, with the division and without it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.trainable import require_trainable
from engine.experiments.scaling.training import (
    Measure,
    TrainingParams,
    TrainingResult,
    training,
)
from pages.figures.numerals import measured_number, number
from pages.gallery.scaling_head import CURVE, TRAINED
from pages.text import Translator
from pages.ui import later, settings, status, workspace
from pages.ui.scaling import figures, long_run, state
from pages.ui.scaling.maths import typeset

WORK = f"{state.PAGE}.training"
DIGITS = 3
REFERENCE = "numpy"  # trains the usual example in a second or two on any processor
SURE = 0.1  # an accuracy this far above guessing is more than guessing


def usual() -> TrainingResult:
    """Return the usual training, once a process."""
    return TRAINED(TrainingParams(), REFERENCE)


def begin() -> Iterator[TrainingResult]:
    """Return the training that is chosen, on the backend that is chosen."""
    return training(state.training_params(), backend=settings.backend().name)


def chosen() -> TrainingParams:
    """Return what is chosen; raises EngineError when it cannot be trained."""
    params = state.training_params()
    require_trainable(params)
    return params


def controls(t: Translator) -> None:
    """Draw the start and the stop."""
    try:
        ready = bool(chosen())
    except EngineError:  # said where the result is shown
        ready = False
    long_run.buttons(WORK, begin, t, ready=ready)


def draw(bar: Any) -> None:
    """Draw the tab of training; ``bar`` is the place of the progress while it goes on."""
    t = settings.translate()
    result = shown(t)
    if not later.goes_on(WORK):
        long_run.tell_what_is_shown(result, chosen, t)
    places: list[Any] = []
    workspace.draw(
        lambda: numbers(result, places, t),
        lambda: workspace.notice(t, *map(typeset, notices(result, t))),
        lambda: curves(result, places),
    )
    status.record(result.seconds)
    if bar is not None:
        later.ask(
            WORK,
            lambda found: bar.progress(found.share, progress_said(found, t)),
            lambda found: refresh(found, places, t),
        )


def shown(t: Translator) -> TrainingResult:
    """Return the reader's own training as far as it went, or the usual one."""
    own: TrainingResult | None = later.found(WORK)
    if own is not None:
        return own
    with st.spinner(t("Training the usual example …")):
        return usual()


def progress_said(result: TrainingResult, t: Translator) -> str:
    """Return how far the training is, in a line."""
    done = max(len(run.steps) for run in result.runs)
    return t("Step {done} of {steps}", done=f"{done:,}", steps=f"{result.params.steps:,}")


def refresh(result: TrainingResult, places: list[Any], t: Translator) -> None:
    """Draw the numbers and curves so far in their places."""
    *metrics, left, right = places
    for place, measured in zip(metrics, measures(result, t), strict=True):
        workspace.fill(place, *measured)
    figures.show_live(left, CURVE, result, state.curve_view("loss"))
    figures.show_live(right, CURVE, result, state.curve_view(state.get("curve")))


def numbers(result: TrainingResult, places: list[Any], t: Translator) -> None:
    """Draw loss and accuracy at the end, both ways, and what guessing gives."""
    for measured in measures(result, t):
        place = workspace.metric_place()
        places.append(place)
        workspace.fill(place, *measured)


def measures(result: TrainingResult, t: Translator) -> list[tuple[str, str, str, str]]:
    """Return title, value, words below and explanation of each number."""
    S = result.params.pairs
    tail = t("Mean over the last tenth of the steps and over the seeds that did not diverge.")
    about = t("no division | ÷√d_k")
    return [
        (t("Loss"), both(result, "loss", t), about, tail),
        (t("Accuracy"), both(result, "accuracy", t), about, tail),
        (
            t("Guessing"),
            number(math.log(S), DIGITS),
            t("ln {S}; accuracy 1/{S}", S=S),
            t("The loss of a head that gives each of the S symbols the same probability."),
        ),
    ]


def both(result: TrainingResult, measure: Measure, t: Translator) -> str:
    """Return one measure at the end, not divided and divided."""
    values = (result.final(measure, scaled=scaled) for scaled in (False, True))
    return " | ".join(
        t("diverged") if value is None else measured_number(value, DIGITS) for value in values
    )


def curves(result: TrainingResult, places: list[Any]) -> None:
    """Draw the loss and the second curve; without export bars while they still grow."""
    second = str(state.get("curve"))
    growing = later.goes_on(WORK)

    def curve(name: str) -> None:
        place = st.empty()
        places.append(place)
        view = state.curve_view(name)
        if growing:
            figures.show_live(place, CURVE, result, view)
        else:
            with place.container():
                figures.show(CURVE, result, view, f"{CURVE}.{name}")

    workspace.side_by_side(lambda: curve("loss"), lambda: curve(second))


def notices(result: TrainingResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this training."""
    said = [learned_said(result, t), confident_said(result, t), halted_said(result, t)]
    return [*said, scope_said(t)]


def learned_said(result: TrainingResult, t: Translator) -> str:
    """Return what share of the answers is right at the end."""
    values = [result.final("accuracy", scaled=scaled) for scaled in (False, True)]
    guess = 1 / result.params.pairs
    if None in values:
        return t("A run that diverges stops being recorded at the step where its numbers break.")
    unscaled, scaled = (float(str(value)) for value in values)
    names = {
        "unscaled": f"{unscaled:.0%}",
        "scaled": f"{scaled:.0%}",
        "guess": f"{guess:.0%}",
    }
    if unscaled < guess + SURE < scaled:
        return t(
            "From the same start and the same examples the divided head answers {scaled} right, "
            "the other {unscaled}, where guessing gives {guess}.",
            **names,
        )
    return t(
        "At the end {scaled} of the answers are right with the division and {unscaled} without "
        "it; guessing gives {guess}.",
        **names,
    )


def confident_said(result: TrainingResult, t: Translator) -> str:
    """Return that a loss is above that of guessing, where it is."""
    loss = result.final("loss", scaled=False)
    if loss is None or loss <= math.log(result.params.pairs):
        return ""
    return t(
        "Without it the loss is above ln {S}: saturated rows are sure of a wrong key, which costs "
        "more than guessing.",
        S=result.params.pairs,
    )


def halted_said(result: TrainingResult, t: Translator) -> str:
    """Return that the training was stopped, where it was."""
    if result.finished or later.goes_on(WORK):
        return ""
    return t("Stopped before the end; what was done is kept.")


def scope_said(t: Translator) -> str:
    """Return for what the result holds."""
    return t(
        "This is one task, with the same keys in every example; it does not say that no head could "
        "learn without the division."
    )

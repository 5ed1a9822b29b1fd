"""Training: one head learns to recall, with the division and without it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import streamlit as st

from engine.experiments.scaling.course import PRECISION
from engine.experiments.scaling.trainable import require_trainable
from engine.experiments.scaling.training import (
    Measure,
    TrainingParams,
    TrainingResult,
    training,
)
from pages.figures.numerals import number
from pages.gallery.scaling_head import CURVE, TRAINED
from pages.text import Translator, mark
from pages.text.scaling_training import (
    final_words,
    spread_words,
    stage_of,
    steps_taken,
    tail_words,
    training_notices,
)
from pages.ui import later, long_run, settings
from pages.ui.long_run import Places
from pages.ui.scaling import figures, refusals, state

WORK = f"{state.PAGE}.training"
DIGITS = 3
REFERENCE = "numpy"  # trains the usual example in a second or two on any processor


WORDS = long_run.Words(
    mark("What is shown was trained with other values; Start trains with those chosen now."),
    mark("Until the first result of the new training the one before it is shown."),
    mark("Trained with {before}; Start trains with {now}."),
    mark("What goes on is trained with {before}; {now} waits for the next start."),
)


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
    TAB.buttons(t)


def draw(bar: Any) -> None:
    """Draw the tab of training; ``bar`` is the place of the progress while it goes on."""
    t = settings.translate()
    TAB.draw(shown(t), bar, t)


def fill(places: Places, result: TrainingResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        return
    places.say(measures(result, t), notices(result, t), t)
    for place, name in zip(places.sides, ("loss", str(state.get("curve"))), strict=True):
        view = state.curve_view(name)
        if live:
            figures.show_live(place, CURVE, result, view)
        else:
            with place.container():
                figures.show(CURVE, result, view, f"{CURVE}.{name}")


def shown(t: Translator) -> TrainingResult:
    """Return the reader's own training as far as it went, or the usual one."""
    own: TrainingResult | None = later.found(WORK)
    if own is not None:
        return own
    with st.spinner(t("Training the usual example …")):
        return usual()


def progress_said(result: TrainingResult, t: Translator) -> str:
    """Return how far the training is, in a line."""
    _, done = steps_taken(result)
    return t("Step {done} of {steps}", done=f"{done:,}", steps=f"{result.params.steps:,}")


def measures(result: TrainingResult, t: Translator) -> list[tuple[str, str, str, str]]:
    """Return title, value, words below and explanation of each number."""
    S = result.params.pairs
    titles: dict[tuple[Measure, bool], str] = {
        ("accuracy", False): t("Accuracy, unscaled"),
        ("accuracy", True): t("Accuracy, scaled"),
        ("loss", False): t("Loss, unscaled"),
        ("loss", True): t("Loss, scaled"),
    }
    about = t(
        "Mean {span}, and over the seeds that did not diverge; below, the lowest and the highest "
        "of them, if these digits tell them apart.",
        span=tail_words(result, t),
    )
    return [
        *(
            (title, final_words(result, *each, t), spread_words(result, *each, t), about)
            for each, title in titles.items()
        ),
        (
            t("Guessing"),
            number(math.log(S), DIGITS),
            t("ln {S}; accuracy 1/{S}", S=S),
            t("The loss of a head that gives each of the S symbols the same probability."),
        ),
    ]


def notices(result: TrainingResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this training at this moment."""
    return training_notices(result, stage_of(result, running=long_run.grows(WORK)), t)


TAB = long_run.Tab(
    WORK,
    WORDS,
    begin,
    chosen,
    fill,
    progress_said,
    refusals.sentence,
    numbers=5,
    precision=lambda _result: PRECISION,
)

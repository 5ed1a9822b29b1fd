"""Head size: which kernel runs at which d_k, and what that costs."""

from __future__ import annotations

from typing import Any

from engine.experiments.memory.head_sizes import HeadSizeResult, measure, require_head_sizes
from pages.gallery.memory_measured import HEAD_PEAK, HEAD_TIME, SWEPT
from pages.text import Translator
from pages.text.memory_head_readings import head_measures, head_notices
from pages.ui import later, long_run, settings
from pages.ui.long_run import Places
from pages.ui.memory import state
from pages.ui.memory.refusals import say_refusals
from pages.ui.watched import WORDS, Watched, draw_pair, said

WORK = f"{state.PAGE}.heads"
NUMBERS = 3
WATCHED = Watched(WORK, state.head_size_params, require_head_sizes, measure, SWEPT)


def controls(t: Translator) -> None:
    """Draw start and stop."""
    WATCHED.controls(TAB, t)


def draw(bar: Any) -> None:
    """Draw the tab; ``bar`` is the place of the progress while it goes on."""
    t, result = settings.translate(), WATCHED.shown()
    TAB.draw(result, bar, t)
    if result is not None and not later.goes_on(WORK):
        say_refusals(result, t)


def fill(places: Places, result: HeadSizeResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        places.words.info(WATCHED.nothing_said(t), icon=":material/info:")
        return
    places.say(head_measures(result, t), head_notices(result, t), t)
    draw_pair(places, (HEAD_TIME, HEAD_PEAK), result, live=live)


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

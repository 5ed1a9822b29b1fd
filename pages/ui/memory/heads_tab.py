"""Head size: which kernel runs at which d_k, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine import EngineError
from engine.experiments.memory.head_sizes import (
    HeadSizeParams,
    HeadSizeResult,
    measure,
    require_head_sizes,
    run,
)
from pages.gallery.kept_results import Kept
from pages.gallery.memory_measured import HEAD_PEAK, HEAD_TIME
from pages.text import Translator
from pages.text.memory_readings import head_measures, head_notices
from pages.ui import later, long_run, result_figures, settings
from pages.ui.long_run import Places
from pages.ui.memory import state
from pages.ui.memory.measured_tab import WORDS, points_said

WORK = f"{state.PAGE}.heads"
NUMBERS = 3
SWEPT: Kept[HeadSizeParams, HeadSizeResult] = Kept(
    lambda params, backend, listener: run(params, backend=backend, progress=listener), 6
)


def begin() -> Iterator[HeadSizeResult]:
    """Return the sweep that is chosen, on the backend that is chosen."""
    params = state.head_size_params()
    return _kept(params, measure(params, backend=settings.backend().name))


def _kept(params: HeadSizeParams, results: Iterator[HeadSizeResult]) -> Iterator[HeadSizeResult]:
    """Yield results; a whole one is kept for other sessions."""
    for result in results:
        if result.done:
            SWEPT.put(params, result.backend_name, result)
        yield result


def chosen() -> HeadSizeParams:
    """Return what is chosen; raises EngineError when it cannot be measured."""
    params = state.head_size_params()
    require_head_sizes(params)
    return params


def controls(t: Translator) -> None:
    """Draw the start and the stop; the first visit begins by itself."""
    if TAB.ready and shown() is None and not later.begun(WORK):
        TAB.start()
    TAB.buttons(t)


def shown() -> HeadSizeResult | None:
    """Return the reader's own sweep as far as it went, or one that the process has done."""
    own: HeadSizeResult | None = later.found(WORK)
    if own is None:
        try:
            own = SWEPT.peek(chosen(), settings.backend().name)
        except EngineError:  # said where the result is shown
            return None
        if own is not None:  # kept, so that it stays when other values are chosen
            later.put(WORK, own)
    return own


def draw(bar: Any) -> None:
    """Draw the tab; ``bar`` is the place of the progress while it goes on."""
    TAB.draw(shown(), bar, settings.translate())


def fill(places: Places, result: HeadSizeResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        places.words.info(nothing_said(t), icon=":material/info:")
        return
    places.say(head_measures(result, t), head_notices(result, t), t)
    for place, name in zip(places.sides, (HEAD_TIME, HEAD_PEAK), strict=True):
        if live:
            result_figures.show_live(place, name, result)
        else:
            with place.container():
                result_figures.show(name, result)


def progress_said(result: HeadSizeResult, t: Translator) -> str:
    """Return how far the measurement is, in a line."""
    return points_said(len(result.points), result.total, waiting=result.waiting, t=t)


def nothing_said(t: Translator) -> str:
    """Return why nothing is shown yet."""
    if later.goes_on(WORK):
        return t("The figures begin with the first point.")
    return t("Nothing is measured yet. Start measures attention at each d_k.")


TAB = long_run.Tab(WORK, WORDS, begin, chosen, fill, progress_said, numbers=NUMBERS)

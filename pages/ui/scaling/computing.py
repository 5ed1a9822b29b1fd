"""Computes what a tab shows; when that cannot be, the tab keeps its last result that could.

What takes longer than a moment shows how far it is, and can be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

import streamlit as st

from engine import EngineError
from engine.experiments.scaling import variance as drawing
from engine.experiments.scaling.reach import ReachParams, ReachResult, measure_reach
from engine.experiments.scaling.saturation import (
    SaturationParams,
    SaturationResult,
    measure_saturation,
)
from pages.gallery.kept_results import Kept
from pages.text import Translator
from pages.ui import messages, settings, status
from pages.ui.scaling import refusals, state

_LAST, _STOPPED = f"{state.PAGE}.last", f"{state.PAGE}.stopped"
MOMENT = 0.5  # seconds until a computation shows how far it is


class Timed(Protocol):
    """A result that knows how it was computed."""

    @property
    def seconds(self) -> float:
        """How long it took."""

    @property
    def precision(self) -> str:
        """In which precision."""


_Params = TypeVar("_Params", bound=Hashable)
_Result = TypeVar("_Result", bound=Timed)

VARIANCE: Kept[drawing.Params, drawing.Result] = Kept(
    lambda params, backend, listener: drawing.run(params, backend=backend, progress=listener), 6
)
SATURATION: Kept[SaturationParams, SaturationResult] = Kept(
    lambda params, backend, listener: measure_saturation(
        params, backend=backend, progress=listener
    ),
    6,
)
REACH: Kept[ReachParams, ReachResult] = Kept(
    lambda params, backend, listener: measure_reach(params, backend=backend, progress=listener), 6
)


def unheard(_share: float) -> None:
    """Hear how far a computation is, and say nothing."""


def variance(t: Translator) -> drawing.Result:
    """Return how far dot products spread."""
    return _shown("variance", VARIANCE, state.variance_params, drawing.Params(), t)


def saturation(t: Translator) -> SaturationResult:
    """Return what softmax makes of the scores."""
    return _shown("saturation", SATURATION, state.saturation_params, SaturationParams(), t)


def reach(t: Translator) -> ReachResult:
    """Return how much gradient reaches each input."""
    return _shown("gradient", REACH, state.reach_params, ReachParams(), t)


def _shown(
    name: str,
    compute: Kept[_Params, _Result],
    chosen: Callable[[], _Params],
    usual: _Params,
    t: Translator,
) -> _Result:
    """Return the result of the chosen parameters, or of the last ones that had one, and say why."""
    backend = settings.backend().name
    last = st.session_state.setdefault(_LAST, {})
    try:
        params = chosen()
        stopped = (name, params, backend) == st.session_state.get(_STOPPED)
        if stopped and compute.peek(params, backend) is None:
            result, shown = _instead(compute, last.get(name), usual, backend, t)
            _say_stopped(shown, t)
        else:
            result = _followed(name, compute, params, backend, t)
            last[name] = params
    except EngineError as error:
        result, shown = _instead(compute, last.get(name), usual, backend, t)
        messages.say_once(refusals.sentence(error, t), shown, t)
    status.record(result.seconds)
    status.record_precision(result.precision)
    return result


def _instead(
    compute: Kept[_Params, _Result],
    last: _Params | None,
    usual: _Params,
    backend: str,
    t: Translator,
) -> tuple[_Result, str]:
    """Return what is shown when the present parameters cannot be, and words for it."""
    if last is not None and (found := compute.peek(last, backend)) is not None:
        return found, t("Shown below is the last result that could be computed.")
    return compute(usual, backend, unheard), t("Shown below is the usual example.")


def _say_stopped(shown: str, t: Translator) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.info(t.sentences(t("Stopped."), shown), icon=":material/stop_circle:")
        st.button(t("Compute it after all"), on_click=_resume, icon=":material/play_arrow:")


def _resume() -> None:
    st.session_state.pop(_STOPPED, None)


def _followed(
    name: str,
    compute: Kept[_Params, _Result],
    params: _Params,
    backend: str,
    t: Translator,
) -> _Result:
    """Compute, and show how far it is with a way to stop, once it takes longer than a moment."""
    place = st.empty()
    started = time.perf_counter()
    bars: list[Any] = []

    def hear(share: float) -> None:
        text = t("Computing: {percent} %", percent=f"{100 * share:.0f}")
        if bars:
            bars[0].progress(share, text)
        elif time.perf_counter() - started > MOMENT:
            with place.container(horizontal=True, vertical_alignment="center", gap="small"):
                bars.append(st.progress(share, text, width="stretch"))
                st.button(
                    t("Stop"),
                    icon=":material/stop:",
                    key=state.key("stop"),
                    on_click=_stop,
                    args=((name, params, backend),),
                )

    result = compute(params, backend, hear)
    place.empty()
    return result


def _stop(what: tuple[str, Hashable, str]) -> None:
    st.session_state[_STOPPED] = what

"""Computes what a tab shows; when that cannot be, the tab keeps its last result that could.

What takes longer than a moment shows how far it is, and can be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from engine import EngineError
from pages.gallery.kept_results import Kept
from pages.text import Translator
from pages.ui import messages, settings

_LAST, _STOPPED = "computed.last", "computed.stopped"
MOMENT = 0.5  # seconds until a computation shows how far it is
_Params = TypeVar("_Params", bound=Hashable)
_Result = TypeVar("_Result")


def unheard(_share: float) -> None:
    """Hear how far a computation is, and say nothing."""


@dataclass(frozen=True)
class Computed(Generic[_Params, _Result]):
    """What one tab computes.

    Attributes
    ----------
    name : str
        Of the tab, no other's in the product.
    compute : Kept
    chosen : callable
        Returns the parameters that are chosen; raises EngineError when there are none.
    usual : object
        The parameters that stand in where nothing else can be shown.
    refused : callable
        Returns a refusal as the page says it.
    """

    name: str
    compute: Kept[_Params, _Result]
    chosen: Callable[[], _Params]
    usual: _Params
    refused: Callable[[EngineError, Translator], str] = messages.sentence

    def shown(self, t: Translator) -> _Result:
        """Return the result of what is chosen, or of the last that had one, and say why."""
        backend = settings.backend().name
        last = st.session_state.setdefault(_LAST, {})
        try:
            params = self.chosen()
            stopped = (self.name, params, backend) == st.session_state.get(_STOPPED)
            if stopped and self.compute.peek(params, backend) is None:
                result, said = self._instead(last.get(self.name), backend, t)
                _say_stopped(said, t)
            else:
                result = self._followed(params, backend, t)
                last[self.name] = params
        except EngineError as error:
            result, said = self._instead(last.get(self.name), backend, t)
            messages.say_once(self.refused(error, t), said, t)
        return result

    def _instead(self, last: _Params | None, backend: str, t: Translator) -> tuple[_Result, str]:
        """Return what is shown when the present parameters cannot be, and words for it."""
        if last is not None and (found := self.compute.peek(last, backend)) is not None:
            return found, t("Shown below is the last result that could be computed.")
        return self.compute(self.usual, backend, unheard), t("Shown below is the usual example.")

    def _followed(self, params: _Params, backend: str, t: Translator) -> _Result:
        """Compute, and show how far it is with a way to stop, once it takes over a moment."""
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
                        key=f"{self.name}.stop",
                        on_click=_stop,
                        args=((self.name, params, backend),),
                    )

        result = self.compute(params, backend, hear)
        place.empty()
        return result


def _say_stopped(shown: str, t: Translator) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.info(t.sentences(t("Stopped."), shown), icon=":material/stop_circle:")
        st.button(t("Compute it after all"), on_click=_resume, icon=":material/play_arrow:")


def _resume() -> None:
    st.session_state.pop(_STOPPED, None)


def _stop(what: tuple[str, Hashable, str]) -> None:
    st.session_state[_STOPPED] = what

"""Computes what a tab shows; when that cannot be, the tab keeps its last result that could."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Protocol, TypeVar

import streamlit as st

from engine import EngineError
from engine.experiments.masks import Params, Result, run
from engine.experiments.masks.alignment import (
    AlignmentParams,
    AlignmentResult,
    compare_alignments,
)
from engine.experiments.masks.growth import GrowthResult, measure_growth
from engine.experiments.masks.influence import InfluenceResult, measure_influence
from engine.experiments.masks.mistakes import MistakesParams, MistakesResult, make_mistakes
from engine.experiments.masks.padding import PaddingParams, PaddingResult, compare_padding
from pages.text import Translator
from pages.ui import messages, settings, status
from pages.ui.masks import state

_LAST = f"{state.PAGE}.last"


class Timed(Protocol):
    """A result that knows how long it took, in seconds."""

    @property
    def seconds(self) -> float:
        """How long it took."""


_Params = TypeVar("_Params", bound=Hashable)
_Result = TypeVar("_Result", bound=Timed)


# One function an idea, so that each keeps the results of its own last few views. A table of
# mistakes holds dozens of matrices, so fewer of those are kept.


@lru_cache(maxsize=6)
def _compared(params: Params, backend: str) -> Result:
    return run(params, backend=backend)


@lru_cache(maxsize=6)
def _influence(params: Params, backend: str) -> InfluenceResult:
    return measure_influence(params, backend=backend)


@lru_cache(maxsize=6)
def _growth(params: Params, backend: str) -> GrowthResult:
    return measure_growth(params, backend=backend)


@lru_cache(maxsize=6)
def _padding(params: PaddingParams, backend: str) -> PaddingResult:
    return compare_padding(params, backend=backend)


@lru_cache(maxsize=6)
def _alignment(params: AlignmentParams, backend: str) -> AlignmentResult:
    return compare_alignments(params, backend=backend)


@lru_cache(maxsize=2)
def _mistakes(params: MistakesParams, backend: str) -> MistakesResult:
    return make_mistakes(params, backend=backend)


def forget() -> None:
    """Drop every result that is kept."""
    for kept in (_compared, _influence, _growth, _padding, _alignment, _mistakes):
        kept.cache_clear()


def compared(t: Translator) -> Result:
    """Return both masks on the same scores."""
    return _shown("compare", _compared, state.params(), t)


def influence(t: Translator) -> InfluenceResult:
    """Return what each token moves under both masks."""
    return _shown("influence", _influence, state.params(), t)


def growth(t: Translator) -> GrowthResult:
    """Return what a growing sequence changes under both masks."""
    return _shown("growth", _growth, state.params(), t)


def padding(t: Translator) -> PaddingResult:
    """Return the batch under each kind of padding mask."""
    return _shown("padding", _padding, state.padding_params(), t)


def alignment(t: Translator) -> AlignmentResult:
    """Return both alignments of a causal mask."""
    return _shown("alignment", _alignment, state.alignment_params(), t)


def mistakes(t: Translator) -> MistakesResult:
    """Return the table of mistakes."""
    return _shown("mistakes", _mistakes, state.mistakes_params(), t)


def _shown(
    tab: str, compute: Callable[[_Params, str], _Result], params: _Params, t: Translator
) -> _Result:
    """Return the result of a tab's parameters, or of the last ones that had one, and say why."""
    backend = settings.backend().name
    last = st.session_state.setdefault(_LAST, {})
    try:
        result = compute(params, backend)
    except EngineError as error:
        result, shown = _instead(compute, last.get(tab), type(params)(), backend, t)
        st.error(t.sentences(messages.sentence(error, t), shown), icon=":material/error:")
    else:
        last[tab] = params
    status.record(result.seconds)
    return result


def _instead(
    compute: Callable[[_Params, str], _Result],
    last: _Params | None,
    usual: _Params,
    backend: str,
    t: Translator,
) -> tuple[_Result, str]:
    """Return what is shown when the present parameters cannot be, and words for it."""
    if last is not None:
        try:
            return compute(last, backend), t(
                "Shown below is the last result that could be computed."
            )
        except EngineError:  # another backend may refuse what the last one took
            pass
    return compute(usual, backend), t("Shown below is the usual example.")

"""Computes what the tabs of this page show."""

from __future__ import annotations

from typing import TypeVar

from engine.experiments.context.endings import EndingsParams, EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult
from engine.experiments.context.pictured import Picture, PictureParams
from engine.experiments.context.single_layer import SingleLayerParams, SingleLayerResult
from engine.experiments.context.study import Study, StudyParams
from engine.experiments.context.two_layers import TwoLayersParams, TwoLayersResult
from pages.gallery.context_endings import ENDINGS, KNOCK
from pages.gallery.context_mechanism import PICTURED, SINGLE_LAYER, TWO_LAYER_RESULTS
from pages.gallery.context_model import STUDY
from pages.text import Translator
from pages.ui import status
from pages.ui.computed import Computed
from pages.ui.context import state

_Result = TypeVar("_Result", bound=status.Timed)
_PICTURED = Computed(f"{state.PAGE}.picture", PICTURED, PictureParams, PictureParams())
_SINGLE = Computed(
    f"{state.PAGE}.one-layer", SINGLE_LAYER, state.single_params, SingleLayerParams()
)
_TWO = Computed(f"{state.PAGE}.two-layers", TWO_LAYER_RESULTS, state.two_params, TwoLayersParams())
_STUDY = Computed(f"{state.PAGE}.study", STUDY, state.study_params, StudyParams())
_ENDINGS = Computed(f"{state.PAGE}.endings", ENDINGS, state.endings_params, EndingsParams())
_KNOCK = Computed(f"{state.PAGE}.cause", KNOCK, state.knock_params, KnockParams())


def picture(t: Translator) -> Picture:
    """Return the picture of the texts, which nobody computed."""
    return _PICTURED.shown(t)


def single_layer(t: Translator) -> SingleLayerResult:
    """Return what one layer of random heads gives the pronoun in both sentences."""
    return status.noted(_SINGLE.shown(t))


def two_layers(t: Translator) -> TwoLayersResult:
    """Return the two layers that are built by hand."""
    return status.noted(_TWO.shown(t))


def study(t: Translator) -> Study:
    """Return the attention of a model to the text that is chosen."""
    result = _STUDY.shown(t)
    return _noted(result, result, t)


def endings(t: Translator) -> EndingsResult:
    """Return the attention of a model to both texts."""
    result = _ENDINGS.shown(t)
    return _noted(result, result.first, t)


def knocked(t: Translator) -> KnockResult:
    """Return what happens when one key after the other is cut."""
    result = _KNOCK.shown(t)
    return _noted(result, result.study, t)


def _noted(result: _Result, study: Study, t: Translator) -> _Result:
    """Tell the status line how a result was computed: now, or when it was recorded."""
    if not study.recorded:
        return status.noted(result)
    status.record_precision(t("{precision}, recorded", precision=study.precision))
    return result

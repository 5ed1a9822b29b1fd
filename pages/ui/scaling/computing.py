"""Computes what the tabs of this page show."""

from __future__ import annotations

from engine.experiments.scaling import variance as drawing
from engine.experiments.scaling.reach import ReachParams, ReachResult
from engine.experiments.scaling.saturation import SaturationParams, SaturationResult
from pages.gallery.scaling import SATURATION_RESULTS, SPREAD_RESULTS
from pages.gallery.scaling_head import REACH_RESULTS
from pages.text import Translator
from pages.ui import status
from pages.ui.computed import Computed
from pages.ui.scaling import refusals, state

_VARIANCE = Computed(
    f"{state.PAGE}.variance",
    SPREAD_RESULTS,
    state.variance_params,
    drawing.Params(),
    refusals.sentence,
)
_SATURATION = Computed(
    f"{state.PAGE}.saturation",
    SATURATION_RESULTS,
    state.saturation_params,
    SaturationParams(),
    refusals.sentence,
)
_REACH = Computed(
    f"{state.PAGE}.gradient", REACH_RESULTS, state.reach_params, ReachParams(), refusals.sentence
)


def variance(t: Translator) -> drawing.Result:
    """Return how far dot products spread."""
    return status.noted(_VARIANCE.shown(t))


def saturation(t: Translator) -> SaturationResult:
    """Return what softmax makes of the scores."""
    return status.noted(_SATURATION.shown(t))


def reach(t: Translator) -> ReachResult:
    """Return how much gradient reaches each input."""
    return status.noted(_REACH.shown(t))

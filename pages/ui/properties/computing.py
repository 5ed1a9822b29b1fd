"""Computes what the tabs of this page show."""

from __future__ import annotations

from engine.experiments.masks.influence import InfluenceResult
from engine.experiments.properties.graph import GraphParams, GraphResult
from engine.experiments.properties.order import OrderParams, OrderResult
from engine.experiments.properties.paths import PathParams, PathResult
from engine.experiments.properties.smoothing import SmoothingParams, SmoothingResult
from pages.gallery.properties import (
    GRAPH,
    INFLUENCE,
    ORDER,
    PATHS,
    SMOOTHING,
    InfluenceParams,
)
from pages.text import Translator
from pages.ui import status
from pages.ui.computed import Computed
from pages.ui.properties import state

_ORDER = Computed(f"{state.PAGE}.order", ORDER, state.order_params, OrderParams())
_PATHS = Computed(f"{state.PAGE}.reach", PATHS, state.path_params, PathParams())
_SMOOTHING = Computed(f"{state.PAGE}.depth", SMOOTHING, state.smoothing_params, SmoothingParams())
_INFLUENCE = Computed(
    f"{state.PAGE}.influence", INFLUENCE, state.influence_params, InfluenceParams()
)
_GRAPH = Computed(f"{state.PAGE}.graph", GRAPH, state.graph_params, GraphParams())


def order(t: Translator) -> OrderResult:
    """Return the tokens in both orders."""
    return status.noted(_ORDER.shown(t))


def paths(t: Translator) -> PathResult:
    """Return how many steps information needs."""
    result = _PATHS.shown(t)
    status.record_precision(t("whole numbers"))
    return result


def smoothing(t: Translator) -> SmoothingResult:
    """Return what depth does to the differences between positions."""
    return status.noted(_SMOOTHING.shown(t))


def influence(t: Translator) -> InfluenceResult:
    """Return what each token moves, without a mask and with the causal one."""
    return status.noted(_INFLUENCE.shown(t))


def graph(t: Translator) -> GraphResult:
    """Return attention as messages along edges."""
    return status.noted(_GRAPH.shown(t))

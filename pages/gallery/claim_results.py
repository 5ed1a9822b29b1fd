"""Where the checks of claims find results that pages and files show, so that none is made twice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.experiments.claims.every import claim_of
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.ledger import checked
from engine.experiments.claims.results import Results
from engine.experiments.context.endings import EndingsParams
from engine.experiments.context.knock import KnockParams
from engine.experiments.context.single_layer import SingleLayerParams
from engine.experiments.context.study import StudyParams
from engine.experiments.lookup.axes import AxesParams
from engine.experiments.lookup.cost import CostParams
from engine.experiments.lookup.roles import RolesParams
from engine.experiments.memory.chunked import ChunkedParams
from engine.experiments.memory.measured import MeasuredParams
from engine.experiments.properties.graph import GraphParams
from engine.experiments.properties.order import OrderParams
from engine.experiments.properties.paths import PathParams
from engine.experiments.properties.smoothing import SmoothingParams
from engine.experiments.scaling import variance
from engine.experiments.scaling.reach import ReachParams
from engine.experiments.scaling.saturation import SaturationParams
from engine.experiments.scaling.training import TrainingParams
from pages.gallery.context_endings import ENDINGS, KNOCK
from pages.gallery.context_mechanism import SINGLE_LAYER
from pages.gallery.context_model import STUDY
from pages.gallery.kept_results import Kept
from pages.gallery.lookup import AXES, ROLES
from pages.gallery.lookup_cost import COST
from pages.gallery.memory_measured import CHUNKED, MEASURED
from pages.gallery.properties import GRAPH, ORDER, PATHS, SMOOTHING
from pages.gallery.scaling import SATURATION_RESULTS, SPREAD_RESULTS
from pages.gallery.scaling_head import REACH_RESULTS, TRAINED

# By the type of their parameters, which no two experiments share here.
STORES: dict[type, Kept[Any, Any]] = {
    variance.Params: SPREAD_RESULTS,
    SaturationParams: SATURATION_RESULTS,
    ReachParams: REACH_RESULTS,
    TrainingParams: TRAINED,
    MeasuredParams: MEASURED,
    ChunkedParams: CHUNKED,
    RolesParams: ROLES,
    CostParams: COST,
    SmoothingParams: SMOOTHING,
    AxesParams: AXES,
    OrderParams: ORDER,
    PathParams: PATHS,
    GraphParams: GRAPH,
    SingleLayerParams: SINGLE_LAYER,
    StudyParams: STUDY,
    EndingsParams: ENDINGS,
    KnockParams: KNOCK,
}
# Others are kept only at the usual values: claims ask for many, and those would crowd out what a
# reader looks at.
SLOW = (
    variance.Params,
    SaturationParams,
    ReachParams,
    TrainingParams,
    MeasuredParams,
    ChunkedParams,
    RolesParams,
    CostParams,
)


def kept(params: Any, backend: str) -> Any | None:
    """Return a result that a page or a file has computed; None where there is none."""
    store = STORES.get(type(params))
    return store.peek(params, backend) if store else None


def keep(params: Any, backend: str, result: Any) -> None:
    """Keep a result where the page and the file that show it find it."""
    store = STORES.get(type(params))
    if store and (isinstance(params, SLOW) or params == type(params)()):
        store.put(params, backend, result)


@lru_cache(maxsize=4)
def results_of(backend: str) -> Results:
    """Return the results of one backend, which all pages of a process share."""
    return Results(backend, kept, keep)


def finding_of(claim: int, backend: str) -> Finding:
    """Check a claim on the backend of a given name; what is refused leaves it open."""
    return checked(claim_of(claim), results_of(backend))

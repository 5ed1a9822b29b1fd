"""The figures of the properties: order, reach, depth, the graph, and who hears of whom."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments import masks
from engine.experiments.masks.influence import InfluenceResult, measure_influence
from engine.experiments.masks.inputs import InputParams
from engine.experiments.properties.graph import GraphParams, GraphResult, pass_messages
from engine.experiments.properties.heads import head_within
from engine.experiments.properties.order import MOST_TOKENS, OrderParams, OrderResult, compare_order
from engine.experiments.properties.paths import PathParams, PathResult, count_paths
from engine.experiments.properties.smoothing import (
    SmoothingParams,
    SmoothingResult,
    measure_smoothing,
)
from engine.experiments.scaling.inputs import require_count
from pages.figures.figure import Figure, Style
from pages.figures.numerals import number_in_full
from pages.figures.properties.content import content_figure
from pages.figures.properties.graph import graph_figure
from pages.figures.properties.graph_matrix import graph_matrix_figure
from pages.figures.properties.influence import influence_figure, usual_token
from pages.figures.properties.paths import paths_figure
from pages.figures.properties.permutation import permutation_figure
from pages.figures.properties.reached import reached_figure
from pages.figures.properties.smoothing import cosine_figure, rank_figure
from pages.gallery.kept_results import Kept
from pages.gallery.masks import describe_input
from pages.gallery.model import Described, Entry, Idea, NoParams
from pages.text import Translator, mark, translator
from pages.text.properties_words import switch_words

PERMUTATION = "properties-permutation"
CONTENT = "properties-content"
PATHS_FIGURE = "properties-paths"
REACHED = "properties-reached"
COSINE = "properties-cosine"
RANK = "properties-rank"
GRAPH_FIGURE = "properties-graph"
GRAPH_MATRIX = "properties-graph-matrix"
INFLUENCE_FIGURE = "properties-influence"


@dataclass(frozen=True)
class OrderView:
    """Whether positions are added to the vectors in the figure of both orders."""

    positions: bool = False


@dataclass(frozen=True)
class InfluenceParams(InputParams):
    """The input whose tokens change, one after the other, without a mask and with a causal one."""


@dataclass(frozen=True)
class InfluenceView:
    """Which token changes, counted from 1; None is `usual_token`."""

    token: int | None = None

    def at(self, result: InfluenceResult) -> int:
        """Return the token, counted from 1."""
        return usual_token(len(result.head.tokens)) if self.token is None else self.token


def _influence(params: InfluenceParams, backend: str) -> InfluenceResult:
    head_within(params, MOST_TOKENS)
    sizes = (params.source, params.sentence, params.seed, params.T, params.d_k)
    both = masks.Params(*sizes, a_pattern="none", b_pattern="causal")
    return measure_influence(both, backend=backend)


ORDER: Kept[OrderParams, OrderResult] = Kept(
    lambda params, backend, _progress: compare_order(params, backend=backend), 8
)
PATHS: Kept[PathParams, PathResult] = Kept(
    lambda params, _backend, _progress: count_paths(params), 8
)
SMOOTHING: Kept[SmoothingParams, SmoothingResult] = Kept(
    lambda params, backend, progress: measure_smoothing(params, backend=backend, progress=progress),
    8,
)
GRAPH: Kept[GraphParams, GraphResult] = Kept(
    lambda params, backend, _progress: pass_messages(params, backend=backend), 8
)
INFLUENCE: Kept[InfluenceParams, InfluenceResult] = Kept(
    lambda params, backend, _progress: _influence(params, backend), 8
)


def _check_token(result: InfluenceResult, view: InfluenceView) -> None:
    require_count("token", view.at(result), 1, len(result.head.tokens))


def _permutation(result: OrderResult, view: OrderView, style: Style) -> Figure:
    return permutation_figure(result, style, positions=view.positions)


def _describe_order(params: OrderParams, view: OrderView, language: str) -> Described:
    t = translator(language)
    order = " ".join(map(str, params.permutation)) or t("reversed")
    chosen = {t("Query"): params.query, t("Moved token"): params.moved}
    return [
        *describe_input(params, t),
        (t("Permutation"), order),
        *((name, str(place)) for name, place in chosen.items() if place),
        (t("Positions added"), switch_words(view.positions, t)),
    ]


def _describe_paths(params: PathParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    place = [(t("Position"), f"{params.position:,}")] if params.position else []
    return [
        ("T", f"{params.T:,}"),
        (t("Kernel"), str(params.kernel)),
        (t("Window"), f"{params.window:,}"),
        (t("Layers"), str(params.layers)),
        *place,
    ]


def _describe_smoothing(params: SmoothingParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        ("T", str(params.T)),
        ("d_model", str(params.d_model)),
        (t("Layers"), str(params.layers)),
        (t("Heads"), t.listing(params.heads)),
        (t("Layer normalisation"), switch_words(params.norm, t)),
        (t("Seeds"), t.listing(params.seeds)),
    ]


def _describe_graph(params: GraphParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        *describe_input(params, t),
        (t("Causal mask"), switch_words(params.causal, t)),
        (t("Threshold"), number_in_full(float(params.threshold))),
    ]


def _describe_influence(params: InfluenceParams, view: InfluenceView, language: str) -> Described:
    t: Translator = translator(language)
    token = [(t("Changed token"), str(view.token))] if view.token is not None else []
    return [*describe_input(params, t), *token]


ORDER_IDEA = Idea(
    name="properties_order",
    title=mark("Order and positions"),
    params=OrderParams,
    view=OrderView,
    run=ORDER,
    entries=(
        Entry(
            PERMUTATION,
            mark("Permuted tokens, permuted outputs"),
            _permutation,
            ("positions",),
        ),
        Entry(
            CONTENT,
            mark("The weight of a token against the place where it stands"),
            lambda result, _view, style: content_figure(result, style),
        ),
    ),
    describe=_describe_order,
)

PATHS_IDEA = Idea(
    name="properties_paths",
    title=mark("How far information travels"),
    params=PathParams,
    view=NoParams,
    run=PATHS,
    entries=(
        Entry(
            PATHS_FIGURE,
            mark("Steps between two positions against their distance"),
            lambda result, _view, style: paths_figure(result, style),
        ),
        Entry(
            REACHED,
            mark("What one position has heard of"),
            lambda result, _view, style: reached_figure(result, style),
        ),
    ),
    describe=_describe_paths,
    backend="numpy",  # steps are counted, which no other backend does
)

SMOOTHING_IDEA = Idea(
    name="properties_smoothing",
    title=mark("Over-smoothing"),
    params=SmoothingParams,
    view=NoParams,
    run=SMOOTHING,
    entries=(
        Entry(
            COSINE,
            mark("How alike the positions become with depth"),
            lambda result, _view, style: cosine_figure(result, style),
        ),
        Entry(
            RANK,
            mark("How many directions are left with depth"),
            lambda result, _view, style: rank_figure(result, style),
        ),
    ),
    describe=_describe_smoothing,
)

INFLUENCE_IDEA = Idea(
    name="properties_influence",
    title=mark("One token changes"),
    params=InfluenceParams,
    view=InfluenceView,
    run=INFLUENCE,
    entries=(
        Entry(
            INFLUENCE_FIGURE,
            mark("Which outputs move when one token changes"),
            lambda result, view, style: influence_figure(result, style, view.at(result)),
            ("token",),
            _check_token,
        ),
    ),
    describe=_describe_influence,
)

GRAPH_IDEA = Idea(
    name="properties_graph",
    title=mark("Attention as a graph"),
    params=GraphParams,
    view=NoParams,
    run=GRAPH,
    entries=(
        Entry(
            GRAPH_FIGURE,
            mark("The weights as arrows between tokens"),
            lambda result, _view, style: graph_figure(result, style),
        ),
        Entry(
            GRAPH_MATRIX,
            mark("The weights of the arrows as a matrix"),
            lambda result, _view, style: graph_matrix_figure(result, style),
        ),
    ),
    describe=_describe_graph,
)

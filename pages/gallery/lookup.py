"""The figures of soft lookup: the table, similarities, the plane, roles, rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.lookup.axes import AxesParams, AxesResult, compare_axes
from engine.experiments.lookup.roles import RolesParams, RolesResult, measure_roles
from engine.experiments.lookup.soft import Result, run
from engine.experiments.lookup.table import Params, checked
from engine.experiments.scaling.inputs import require_count
from pages.figures.figure import Figure, Style
from pages.figures.lookup.axes import axes_figure
from pages.figures.lookup.plane import plane_figure
from pages.figures.lookup.roles import roles_spread_figure, roles_weights_figure
from pages.figures.lookup.similarities import similarities_figure
from pages.figures.lookup.temperature import temperature_figure
from pages.figures.lookup.weights import weights_figure
from pages.gallery.kept_results import Kept
from pages.gallery.masks import describe_input
from pages.gallery.model import Described, Entry, Idea, NoParams
from pages.text import mark, translator
from pages.text.lookup_words import similarity_words, temperature_words, vector_text

WEIGHTS = "lookup-weights"
TEMPERATURE = "lookup-temperature"
PLANE = "lookup-plane"
SIMILARITIES = "lookup-similarities"
ROLES_SPREAD = "lookup-roles"
ROLES_WEIGHTS = "lookup-roles-weights"
AXES_FIGURE = "lookup-axes"
_DIGITS = 6  # decimals of the cells that are described


@dataclass(frozen=True)
class LookupView:
    """Which key the plane tells the angle of, counted from 1; None is the most similar one."""

    key: int | None = None

    def row(self, result: Result) -> int:
        """Return the row of the key, from 0."""
        return result.nearest[0] if self.key is None else self.key - 1


LOOKED: Kept[Params, Result] = Kept(
    lambda params, backend, progress: run(params, backend=backend, progress=progress), 8
)
ROLES: Kept[RolesParams, RolesResult] = Kept(
    lambda params, backend, progress: measure_roles(params, backend=backend, progress=progress), 8
)
AXES: Kept[AxesParams, AxesResult] = Kept(
    lambda params, backend, _progress: compare_axes(params, backend=backend), 8
)


def _check_plane(result: Result, view: LookupView) -> None:
    width = len(result.params.query)
    if width != 2:
        raise OptionError(
            "The figure {figure} draws vectors of 2 numbers in the plane, and these have {width}; "
            "choose another figure, or keys and a query of 2 numbers.",
            figure=PLANE,
            width=width,
        )
    if view.key is not None:
        require_count("key", view.key, 1, len(result.params.names))


def _plane(result: Result, view: LookupView, style: Style) -> Figure:
    return plane_figure(result, style, view.row(result))


def _describe(params: Params, view: LookupView, language: str) -> Described:
    t, table = translator(language), checked(params)
    rows = [
        (name, f"{vector_text(key, _DIGITS)} → {vector_text(value, _DIGITS)}")
        for name, key, value in zip(table.names, table.keys, table.values, strict=True)
    ]
    seed = [(t("Seed"), str(table.seed))]
    key = [(t("Key in the plane"), str(view.key))] if view.key is not None else []
    return [
        *rows,
        (t("Query"), vector_text(table.query, _DIGITS)),
        (t("Similarity"), similarity_words(table.similarity, t)),
        (t("Temperature"), temperature_words(table)),
        *seed,
        *key,
    ]


def _describe_roles(params: RolesParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        ("T", str(params.T)),
        ("d_model", str(params.d_model)),
        ("d_k", str(params.d_k)),
        (t("Draws"), f"{params.draws:,}"),
        (t("Seed"), str(params.seed)),
    ]


def _describe_axes(params: AxesParams, _view: NoParams, language: str) -> Described:
    return describe_input(params, translator(language))


LOOKUP_IDEA = Idea(
    name="lookup",
    title=mark("Soft lookup"),
    params=Params,
    view=LookupView,
    run=LOOKED,
    entries=(
        Entry(
            WEIGHTS,
            mark("A lookup in a table: hard and soft"),
            lambda result, _view, style: weights_figure(result, style),
        ),
        Entry(
            TEMPERATURE,
            mark("Weights against the temperature"),
            lambda result, _view, style: temperature_figure(result, style),
        ),
        Entry(PLANE, mark("The query and the keys in the plane"), _plane, ("key",), _check_plane),
        Entry(
            SIMILARITIES,
            mark("Five similarities on the same table"),
            lambda result, _view, style: similarities_figure(result, style),
        ),
    ),
    describe=_describe,
)

ROLES_IDEA = Idea(
    name="lookup_roles",
    title=mark("Three roles"),
    params=RolesParams,
    view=NoParams,
    run=ROLES,
    entries=(
        Entry(
            ROLES_SPREAD,
            mark("How much weight a token gives to itself"),
            lambda result, _view, style: roles_spread_figure(result, style),
        ),
        Entry(
            ROLES_WEIGHTS,
            mark("Scores and weights of one draw: W_Q and W_K free, and tied"),
            lambda result, _view, style: roles_weights_figure(result, style),
        ),
    ),
    describe=_describe_roles,
)

AXES_IDEA = Idea(
    name="lookup_axes",
    title=mark("Rows or columns"),
    params=AxesParams,
    view=NoParams,
    run=AXES,
    entries=(
        Entry(
            AXES_FIGURE,
            mark("Softmax along rows, and down columns"),
            lambda result, _view, style: axes_figure(result, style),
        ),
    ),
    describe=_describe_axes,
)

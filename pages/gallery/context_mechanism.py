"""The figures of the mechanism: the drawn picture, one layer, two layers built by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.errors import OptionError
from engine.experiments.context.pictured import Picture, PictureParams, picture_of
from engine.experiments.context.single_layer import (
    SingleLayerParams,
    SingleLayerResult,
    compare_in_one_layer,
)
from engine.experiments.context.two_endings import ENDINGS, EndingName
from engine.experiments.context.two_layers import (
    TwoLayersParams,
    TwoLayersResult,
    walk_through,
)
from engine.experiments.scaling.inputs import require_count
from pages.figures.context.one_layer import one_layer_figure
from pages.figures.context.one_layer_ratios import ratios_figure
from pages.figures.context.picture import picture_figure
from pages.figures.context.two_layers import two_layers_figure
from pages.figures.context.two_layers_matrices import two_layers_matrices_figure
from pages.figures.figure import Figure, Style
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea
from pages.text import mark, translator
from pages.text.context_by_hand import setting_text
from pages.text.properties_words import switch_words

__all__ = ["ONE_LAYER", "ONE_LAYER_IDEA", "ONE_LAYER_RATIOS", "PICTURE", "PICTURED",
           "PICTURE_IDEA", "SINGLE_LAYER", "TWO_LAYERS", "TWO_LAYERS_IDEA", "TWO_LAYERS_MATRICES",
           "TWO_LAYER_RESULTS", "OneLayerView", "PictureView",
           "TwoLayersView"]  # fmt: skip

PICTURE = "context-picture"
ONE_LAYER = "context-one-layer"
ONE_LAYER_RATIOS = "context-one-layer-ratios"
TWO_LAYERS = "context-two-layers"
TWO_LAYERS_MATRICES = "context-two-layers-matrices"


@dataclass(frozen=True)
class PictureView:
    """Which endings are drawn."""

    ending: Literal["both", "tired", "wide"] = "both"


@dataclass(frozen=True)
class OneLayerView:
    """Which head is looked at, counted from 1; at first the one that moves most as usual.

    Of fewer heads the usual one is the last.
    """

    head: int = 8

    def of(self, heads: int) -> int:
        """Return the head that is looked at in a layer of so many heads."""
        usual = self.head == OneLayerView.head
        return min(self.head, heads) if usual else self.head


@dataclass(frozen=True)
class TwoLayersView:
    """Which layer's matrices are shown, counted from 1, and with which ending."""

    layer: int = 1
    ending: EndingName = "tired"


PICTURED: Kept[PictureParams, Picture] = Kept(
    lambda params, _backend, _progress: picture_of(params), 1
)
SINGLE_LAYER: Kept[SingleLayerParams, SingleLayerResult] = Kept(
    lambda params, backend, _progress: compare_in_one_layer(params, backend=backend), 8
)
TWO_LAYER_RESULTS: Kept[TwoLayersParams, TwoLayersResult] = Kept(
    lambda params, backend, _progress: walk_through(params, backend=backend), 8
)


def _check_head(result: SingleLayerResult, view: OneLayerView) -> None:
    heads = result.params.heads
    require_count("head", view.of(heads), 1, heads)


def _check_layer(result: TwoLayersResult, view: TwoLayersView) -> None:
    require_count("layer", view.layer, 1, len(result.layers))
    _require_ending(view.ending, ENDINGS)


def _check_ending(_result: object, view: PictureView) -> None:
    _require_ending(view.ending, ("both", *ENDINGS))


def _require_ending(ending: str, known: tuple[str, ...]) -> None:
    if ending not in known:
        raise OptionError(
            "The ending must be one of {known}, got {ending}.", known=known, ending=ending
        )


def _one_layer(result: SingleLayerResult, view: OneLayerView, style: Style) -> Figure:
    return one_layer_figure(result, style, view.of(result.params.heads))


def _ratios(result: SingleLayerResult, view: OneLayerView, style: Style) -> Figure:
    return ratios_figure(result, style, view.of(result.params.heads))


def _matrices(result: TwoLayersResult, view: TwoLayersView, style: Style) -> Figure:
    return two_layers_matrices_figure(result, style, view.layer, view.ending)


def _describe_one_layer(params: SingleLayerParams, view: OneLayerView, language: str) -> Described:
    t = translator(language)
    return [
        ("d_model", str(params.d_model)),
        ("d_k", str(params.d_k)),
        (t("Heads"), str(params.heads)),
        (t("Positions added"), switch_words(params.positions, t)),
        (t("Spread of the matrices"), setting_text(params.spread)),
        (t("Seed"), str(params.seed)),
        (t("Head"), str(view.of(params.heads))),
    ]


def _describe_two_layers(params: TwoLayersParams, view: TwoLayersView, language: str) -> Described:
    t = translator(language)
    return [
        (t("Strength"), setting_text(params.strength)),
        (t("Residual connections"), switch_words(params.residual, t)),
        (t("Layer"), str(view.layer)),
        (t("Ending"), view.ending),
    ]


PICTURE_IDEA = Idea(
    name="context_picture",
    title=mark("The picture of the texts"),
    params=PictureParams,
    view=PictureView,
    run=PICTURED,
    entries=(
        Entry(
            PICTURE,
            mark("Whom “it” looks at: a picture drawn by hand"),
            lambda result, view, style: picture_figure(result, style, view.ending),
            ("ending",),
            _check_ending,
        ),
    ),
    backend="numpy",  # nothing is computed
)

ONE_LAYER_IDEA = Idea(
    name="context_one_layer",
    title=mark("One layer"),
    params=SingleLayerParams,
    view=OneLayerView,
    run=SINGLE_LAYER,
    entries=(
        Entry(
            ONE_LAYER,
            mark("Where “it” looks in one layer, with either ending"),
            _one_layer,
            ("head",),
            _check_head,
        ),
        Entry(
            ONE_LAYER_RATIOS,
            mark("Animal against street in every head of one layer"),
            _ratios,
            ("head",),
            _check_head,
        ),
    ),
    describe=_describe_one_layer,
)

TWO_LAYERS_IDEA = Idea(
    name="context_two_layers",
    title=mark("Two layers built by hand"),
    params=TwoLayersParams,
    view=TwoLayersView,
    run=TWO_LAYER_RESULTS,
    entries=(
        Entry(
            TWO_LAYERS,
            mark("How “it” finds its noun in two layers"),
            lambda result, _view, style: two_layers_figure(result, style),
        ),
        Entry(
            TWO_LAYERS_MATRICES,
            mark("The matrices of one layer built by hand"),
            _matrices,
            ("layer", "ending"),
            _check_layer,
        ),
    ),
    describe=_describe_two_layers,
)

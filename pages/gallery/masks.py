"""The figures of two masks compared, of what they let through, and of a sequence that grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.errors import OptionError
from engine.experiments.masks import Params, run
from engine.experiments.masks.growth import GrowthResult, measure_growth
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.inputs import InputParams
from pages.figures.masks.cache import MOST_ROWS, cache_figure
from pages.figures.masks.compare import difference_figure, output_change_figure, weights_figure
from pages.figures.masks.families import families_figure
from pages.figures.masks.growth import growth_figure
from pages.figures.masks.influence import influence_figure
from pages.gallery.model import Entry, Idea, NoParams
from pages.text import Translator, mark, translator
from pages.text.mask_words import spec_words

FAMILIES = "masks-families"
WEIGHTS = "masks-weights"
DIFFERENCE = "masks-difference"
OUTPUT_CHANGE = "masks-output-change"
INFLUENCE = "masks-influence"
GROWTH = "masks-growth"
CACHE = "masks-kv-cache"


@dataclass(frozen=True)
class InfluenceView:
    """Which of the two masks is looked at."""

    side: Literal["a", "b"] = "b"


@dataclass(frozen=True)
class CacheView:
    """Which token is being written, counted from 1.

    None is the third where a board shows it, else the last one.
    """

    step: int | None = None

    def at(self, result: GrowthResult) -> int:
        """Return the step to show: by the third one a cache holds something."""
        if self.step is not None:
            return self.step
        T = len(result.head.tokens)
        return min(3, T) if T <= MOST_ROWS else T


def describe_input(params: InputParams, t: Translator) -> list[tuple[str, str]]:
    """Return where the scores come from, as (name, text) pairs."""
    if params.source == "textbook":
        return [(t("Input"), t("the textbook example"))]
    seeded = [(t("Seed"), str(params.seed)), ("d_k", str(params.d_k))]
    if params.source == "sentence":
        return [(t("Sentence"), params.sentence), *seeded]
    return [(t("Input"), t("{T} random vectors", T=params.T)), *seeded]


def describe(params: Params, view: object, language: str) -> list[tuple[str, str]]:
    """Return the input, both masks, and what of them is shown."""
    t = translator(language)
    masks = [(t("Mask A"), spec_words(params.a, t)), (t("Mask B"), spec_words(params.b, t))]
    shown = []
    if isinstance(view, InfluenceView):
        shown = [(t("Shown"), masks[0 if view.side == "a" else 1][0])]
    if isinstance(view, CacheView) and view.step is not None:
        shown = [(t("Step"), str(view.step))]
    return [*describe_input(params, t), *masks, *shown]


def _check_step(result: GrowthResult, view: CacheView) -> None:
    most = len(result.head.tokens)
    if not 1 <= view.at(result) <= most:
        raise OptionError(
            "{name} must be from 1 to {most} in this figure, got {value}.",
            name="step",
            most=most,
            value=view.step,
        )


FAMILIES_IDEA = Idea(
    name="mask_families",
    title=mark("Masks and the models that use them"),
    params=NoParams,
    view=NoParams,
    run=lambda _params, _backend, _progress: None,
    entries=(
        Entry(
            FAMILIES,
            mark("Masks and the models that use them"),
            lambda _result, _view, style: families_figure(style),
        ),
    ),
)

COMPARE_IDEA = Idea(
    name="masks",
    title=mark("Two masks compared"),
    params=Params,
    view=NoParams,
    run=lambda params, backend, _progress: run(params, backend=backend),
    entries=(
        Entry(
            WEIGHTS,
            mark("The same scores under two masks"),
            lambda result, _view, style: weights_figure(result, style),
        ),
        Entry(
            DIFFERENCE,
            mark("Where the weight moves between two masks"),
            lambda result, _view, style: difference_figure(result, style),
        ),
        Entry(
            OUTPUT_CHANGE,
            mark("How far each output moves between two masks"),
            lambda result, _view, style: output_change_figure(result, style),
        ),
    ),
    describe=describe,
)

INFLUENCE_IDEA = Idea(
    name="mask_influence",
    title=mark("Measured influence"),
    params=Params,
    view=InfluenceView,
    run=lambda params, backend, _progress: measure_influence(params, backend=backend),
    entries=(
        Entry(
            INFLUENCE,
            mark("Which tokens each output depends on, measured"),
            lambda result, view, style: influence_figure(result, style, view.side),
            ("side",),
        ),
    ),
    describe=describe,
)

GROWTH_IDEA = Idea(
    name="mask_growth",
    title=mark("One token at a time"),
    params=Params,
    view=CacheView,
    run=lambda params, backend, _progress: measure_growth(params, backend=backend),
    entries=(
        Entry(
            GROWTH,
            mark("Do earlier outputs change as the sequence grows?"),
            lambda result, _view, style: growth_figure(result, style),
        ),
        Entry(
            CACHE,
            mark("What the KV cache holds at one step"),
            lambda result, view, style: cache_figure(result, style, view.at(result)),
            ("step",),
            _check_step,
        ),
    ),
    describe=describe,
)

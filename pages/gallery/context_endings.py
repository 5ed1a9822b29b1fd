"""The figures of two endings of one sentence, and of keys that are cut out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.backends import get_backend
from engine.experiments.context.endings import EndingsParams, EndingsResult, compare_endings
from engine.experiments.context.knock import KnockParams, KnockResult, knock
from engine.experiments.context.study import Study, StudyParams
from engine.experiments.scaling.inputs import require_count
from pages.figures.context.endings import endings_figure
from pages.figures.context.knock import knock_figure
from pages.figures.context.knock_bars import knock_bars_figure
from pages.figures.context.movement import movement_figure
from pages.figures.context.turns import turns_figure
from pages.figures.figure import Figure, Style
from pages.gallery.context_model import STUDY
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea, Listener, NoParams
from pages.text import mark, translator
from pages.text.context_endings import knock_words, specials_name

ENDINGS_FIGURE = "context-endings"
TURNS = "context-turns"
MOVEMENT = "context-movement"
KNOCK_FIGURE = "context-knock"
KNOCK_BARS = "context-knock-bars"


@dataclass(frozen=True)
class EndingsView:
    """Which head is looked at; layer and head count from 1."""

    layer: int = 5
    head: int = 1


def _kept_study(
    params: StudyParams, *, backend: str | None = None, progress: Listener | None = None
) -> Study:
    """Return the study of a text, the one that the pages on the model keep too."""
    return STUDY(params, get_backend(backend).name, progress)


def _endings(params: EndingsParams, backend: str, progress: Listener | None) -> EndingsResult:
    return compare_endings(params, backend=backend, progress=progress, study=_kept_study)


def _knock(params: KnockParams, backend: str, progress: Listener | None) -> KnockResult:
    return knock(params, backend=backend, progress=progress, study=_kept_study)


ENDINGS: Kept[EndingsParams, EndingsResult] = Kept(_endings, 6)
KNOCK: Kept[KnockParams, KnockResult] = Kept(_knock, 12)


def _check_head(result: EndingsResult, view: EndingsView) -> None:
    require_count("layer", view.layer, 1, result.first.layers)
    require_count("head", view.head, 1, result.first.heads)


_Draw = Callable[..., Figure]


def _with_head(draw: _Draw) -> Callable[[EndingsResult, EndingsView, Style], Figure]:
    """Return what draws a figure that shows or marks the head looked at."""
    return lambda result, view, style: draw(result, style, view.layer, view.head)


def _describe_endings(params: EndingsParams, view: EndingsView, language: str) -> Described:
    t = translator(language)
    places = {t("Query"): params.query, t("One word"): params.one, t("Other word"): params.other}
    return [
        *([(t("Model"), params.model)] if params.model else []),
        (t("First text"), params.first),
        (t("Second text"), params.second),
        *((name, str(place)) for name, place in places.items() if place),
        (t("Special tokens"), specials_name(params.specials, t)),
        (t("Head"), t("layer {layer}, head {head}", layer=view.layer, head=view.head)),
    ]


def _describe_knock(params: KnockParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        *([(t("Model"), params.model)] if params.model else []),
        (t("Text"), params.text),
        *([(t("Query"), str(params.query))] if params.query else []),
        (t("Cut"), knock_words(params, t)),
    ]


ENDINGS_IDEA = Idea(
    name="context_endings",
    title=mark("Two endings of one sentence"),
    params=EndingsParams,
    view=EndingsView,
    run=ENDINGS,
    entries=(
        Entry(
            ENDINGS_FIGURE,
            mark("Where one token looks under both endings"),
            _with_head(endings_figure),
            ("layer", "head"),
            _check_head,
        ),
        Entry(
            TURNS,
            mark("Which heads turn from one word to the other"),
            _with_head(turns_figure),
            ("layer", "head"),
            _check_head,
        ),
        Entry(
            MOVEMENT,
            mark("How far each head's weights move"),
            _with_head(movement_figure),
            ("layer", "head"),
            _check_head,
        ),
    ),
    describe=_describe_endings,
)

KNOCK_IDEA = Idea(
    name="context_knock",
    title=mark("Weight and effect"),
    params=KnockParams,
    view=NoParams,
    run=KNOCK,
    entries=(
        Entry(
            KNOCK_FIGURE,
            mark("The weight of each key against the effect of cutting it"),
            lambda result, _view, style: knock_figure(result, style),
        ),
        Entry(
            KNOCK_BARS,
            mark("Weight and effect, key by key"),
            lambda result, _view, style: knock_bars_figure(result, style),
        ),
    ),
    describe=_describe_knock,
)

"""The figures of two endings of one sentence, and of keys that are cut out."""

from __future__ import annotations

from functools import partial

from engine.experiments.context.endings import EndingsParams, EndingsResult, compare_endings
from engine.experiments.context.knock import KnockParams, KnockResult, knock
from engine.experiments.context.study import Study, StudyParams
from pages.figures.context.endings import endings_figure
from pages.figures.context.endings_view import EndingsView
from pages.figures.context.knock import knock_figure
from pages.figures.context.knock_bars import knock_bars_figure
from pages.figures.context.movement import movement_figure
from pages.figures.context.turns import turns_figure
from pages.gallery.context_model import STUDY
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea, Listener, NoParams
from pages.text import mark, translator
from pages.text.context_knock import scope_name
from pages.text.context_names import head_name, specials_name

__all__ = ["ENDINGS", "ENDINGS_FIGURE", "ENDINGS_IDEA", "KNOCK", "KNOCK_BARS", "KNOCK_FIGURE",
           "KNOCK_IDEA", "MOVEMENT", "TURNS", "EndingsView"]  # fmt: skip

ENDINGS_FIGURE = "context-endings"
TURNS = "context-turns"
MOVEMENT = "context-movement"
KNOCK_FIGURE = "context-knock"
KNOCK_BARS = "context-knock-bars"


def _endings(params: EndingsParams, backend: str, progress: Listener | None) -> EndingsResult:
    kept = partial(_kept_study, backend=backend)
    return compare_endings(params, backend=backend, progress=progress, study=kept)


def _knock(params: KnockParams, backend: str, progress: Listener | None) -> KnockResult:
    kept = partial(_kept_study, backend=backend)
    return knock(params, backend=backend, progress=progress, study=kept)


def _kept_study(params: StudyParams, *, backend: str) -> Study:
    """Return the study of a text, which the figures of the model keep too."""
    return STUDY(params, backend)


ENDINGS: Kept[EndingsParams, EndingsResult] = Kept(_endings, 6)
KNOCK: Kept[KnockParams, KnockResult] = Kept(_knock, 12)


def _check_head(result: EndingsResult, view: EndingsView) -> None:
    view.at(result)


def _describe_endings(params: EndingsParams, view: EndingsView, language: str) -> Described:
    t = translator(language)
    places = {t("Query"): params.query, t("One word"): params.one, t("Other word"): params.other}
    return [
        *([(t("Model"), params.model)] if params.model else []),
        (t("First text"), params.first),
        (t("Second text"), params.second),
        *((name, str(place)) for name, place in places.items() if place),
        (t("Special tokens"), specials_name(params.specials, t)),
        (t("Head"), head_name(view.layer, view.head, t)),
    ]


def _describe_knock(params: KnockParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        *([(t("Model"), params.model)] if params.model else []),
        (t("Text"), params.text),
        *([(t("Query"), str(params.query))] if params.query else []),
        (t("Cut"), scope_name(params, t)),
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
            endings_figure,
            ("layer", "head"),
            _check_head,
        ),
        Entry(
            TURNS,
            mark("Which heads turn from one word to the other"),
            turns_figure,
            ("layer", "head"),
            _check_head,
        ),
        Entry(
            MOVEMENT,
            mark("How far each head's weights move"),
            movement_figure,
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

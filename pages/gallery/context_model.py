"""The figures of a real model's attention: every head, one of them, one token, its layers."""

from __future__ import annotations

from engine.experiments.context.study import Study, StudyParams, study
from pages.figures.context.arrows import arrows_figure
from pages.figures.context.distance import distance_figure
from pages.figures.context.head import head_figure
from pages.figures.context.heads import heads_figure
from pages.figures.context.look import look_at
from pages.figures.context.mean import mean_figure
from pages.figures.context.model_view import ModelView
from pages.figures.context.row import row_figure
from pages.figures.context.shares import shares_figure
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea
from pages.text import mark, translator
from pages.text.context_names import head_name, specials_name

__all__ = [
    "ARROWS",
    "DISTANCE",
    "HEAD",
    "HEADS",
    "MEAN",
    "MODEL_IDEA",
    "ROW",
    "SHARES",
    "STUDY",
    "ModelView",
]

HEADS = "context-heads"
HEAD = "context-head"
ARROWS = "context-arrows"
ROW = "context-row"
MEAN = "context-mean"
DISTANCE = "context-distance"
SHARES = "context-shares"

STUDY: Kept[StudyParams, Study] = Kept(
    lambda params, backend, progress: study(params, backend=backend, progress=progress), 4
)

_HEAD = ("layer", "head", "specials")
_TOKEN = ("layer", "head", "query", "specials")


def _check(result: Study, view: ModelView) -> None:
    look_at(result, view)


def _check_token(result: Study, view: ModelView) -> None:
    look_at(result, view).require_row()


def describe(params: StudyParams, view: ModelView, language: str) -> Described:
    """Return text, model, and what of its attention is shown."""
    t = translator(language)
    query = [(t("Query"), str(view.query))] if view.query else []
    return [
        *([(t("Model"), params.model)] if params.model else []),
        (t("Text"), params.text),
        (t("Head"), head_name(view.layer, view.head, t)),
        *query,
        (t("Special tokens"), specials_name(view.specials, t)),
    ]


MODEL_IDEA = Idea(
    name="context_model",
    title=mark("The attention of a real model"),
    params=StudyParams,
    view=ModelView,
    run=STUDY,
    entries=(
        Entry(HEADS, mark("Every head of the model, layer by layer"), heads_figure, _HEAD, _check),
        Entry(HEAD, mark("All the weights of one head"), head_figure, _TOKEN, _check),
        Entry(ARROWS, mark("Where each token looks in one head"), arrows_figure, _TOKEN, _check),
        Entry(ROW, mark("Where one token looks in one head"), row_figure, _TOKEN, _check_token),
        Entry(MEAN, mark("What the mean over heads hides"), mean_figure, _TOKEN, _check_token),
        Entry(DISTANCE, mark("How far each layer looks"), distance_figure, _HEAD, _check),
        Entry(
            SHARES,
            mark("Weight on the token itself and on special tokens"),
            shares_figure,
            _HEAD,
            _check,
        ),
    ),
    describe=describe,
)

"""The figures of a real model's attention: all of its heads, one of them, one token, its layers."""

from __future__ import annotations

from collections.abc import Callable

from engine.experiments.context.study import Study, StudyParams, study
from pages.figures.context.arrows import arrows_figure
from pages.figures.context.distance import distance_figure
from pages.figures.context.head import head_figure
from pages.figures.context.heads import heads_figure
from pages.figures.context.mean import mean_figure
from pages.figures.context.model_view import ModelView
from pages.figures.context.row import row_figure
from pages.figures.context.shares import shares_figure
from pages.figures.figure import Figure, Style
from pages.gallery.kept_results import Kept
from pages.gallery.model import Entry, Idea
from pages.text import mark

__all__ = ["ARROWS", "DISTANCE", "HEAD", "HEADS", "IDEA", "MEAN", "ROW", "SHARES", "STUDY",
           "ModelView"]  # fmt: skip

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

_Draw = Callable[[Study, ModelView, Style], Figure]
_FOCUS = ("layer", "head", "query", "specials")


IDEA = Idea(
    name="context_model",
    title=mark("The attention of a real model"),
    params=StudyParams,
    view=ModelView,
    run=STUDY,
    entries=(
        Entry(HEADS, mark("Every head of a model"), heads_figure, ("layer", "head", "specials")),
        Entry(HEAD, mark("The weights of one head"), head_figure, _FOCUS),
        Entry(ARROWS, mark("One head as arrows"), arrows_figure, _FOCUS),
        Entry(ROW, mark("Where one token looks"), row_figure, _FOCUS),
        Entry(MEAN, mark("What the mean over heads hides"), mean_figure, _FOCUS),
        Entry(
            DISTANCE,
            mark("How far each layer looks"),
            distance_figure,
            ("layer", "head", "specials"),
        ),
        Entry(
            SHARES,
            mark("Weight on oneself and on special tokens"),
            shares_figure,
            ("layer", "head", "specials"),
        ),
    ),
)

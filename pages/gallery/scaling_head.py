"""The figures of one head, scaled and not scaled: its gradients, its training, learning rates."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.scaling.inputs import require_count
from engine.experiments.scaling.reach import ReachParams, ReachResult, measure_reach
from engine.experiments.scaling.trainable import rates_to_try
from engine.experiments.scaling.training import (
    SweepResult,
    TrainingParams,
    TrainingResult,
    sweep,
    train,
)
from pages.figures.figure import Figure, Style
from pages.figures.scaling.gradient import Reached, jacobian_figure, norm_figure, reach_figure
from pages.figures.scaling.training import Curve, curve_figure, sweep_figure
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea, NoParams
from pages.text import Translator, mark, translator
from pages.text.scaling_sweep import rate_words
from pages.text.scaling_words import optimiser_words

NORM = "scaling-jacobian-norm"
JACOBIAN = "scaling-jacobian"
REACH = "scaling-gradients"
CURVE = "scaling-training"
SWEEP = "scaling-learning-rates"
CURVES: dict[str, str] = {
    "loss": mark("Loss"),
    "accuracy": mark("Accuracy"),
    "gradient": mark("Gradient norm"),
}
REACHED: dict[str, str] = {
    "projections": mark("W_Q and W_K"),
    "vectors": mark("q and k"),
}


@dataclass(frozen=True)
class ReachView:
    """What is looked at.

    Attributes
    ----------
    of : {"projections", "vectors"}
        Whose gradients: those of the projections, or of queries and keys.
    row : int
        Whose Jacobian: a row of the weights, 1 to T.
    """

    of: Reached = "projections"
    row: int = 1


@dataclass(frozen=True)
class CurveView:
    """Which curve of the training is looked at."""

    curve: Curve = "loss"


@dataclass(frozen=True)
class SweepParams(TrainingParams):
    """What is trained at every learning rate.

    Attributes
    ----------
    seeds : tuple of int
        Usually one, since a sweep is many trainings.
    rates : tuple of float
        1 to 20 different ones; none takes those of the optimiser.
    """

    seeds: tuple[int, ...] = (1,)
    rates: tuple[float, ...] = ()

    def tried(self) -> tuple[float, ...]:
        """Return the learning rates, rising; raises EngineError when they cannot be trained."""
        return rates_to_try(self, self.rates or None)


# They take a moment or seconds, so the last few of a process are kept.
REACH_RESULTS: Kept[ReachParams, ReachResult] = Kept(
    lambda params, backend, progress: measure_reach(params, backend=backend, progress=progress), 6
)
TRAINED: Kept[TrainingParams, TrainingResult] = Kept(
    lambda params, backend, progress: train(params, backend=backend, progress=progress), 4
)
SWEPT: Kept[SweepParams, SweepResult] = Kept(
    lambda params, backend, progress: sweep(
        params, params.rates or None, backend=backend, progress=progress
    ),
    4,
)


def _check_row(result: ReachResult, view: ReachView) -> None:
    require_count("row", view.row, 1, result.params.T)


def _reach(result: ReachResult, view: ReachView, style: Style) -> Figure:
    return reach_figure(result, style, view.of)


def _curve(result: TrainingResult, view: CurveView, style: Style) -> Figure:
    return curve_figure(result, style, view.curve)


def _describe_reach(params: ReachParams, view: ReachView, language: str) -> Described:
    t = translator(language)
    return [
        (t("Values of d_k"), t.listing(params.d_ks)),
        ("T", str(params.T)),
        (t("Heads"), str(params.repeats)),
        (t("Seed"), str(params.seed)),
        (t("Gradient of"), t(REACHED[view.of])),
        (t("Row of the Jacobian"), str(view.row)),
    ]


def _describe_training(params: TrainingParams, view: CurveView, language: str) -> Described:
    t = translator(language)
    rate = (t("Learning rate"), rate_words(params.rate))
    return [*_task(params, t), rate, (t("Shown"), t(CURVES[view.curve]))]


def _describe_sweep(params: SweepParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    rates = t.listing(map(rate_words, params.tried()))
    return [*_task(params, t), (t("Learning rates"), rates)]


def _task(params: TrainingParams, t: Translator) -> Described:
    return [
        ("d_k", f"{params.d_k:,}"),
        (t("Pairs, S"), str(params.pairs)),
        (t("Optimiser"), optimiser_words(params.optimiser)),
        (t("Steps"), f"{params.steps:,}"),
        (t("Examples a step"), str(params.batch)),
        (t("Seeds"), t.listing(params.seeds)),
    ]


REACH_IDEA = Idea(
    name="scaling_gradients",
    title=mark("Gradients"),
    params=ReachParams,
    view=ReachView,
    run=REACH_RESULTS,
    entries=(
        Entry(
            JACOBIAN,
            mark("The Jacobian of softmax, scaled and unscaled"),
            lambda result, view, style: jacobian_figure(result, style, view.row),
            ("row",),
            _check_row,
        ),
        Entry(
            NORM,
            mark("The norm of the Jacobian against d_k, scaled and unscaled"),
            lambda result, _view, style: norm_figure(result, style),
        ),
        Entry(REACH, mark("Gradients at the start, scaled and unscaled"), _reach, ("of",)),
    ),
    describe=_describe_reach,
)

TRAINING_IDEA = Idea(
    name="scaling_training",
    title=mark("Training, scaled and unscaled"),
    params=TrainingParams,
    view=CurveView,
    run=TRAINED,
    entries=(
        Entry(
            CURVE,
            mark("Training one head to recall, scaled and unscaled"),
            _curve,
            ("curve",),
        ),
    ),
    describe=_describe_training,
)

SWEEP_IDEA = Idea(
    name="scaling_sweep",
    title=mark("Learning rates, scaled and unscaled"),
    params=SweepParams,
    view=NoParams,
    run=SWEPT,
    entries=(
        Entry(
            SWEEP,
            mark("Loss at every learning rate, scaled and unscaled"),
            lambda result, _view, style: sweep_figure(result, style),
        ),
    ),
    fixed=("rate",),  # a sweep has a list of them
    describe=_describe_sweep,
)

"""The figures of the square root of d_k: variance, saturation, gradients, training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.backends import get_backend
from engine.errors import OptionError
from engine.experiments.scaling.reach import ReachParams, ReachResult, measure_reach
from engine.experiments.scaling.saturation import (
    TABLE,
    Pair,
    SaturationParams,
    SaturationResult,
    measure_saturation,
    pair_of,
)
from engine.experiments.scaling.training import (
    SweepResult,
    TrainingParams,
    TrainingResult,
    sweep,
    train,
)
from engine.experiments.scaling.variance import Params, Result, run
from pages.figures.figure import Figure, Style
from pages.figures.scaling.gradient import Reached, jacobian_figure, reach_figure
from pages.figures.scaling.saturation import (
    Measure,
    pair_figure,
    saturation_figure,
    saturation_table_figure,
)
from pages.figures.scaling.training import Curve, curve_figure, sweep_figure
from pages.figures.scaling.variance import (
    deviation_figure,
    distribution_figure,
    kurtosis_figure,
)
from pages.gallery.model import Entry, Idea, NoParams
from pages.text import mark

DISTRIBUTION = "scaling-distribution"
DEVIATION = "scaling-deviation"
KURTOSIS = "scaling-kurtosis"
SATURATION = "scaling-saturation"
SATURATION_TABLE = "scaling-saturation-table"
PAIR = "scaling-pair"
JACOBIAN = "scaling-jacobian"
REACH = "scaling-gradients"
CURVE = "scaling-training"
SWEEP = "scaling-learning-rates"


@dataclass(frozen=True)
class WidthView:
    """Whose distribution is looked at: one of the widths that were drawn; None is `usual_width`."""

    d_k: int | None = None


@dataclass(frozen=True)
class MeasureView:
    """Which measure of saturation is looked at."""

    measure: Measure = "largest"


@dataclass(frozen=True)
class CurveView:
    """Which curve of the training is looked at."""

    curve: Curve = "loss"


@dataclass(frozen=True)
class PairParams:
    """Two scores and the temperature that divides them."""

    first: float = 5.0
    second: float = 4.0
    temperature: float = 1.0


@dataclass(frozen=True)
class ReachView:
    """Which gradients are looked at: those of the projections, or of queries and keys."""

    of: Reached = "projections"


@dataclass(frozen=True)
class SweepParams(TrainingParams):
    """What is trained at every learning rate: usually one seed, since a sweep is six trainings."""

    seeds: tuple[int, ...] = (1,)


def _check_width(result: Result, view: WidthView) -> None:
    have = [width.d_k for width in result.widths]
    if view.d_k is not None and view.d_k not in have:
        raise OptionError(
            "{name} must be one of {allowed}, got {value}.",
            name="d_k",
            allowed=", ".join(map(str, have)),
            value=view.d_k,
        )


def _distribution(result: Result, view: WidthView, style: Style) -> Figure:
    have = [width.d_k for width in result.widths]
    return distribution_figure(result, style, usual_width(have, view.d_k))


def usual_width(have: Sequence[int], wanted: int | None = None) -> int:
    """Return the wanted width if it is there, else the text's first one, else the largest.

    At the text's first one both distributions can be seen side by side; at a large one the
    divided is a needle.
    """
    return next((d_k for d_k in (wanted, TABLE[0]) if d_k in have and d_k), have[-1])


def _saturation(result: SaturationResult, view: MeasureView, style: Style) -> Figure:
    return saturation_figure(result, style, view.measure)


def _pair(params: PairParams, _backend: str | None) -> Pair:
    return pair_of((params.first, params.second), params.temperature)


def _curve(result: TrainingResult, view: CurveView, style: Style) -> Figure:
    return curve_figure(result, style, view.curve)


def _reach(result: ReachResult, view: ReachView, style: Style) -> Figure:
    return reach_figure(result, style, view.of)


def trained(params: TrainingParams, backend: str | None) -> TrainingResult:
    """Return a training to its end; it takes seconds, so the last few of a process are kept."""
    return _trained(params, get_backend(backend).name)


def swept(params: SweepParams, backend: str | None) -> SweepResult:
    """Return a sweep to its end; the last few of a process are kept."""
    return _swept(params, get_backend(backend).name)


@lru_cache(maxsize=2)
def _trained(params: TrainingParams, backend: str) -> TrainingResult:
    return train(params, backend=backend)


@lru_cache(maxsize=2)
def _swept(params: SweepParams, backend: str) -> SweepResult:
    return sweep(params, backend=backend)


VARIANCE_IDEA = Idea(
    name="scaling",
    title=mark("Variance of dot products"),
    params=Params,
    view=WidthView,
    run=lambda params, backend: run(params, backend=backend),
    entries=(
        Entry(
            DISTRIBUTION,
            mark("Dot products before and after the division by √d_k"),
            _distribution,
            ("d_k",),
            _check_width,
        ),
        Entry(
            DEVIATION,
            mark("Dot products spread like √d_k"),
            lambda result, _view, style: deviation_figure(result, style),
        ),
        Entry(
            KURTOSIS,
            mark("How normal the dot products are"),
            lambda result, _view, style: kurtosis_figure(result, style),
        ),
    ),
)

SATURATION_IDEA = Idea(
    name="scaling_saturation",
    title=mark("Saturation of softmax"),
    params=SaturationParams,
    view=MeasureView,
    run=lambda params, backend: measure_saturation(params, backend=backend),
    entries=(
        Entry(SATURATION, mark("Softmax saturates as d_k grows"), _saturation, ("measure",)),
        Entry(
            SATURATION_TABLE,
            mark("Four widths: what the text says, and what is measured"),
            lambda result, _view, style: saturation_table_figure(result, style),
        ),
    ),
)

PAIR_IDEA = Idea(
    name="scaling_pair",
    title=mark("Two scores and a temperature"),
    params=PairParams,
    view=NoParams,
    run=_pair,
    entries=(
        Entry(
            PAIR,
            mark("Two scores under a temperature"),
            lambda result, _view, style: pair_figure(result, style),
        ),
    ),
)

REACH_IDEA = Idea(
    name="scaling_gradients",
    title=mark("Gradients"),
    params=ReachParams,
    view=ReachView,
    run=lambda params, backend: measure_reach(params, backend=backend),
    entries=(
        Entry(
            JACOBIAN,
            mark("The Jacobian of softmax, scaled and not scaled"),
            lambda result, _view, style: jacobian_figure(result, style),
        ),
        Entry(
            REACH,
            mark("How much gradient reaches queries, keys and projections"),
            _reach,
            ("of",),
        ),
    ),
)

TRAINING_IDEA = Idea(
    name="scaling_training",
    title=mark("Training, scaled and not scaled"),
    params=TrainingParams,
    view=CurveView,
    run=trained,
    entries=(
        Entry(CURVE, mark("One head learns to recall, scaled and not scaled"), _curve, ("curve",)),
    ),
)

SWEEP_IDEA = Idea(
    name="scaling_sweep",
    title=mark("Learning rates, scaled and not scaled"),
    params=SweepParams,
    view=NoParams,
    run=swept,
    entries=(
        Entry(
            SWEEP,
            mark("No learning rate makes up for the missing division"),
            lambda result, _view, style: sweep_figure(result, style),
        ),
    ),
)

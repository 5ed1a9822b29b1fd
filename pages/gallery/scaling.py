"""The figures of dot products that grow with d_k, and of what softmax makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.scaling.saturation import (
    TABLE,
    Pair,
    SaturationParams,
    SaturationResult,
    measure_saturation,
    pair_of,
)
from engine.experiments.scaling.variance import Params, Result, run
from pages.figures.figure import Figure, Style
from pages.figures.numerals import number_in_full
from pages.figures.scaling.saturation import (
    Measure,
    pair_figure,
    saturation_figure,
    saturation_table_figure,
)
from pages.figures.scaling.variance import (
    deviation_figure,
    distribution_figure,
    kurtosis_figure,
    sampling_error_figure,
)
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea, NoParams
from pages.text import mark, translator
from pages.text.scaling_words import distribution_words, measure_words

DISTRIBUTION = "scaling-distribution"
DEVIATION = "scaling-deviation"
SAMPLING_ERROR = "scaling-sampling-error"
KURTOSIS = "scaling-kurtosis"
SATURATION = "scaling-saturation"
SATURATION_TABLE = "scaling-saturation-table"
PAIR = "scaling-pair"

# They take a moment, and pages, files and the ledger of claims show the same usual ones.
SPREAD_RESULTS: Kept[Params, Result] = Kept(
    lambda params, backend, progress: run(params, backend=backend, progress=progress), 6
)
SATURATION_RESULTS: Kept[SaturationParams, SaturationResult] = Kept(
    lambda params, backend, progress: measure_saturation(
        params, backend=backend, progress=progress
    ),
    6,
)


@dataclass(frozen=True)
class WidthView:
    """Whose distribution is looked at: one of the widths that were drawn; None is `usual_width`."""

    d_k: int | None = None


@dataclass(frozen=True)
class MeasureView:
    """Which measure of saturation is looked at."""

    measure: Measure = "largest"


@dataclass(frozen=True)
class PairParams:
    """Two scores and the temperature that divides them."""

    first: float = 5.0
    second: float = 4.0
    temperature: float = 1.0


def usual_width(have: Sequence[int], wanted: int | None = None) -> int:
    """Return the wanted width if it is there, else the text's first one, else the largest.

    At the text's first one both distributions can be seen side by side; at a large one the
    divided is a needle.
    """
    return next((d_k for d_k in (wanted, TABLE[0]) if d_k in have and d_k), have[-1])


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


def _saturation(result: SaturationResult, view: MeasureView, style: Style) -> Figure:
    return saturation_figure(result, style, view.measure)


def _describe_variance(params: Params, view: WidthView, language: str) -> Described:
    t = translator(language)
    broken = {
        t("Standard deviation of the components"): params.sigma,
        t("Mean"): params.mean,
        t("Correlation"): params.correlation,
    }
    assumed = [] if params.assumed else [(n, number_in_full(v)) for n, v in broken.items()]
    shown = view.d_k and [(t("Distribution shown at d_k"), f"{view.d_k:,}")]
    return [
        (t("Values of d_k"), t.listing(params.d_ks)),
        (t("Samples, N"), f"{params.samples:,}"),
        (t("Components of q and k"), distribution_words(params.distribution, t)),
        *assumed,
        (t("Seed"), str(params.seed)),
        *(shown or []),
    ]


def _describe_saturation(params: SaturationParams, view: MeasureView, language: str) -> Described:
    t = translator(language)
    return [
        (t("Values of d_k"), t.listing(params.d_ks)),
        (t("Keys, S"), f"{params.keys:,}"),
        (t("Queries"), f"{params.samples:,}"),
        (t("Own exponent c of d_k"), number_in_full(params.exponent)),
        (t("Seed"), str(params.seed)),
        (t("Shown"), measure_words(view.measure, t)),
    ]


def _describe_pair(params: PairParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    scores = map(number_in_full, (params.first, params.second))
    return [
        (t("Two scores"), t.listing(scores)),
        (t("Temperature"), number_in_full(params.temperature)),
    ]


def _pair(params: PairParams) -> Pair:
    return pair_of((params.first, params.second), params.temperature)


VARIANCE_IDEA = Idea(
    name="scaling",
    title=mark("Variance of dot products"),
    params=Params,
    view=WidthView,
    run=SPREAD_RESULTS,
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
            mark("The spread of dot products against d_k"),
            lambda result, _view, style: deviation_figure(result, style),
        ),
        Entry(
            SAMPLING_ERROR,
            mark("Measured deviations and their sampling error"),
            lambda result, _view, style: sampling_error_figure(result, style),
        ),
        Entry(
            KURTOSIS,
            mark("How normal the dot products are"),
            lambda result, _view, style: kurtosis_figure(result, style),
        ),
    ),
    describe=_describe_variance,
)

SATURATION_IDEA = Idea(
    name="scaling_saturation",
    title=mark("Saturation of softmax"),
    params=SaturationParams,
    view=MeasureView,
    run=SATURATION_RESULTS,
    entries=(
        Entry(SATURATION, mark("Saturation of softmax against d_k"), _saturation, ("measure",)),
        Entry(
            SATURATION_TABLE,
            mark("Four widths: what the text says, and what is measured"),
            lambda result, _view, style: saturation_table_figure(result, style),
        ),
    ),
    describe=_describe_saturation,
)

PAIR_IDEA = Idea(
    name="scaling_pair",
    title=mark("Two scores and a temperature"),
    params=PairParams,
    view=NoParams,
    run=lambda params, _backend, _progress: _pair(params),
    backend="numpy",
    entries=(
        Entry(
            PAIR,
            mark("Two scores under a temperature"),
            lambda result, _view, style: pair_figure(result, style),
        ),
    ),
    describe=_describe_pair,
)

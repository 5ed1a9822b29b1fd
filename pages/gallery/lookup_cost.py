"""The figures of what scores cost, timed on the machine that draws them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.lookup import cost
from engine.experiments.lookup.cost import CostParams, CostResult
from pages.figures.figure import Figure, Style
from pages.figures.lookup.cost import Against, cost_ratio_figure, cost_time_figure
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea
from pages.text import mark, translator

COST_TIME = "lookup-cost-time"
COST_RATIO = "lookup-cost-ratio"


@dataclass(frozen=True)
class CostView:
    """What the times are drawn against."""

    against: Against = "d_k"


# It takes seconds, and both figures of a file show the same measurement.
COST: Kept[CostParams, CostResult] = Kept(
    lambda params, backend, progress: cost.run(params, backend=backend, progress=progress), 4
)


def _time(result: CostResult, view: CostView, style: Style) -> Figure:
    return cost_time_figure(result, style, view.against)


def _ratio(result: CostResult, view: CostView, style: Style) -> Figure:
    return cost_ratio_figure(result, style, view.against)


def _describe(params: CostParams, view: CostView, language: str) -> Described:
    t = translator(language)
    return [
        (t("Values of T"), t.listing(f"{T:,}" for T in sorted(params.Ts))),
        (t("Values of d_k"), t.listing(sorted(params.d_ks))),
        (t("T of the widths"), f"{params.T:,}"),
        (t("d_k of the lengths"), str(params.d_k)),
        (t("Repeats"), str(params.repeats)),
        (t("Seed"), str(params.seed)),
        (t("Shown against"), view.against),
    ]


COST_IDEA = Idea(
    name="lookup_cost",
    title=mark("The cost of scores, measured"),
    params=CostParams,
    view=CostView,
    run=COST,
    entries=(
        Entry(COST_TIME, mark("Time of additive scores and of dot products"), _time, ("against",)),
        Entry(
            COST_RATIO,
            mark("How many times as long additive scores take"),
            _ratio,
            ("against",),
        ),
    ),
    describe=_describe,
)

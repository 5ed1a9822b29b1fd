"""What the reader chose on this page, and the parameters that follow from it."""

from __future__ import annotations

from typing import Any, cast, get_args

from engine import EngineError
from engine.experiments.scaling.inputs import widths_of
from engine.experiments.scaling.reach import LEAST_T, MOST_T, ReachParams, ReachResult
from engine.experiments.scaling.saturation import SaturationParams
from engine.experiments.scaling.trainable import LEAST_PAIRS, MOST_PAIRS
from engine.experiments.scaling.training import TrainingParams
from engine.experiments.scaling.variance import Params, Result
from engine.experiments.whole_number import is_whole
from pages.figures.scaling.gradient import Reached
from pages.figures.scaling.saturation import Measure
from pages.figures.scaling.training import Curve
from pages.gallery.scaling import MeasureView, PairParams, usual_width
from pages.gallery.scaling_head import CurveView, ReachView, SweepParams
from pages.text import mark
from pages.ui.choice_store import ChoiceStore
from pages.ui.number_lists import different, numbers_of, reals_of, text_of

PAGE = "sqrt-dk"
TABS = {
    "variance": mark("Variance"),
    "saturation": mark("Saturation"),
    "gradient": mark("Gradient"),
    "training": mark("Training"),
    "rates": mark("Learning rates"),
}
MEASURES: tuple[Measure, ...] = get_args(Measure)
REACHED: tuple[Reached, ...] = get_args(Reached)
CURVES: tuple[Curve, ...] = ("accuracy", "gradient")  # beside the loss
_DRAWN, _ROWS, _HEAD, _LESSONS = Params(), SaturationParams(), ReachParams(), TrainingParams()
_SWEEP, _PAIR = SweepParams(), PairParams()

STORE = ChoiceStore(
    "scaling",
    {
        "tab": "variance",
        "d_ks": text_of(_DRAWN.d_ks),
        "seed": _DRAWN.seed,
        "samples": _DRAWN.samples,
        "distribution": _DRAWN.distribution,
        "sigma": _DRAWN.sigma,
        "mean": _DRAWN.mean,
        "correlation": _DRAWN.correlation,
        "width": 0,  # whose distribution is shown; 0 is the figure's own choice
        "keys": _ROWS.keys,
        "queries": _ROWS.samples,
        "exponent": _ROWS.exponent,
        "measure": MeasureView().measure,
        "first": _PAIR.first,
        "second": _PAIR.second,
        "temperature": _PAIR.temperature,
        "head_d_ks": text_of(_HEAD.d_ks),
        "T": _HEAD.T,
        "repeats": _HEAD.repeats,
        "reached": ReachView().of,
        "row": ReachView().row,
        "d_k": _LESSONS.d_k,
        "pairs": _LESSONS.pairs,
        "optimiser": _LESSONS.optimiser,
        "rate": _LESSONS.rate,
        "steps": _LESSONS.steps,
        "seeds": text_of(_LESSONS.seeds),
        "curve": "accuracy",  # beside the loss
        "sweep_seeds": text_of(_SWEEP.seeds),
        "rates": "",  # those of the optimiser
    },
)
key, get, word, put = STORE.key, STORE.get, STORE.word, STORE.put


def _fields(*names: str) -> dict[str, Any]:
    """Return choices by name, as `_field` does each."""
    return {name: STORE.field(name) for name in names}


def variance_params() -> Params:
    """Return what is drawn; raises EngineError when the list of d_k is none."""
    names = ("samples", "distribution", "sigma", "mean", "correlation", "seed")
    return Params(d_ks=different(numbers_of(word("d_ks"))), **_fields(*names))


def saturation_params() -> SaturationParams:
    """Return the queries and keys; raises EngineError when the list of d_k is none."""
    return SaturationParams(
        d_ks=different(numbers_of(word("d_ks"))),
        samples=STORE.field("queries"),
        **_fields("keys", "exponent", "seed"),
    )


def pair_params() -> PairParams:
    """Return two scores and their temperature."""
    return PairParams(**_fields("first", "second", "temperature"))


def reach_params() -> ReachParams:
    """Return the head at its start; raises EngineError when the list of d_k is none."""
    return ReachParams(
        d_ks=different(numbers_of(word("head_d_ks"))), **_fields("T", "repeats", "seed")
    )


def reach_view(result: ReachResult) -> ReachView:
    """Return whose gradients and which row are shown; a row that is not there gives way."""
    of = next(each for each in REACHED if each == get("reached"))
    row = cast(int, get("row"))
    return ReachView(of, row if row <= result.params.T else ReachView().row)


def training_params() -> TrainingParams:
    """Return what is trained; raises EngineError when the list of seeds is none."""
    names = ("d_k", "pairs", "optimiser", "rate", "steps")
    return TrainingParams(seeds=numbers_of(word("seeds")), **_fields(*names))


def sweep_params() -> SweepParams:
    """Return what is trained at every rate; raises EngineError when a list is none."""
    names = ("d_k", "pairs", "optimiser", "steps")
    return SweepParams(
        seeds=numbers_of(word("sweep_seeds")),
        rates=tuple(sorted(set(reals_of(word("rates"))))),
        **_fields(*names),
    )


def pairs() -> int:
    """Return how many pairs are to be learned, or the usual number while none can be read."""
    chosen = get("pairs")
    return cast(int, chosen) if is_whole(chosen, LEAST_PAIRS, MOST_PAIRS) else _LESSONS.pairs


def shown_width(result: Result) -> int:
    """Return whose distribution is shown: the reader's choice, where it was drawn."""
    return usual_width([width.d_k for width in result.widths], cast(int, get("width")))


def listed_widths() -> list[int]:
    """Return the values of d_k that are listed, rising; none while the list cannot be computed."""
    try:
        return list(widths_of(numbers_of(word("d_ks"))))
    except EngineError:  # said where the result is computed
        return []


def listed_rows() -> list[int]:
    """Return the rows of the weights of a head; none while their number cannot be read."""
    T = get("T")
    return list(range(1, cast(int, T) + 1)) if is_whole(T, LEAST_T, MOST_T) else []


def curve_view(curve: object) -> CurveView:
    """Return the view of one curve of a training."""
    return CurveView(cast(Curve, curve))


# Callbacks -----------------------------------------------------------------------------------

OF_TAB: dict[str, tuple[str, ...]] = {
    "variance": ("d_ks", "samples", "distribution", "sigma", "mean", "correlation", "seed"),
    "saturation": ("d_ks", "keys", "queries", "exponent", "seed"),
    "gradient": ("head_d_ks", "T", "repeats", "row", "seed"),
    "training": ("d_k", "pairs", "optimiser", "rate", "steps", "seeds"),
    "rates": (),
}


def show_usual(tab: str, **chosen: object) -> None:
    """Go to a tab with its usual input and some choices of its own."""
    STORE.put_usual(*OF_TAB[tab], tab=tab, **chosen)

"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab.

The numbers are those of the usual values of each tab, whatever is chosen; a button shows them.
"""

from __future__ import annotations

import math
from functools import lru_cache

from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.reach import ReachParams
from engine.experiments.scaling.saturation import TABLE, Rule, SaturationParams
from engine.experiments.scaling.training import Measure, TrainingResult
from engine.experiments.scaling.variance import Params
from engine.experiments.scaling.verdict import final_losses, outcome_of
from pages.figures.numerals import measured_number, number
from pages.gallery.scaling import SATURATION_RESULTS, SPREAD_RESULTS
from pages.gallery.scaling_head import REACH_RESULTS
from pages.text import Translator, mark
from pages.text.scaling_readings import percent, with_error
from pages.text.scaling_training import range_words
from pages.ui import settings
from pages.ui.checked import Checked, Judgement, Place
from pages.ui.maths import typeset
from pages.ui.scaling import gradient, state, training

DIGITS = 3
PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the usual values; a button shows them where they stand."),
    state.show_usual,
    typeset,
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims; what those of other tabs need is computed once they are unfolded."""
    PLACE.draw(CLAIMS, tab, t)


@lru_cache(maxsize=4)
def of_variance(backend: str) -> dict[str, object]:
    """Return how far dot products spread at the widths of the text's table."""
    result = SPREAD_RESULTS(Params(), backend)
    found = {width.d_k: measured_number(width.deviation, 2) for width in result.widths}
    return {
        "exponent": with_error(result.exponent or math.nan, result.exponent_error or math.nan),
        "d_ks": _listing(map(str, TABLE)),
        "deviations": _listing(found[d_k] for d_k in TABLE),
    }


def of_pairs(_backend: str) -> dict[str, object]:
    """Return the weights of both pairs."""
    near, far = pair_of((5.0, 4.0)).weights, pair_of((50.0, 40.0)).weights
    return {
        "near": _listing(number(float(weight), 5) for weight in near),
        "far": _listing(number(float(weight), 7) for weight in far),
    }


@lru_cache(maxsize=4)
def of_saturation(backend: str) -> dict[str, object]:
    """Return what softmax does at the widths of the text's table."""
    result = SATURATION_RESULTS(SaturationParams(), backend)

    unscaled = [result.found[d_k, "unscaled"] for d_k in TABLE]

    def row(rule: Rule, measure: str, decimals: int) -> str:
        values = (getattr(result.found[d_k, rule], measure) for d_k in TABLE)
        return _listing(number(float(value), decimals) for value in values)

    return {
        "d_ks": _listing(map(str, TABLE)),
        "keys": result.params.keys,
        "largest": row("unscaled", "largest", 3),
        "effective": row("unscaled", "effective", 2),
        "saturated": _listing(percent(each.saturated) for each in unscaled),
        "scaled": row("sqrt", "largest", 3),
        "scaled_effective": row("sqrt", "effective", 1),
    }


@lru_cache(maxsize=4)
def of_norms(backend: str) -> dict[str, object]:
    """Return the mean norms of the Jacobian in heads as wide as those of the text's table."""
    result = REACH_RESULTS(ReachParams(), backend)
    d_ks = [d_k for d_k in TABLE if d_k in result.params.d_ks]
    norms = {
        way: _listing(number(result.found[d_k, way].norm[0], 3) for d_k in d_ks)
        for way in (False, True)
    }
    return {
        "d_ks": _listing(map(str, d_ks)),
        "norms": norms[False],
        "scaled_norms": norms[True],
    }


@lru_cache(maxsize=4)
def of_training(backend: str) -> dict[str, object]:
    """Return what training comes to, and the gradient of W_Q at its start."""
    result = training.usual()
    reach = REACH_RESULTS(ReachParams(), backend)
    values: dict[str, object] = {
        f"{way}_{measure}": _final(result, measure, scaled=way == "scaled")
        for way in ("scaled", "unscaled")
        for measure in MEASURES
    }
    return values | {
        "d_k": f"{result.params.d_k:,}",
        "steps": f"{result.params.steps:,}",
        "seeds": len(result.params.seeds),
        "guess": number(math.log(result.params.pairs), DIGITS),
        "ratio": with_error(*gradient.ratio_of(reach)),
        "reach_d_k": f"{gradient.largest(reach):,}",
        "trainer": settings.BACKEND_TITLES[result.backend_name],
        "backend": settings.BACKEND_TITLES[backend],
    }


def _final(result: TrainingResult, measure: Measure, *, scaled: bool) -> str:
    finals = result.finals(measure, scaled=scaled)
    return range_words(finals, measure) if finals else "–"


def stalls(backend: str) -> Judgement:
    """Return whether training stalls without the division, and what is measured of it."""
    reach = REACH_RESULTS(ReachParams(), backend)
    verdict, said = stalls_in(training.usual(), gradient.ratio_of(reach))
    return verdict, said if backend == training.REFERENCE else (*said, _TRAINED_ELSEWHERE)


def stalls_in(result: TrainingResult, ratio: tuple[float, float]) -> Judgement:
    """Return verdict and sentences for a training, and for a ratio of gradients with its error."""
    course = _course_of(result)
    verdict = {"stalls": "confirmed", "learns": "wrong"}.get(course, "qualified")
    larger = ratio[0] - gradient.SURE * ratio[1] > 1
    if course == "stalls" and larger:
        return "qualified", (_COURSES[course], _YET)
    return verdict, (_COURSES[course], _AT_THE_START)


def _course_of(result: TrainingResult) -> str:
    unscaled, scaled = (final_losses(result, scaled=way) for way in (False, True))
    if unscaled is None or scaled is None:
        return "open"
    outcome = outcome_of(unscaled, scaled)
    if outcome == "scaled":
        return "stalls" if unscaled.standing == "guessing" else "behind"
    return "learns" if unscaled.standing == "learned" else "open"


MEASURES: tuple[Measure, ...] = ("loss", "accuracy")
_COURSES = {
    "stalls": mark(
        "In this task it does, within {steps} steps at d_k = {d_k}: over their last "
        "tenth, lowest to highest of {seeds} seeds, the accuracy is {unscaled_accuracy} without "
        "the division and {scaled_accuracy} with it, the loss {unscaled_loss} and {scaled_loss}; "
        "guessing has {guess}."
    ),
    "behind": mark(
        "In this task it falls behind, within {steps} steps at d_k = {d_k}: over their last "
        "tenth, lowest to highest of {seeds} seeds, the accuracy is {unscaled_accuracy} without "
        "the division and {scaled_accuracy} with it, the loss {unscaled_loss} and {scaled_loss}; "
        "guessing has {guess}."
    ),
    "learns": mark(
        "In this task it does not, within {steps} steps at d_k = {d_k}: over their last "
        "tenth, lowest to highest of {seeds} seeds, the accuracy is {unscaled_accuracy} without "
        "the division and {scaled_accuracy} with it, the loss {unscaled_loss} and {scaled_loss}; "
        "guessing has {guess}."
    ),
    "open": mark(
        "This task does not decide it within {steps} steps at d_k = {d_k}: over their last "
        "tenth, lowest to highest of {seeds} seeds, the accuracy is {unscaled_accuracy} without "
        "the division and {scaled_accuracy} with it, the loss {unscaled_loss} and {scaled_loss}; "
        "guessing has {guess}."
    ),
}
_YET = mark(
    "Yet at the start of a head of random weights, at d_k = {reach_d_k}, the gradient of W_Q is "
    "{ratio} times as large without it (standard error), so a vanishing gradient is not the whole "
    "story."
)
_AT_THE_START = mark(
    "At the start of a head of random weights, at d_k = {reach_d_k}, the gradient of W_Q is "
    "{ratio} times as large without it (standard error)."
)
_TRAINED_ELSEWHERE = mark("Trained with {trainer}; the gradient at the start is from {backend}.")


def _listing(values: object) -> str:
    return ", ".join(values)  # type: ignore[arg-type]


CLAIMS = (
    Checked(
        1,
        mark("“The variance of q·k is d_k.”"),
        (
            mark(
                "Deviations {deviations} at d_k = {d_ks}; they grow like d_k to the power "
                "{exponent}, and 0.5 is claimed."
            ),
        ),
        "confirmed",
        "variance",
        of_variance,
    ),
    Checked(
        2,
        mark("“softmax(5, 4) = (0.73, 0.27), softmax(50, 40) = (0.99995, 0.00005).”"),
        (mark("Computed: ({near}) and ({far})."),),
        "confirmed",
        "saturation",
        of_pairs,
        {"first": 50.0, "second": 40.0, "temperature": 1.0},
    ),
    Checked(
        3,
        mark(
            "“Unscaled, softmax is slightly sharp but learnable at d_k = 16, nearly saturated at "
            "64, severely saturated at 256, fully saturated and useless at 1,024.”"
        ),
        (
            mark(
                "{keys} keys, d_k = {d_ks}: mean largest weight {largest}; effective keys "
                "{effective}; rows over 0.99: {saturated}."
            ),
            mark("Divided by √d_k: {scaled}; effective keys {scaled_effective}."),
        ),
        "quantified",
        "saturation",
        of_saturation,
        {"measure": "largest"},
    ),
    Checked(
        4,
        mark("“Saturation drives the Jacobian of softmax to zero.”"),
        (
            mark(
                "Its mean Frobenius norm at d_k = {d_ks}: {norms} unscaled, {scaled_norms} scaled."
            ),
        ),
        "confirmed",
        "gradient",
        of_norms,
    ),
    Checked(
        5,
        mark("“So without the division training stalls.”"),
        (),  # as `stalls` judges
        "",
        "training",
        of_training,
        judge=stalls,
    ),
)

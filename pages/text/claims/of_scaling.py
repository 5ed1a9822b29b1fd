"""The words of claims 1 to 5: from the variance of dot products to training."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import get_args

from engine.experiments.claims.deciding import SURE, case_of
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_scaling import (
    CLAIMED_EXPONENT,
    FACTOR,
    FARTHEST,
    MEASURES,
    TIGHT,
    Course,
)
from engine.experiments.scaling.training import Measure
from engine.experiments.scaling.verdict import MARGIN
from pages.figures.numerals import measured_number, number
from pages.text import Translator, mark
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import BACKENDS, real, reals, text, whole, wholes
from pages.text.scaling_readings import percent, with_error
from pages.text.scaling_training import range_words

DIGITS = 3
NOTHING = "–"


def _listing(values: Iterable[object]) -> str:
    """Return numbers in a row, separated as in mathematics in every language."""
    return ", ".join(map(str, values))


def _row(finding: Finding, name: str, decimals: int) -> str:
    return _listing(number(value, decimals) for value in reals(finding, name))


def _ends(finding: Finding, name: str, decimals: int) -> str:
    """Return the first and the last of numbers in a row, of the least and the greatest width."""
    first, *_, last = (number(value, decimals) for value in reals(finding, name))
    return f"{first} → {last}"


# Variance -------------------------------------------------------------------------------------

_SPREAD = mark(
    "Deviations {deviations} at d_k = {d_ks}; they grow like d_k to the power {exponent}, and 0.5 "
    "is claimed."
)


def _variance(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "exponent": with_error(real(finding, "exponent"), real(finding, "error")),
        "d_ks": _listing(wholes(finding, "d_ks")),
        "deviations": _listing(measured_number(each, 2) for each in reals(finding, "deviations")),
        "farthest": number(real(finding, "farthest"), 1),
    }


VARIANCE = ClaimWords(
    1,
    mark("“The variance of q·k is d_k.”"),
    mark("The variance of q·k is d_k"),
    {
        "": (_SPREAD,),
        FACTOR: (
            _SPREAD,
            mark("Yet one of them is {farthest} of its standard errors off √d_k."),
        ),
    },
    _variance,
    mark(
        "Confirmed where the exponent of the deviations lies within {sure} standard errors of "
        "{claimed}, and no deviation is more than {farthest} of its standard errors off √d_k; "
        "qualified where one is; wrong where the exponent is another; not decided where its "
        "standard error is above {tight}."
    ),
    {
        "sure": number(SURE, 0),
        "claimed": CLAIMED_EXPONENT,
        "farthest": number(FARTHEST, 0),
        "tight": TIGHT,
    },
    lambda finding, t: t("exponent of the deviation {exponent}", **_variance(finding, t)),
)

# Two scores -----------------------------------------------------------------------------------


def _pairs(finding: Finding, _t: Translator) -> dict[str, object]:
    return {"near": _row(finding, "near", 5), "far": _row(finding, "far", 7)}


def _pairs_measured(finding: Finding, t: Translator) -> str:
    """Return the second pair, which the page shows."""
    return "softmax(50, 40) = ({far})".format(**_pairs(finding, t))


PAIRS = ClaimWords(
    2,
    mark("“softmax(5, 4) = (0.73, 0.27), softmax(50, 40) = (0.99995, 0.00005).”"),
    mark("softmax(5, 4) = (0.73, 0.27), softmax(50, 40) = (0.99995, 0.00005)"),
    {"": (mark("Computed: ({near}) and ({far})."),)},
    _pairs,
    mark("Confirmed where every weight rounds to the digits that are printed; else wrong."),
    measured=_pairs_measured,
)

# Saturation -----------------------------------------------------------------------------------


def _saturation(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "d_ks": _listing(wholes(finding, "d_ks")),
        "keys": whole(finding, "keys"),
        "largest": _row(finding, "largest", 3),
        "effective": _row(finding, "effective", 2),
        "saturated": _listing(map(percent, reals(finding, "saturated"))),
        "scaled": _row(finding, "scaled", 3),
        "scaled_effective": _row(finding, "scaled_effective", 1),
    }


SATURATION = ClaimWords(
    3,
    mark(
        "“Unscaled, softmax is slightly sharp but learnable at d_k = 16, nearly saturated at 64, "
        "severely saturated at 256, fully saturated and useless at 1,024.”"
    ),
    mark("Unscaled, softmax saturates from d_k = 16 to 1,024"),
    {
        "": (
            mark(
                "{keys} keys, d_k = {d_ks}: mean largest weight {largest}; effective keys "
                "{effective}; rows over 0.99: {saturated}."
            ),
            mark("Divided by √d_k: {scaled}; effective keys {scaled_effective}."),
        )
    },
    _saturation,
    mark(
        "Words have no thresholds of their own. Quantified where the mean largest weight rises "
        "from each width to the next by more than {sure} standard errors; wrong where it falls, "
        "or does not rise at all; else not decided."
    ),
    {"sure": number(SURE, 0)},
    lambda finding, t: t("largest weight {ends}", ends=_ends(finding, "largest", 3)),
)

# The Jacobian ---------------------------------------------------------------------------------


def _norms(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "d_ks": _listing(wholes(finding, "d_ks")),
        "norms": _row(finding, "norms", 3),
        "scaled_norms": _row(finding, "scaled_norms", 3),
    }


NORMS = ClaimWords(
    4,
    mark("“Saturation drives the Jacobian of softmax to zero.”"),
    mark("Saturation drives the Jacobian of softmax to zero"),
    {
        "": (
            mark(
                "Its mean Frobenius norm at d_k = {d_ks}: {norms} unscaled, {scaled_norms} scaled."
            ),
        )
    },
    _norms,
    mark(
        "Confirmed where the unscaled norm falls from each width to the next, and ends below the "
        "scaled one, by more than {sure} standard errors each; wrong where it does not fall from "
        "the first to the last; else not decided."
    ),
    {"sure": number(SURE, 0)},
    lambda finding, t: t("norm of the Jacobian {ends}", ends=_ends(finding, "norms", 3)),
)

# Training -------------------------------------------------------------------------------------

COURSES: dict[Course, str] = {
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
    "undecided": mark(
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


def _training_cases() -> dict[str, tuple[str, ...]]:
    """Return the sentences of every case: a course, and what the gradient at the start adds."""
    cases = {}
    for course, yet, elsewhere in product(get_args(Course), ("", "yet"), ("", "elsewhere")):
        start = _YET if yet else _AT_THE_START
        where = (_TRAINED_ELSEWHERE,) if elsewhere else ()
        cases[case_of(course, yet, elsewhere)] = (COURSES[course], start, *where)
    return cases


def _training(finding: Finding, _t: Translator) -> dict[str, object]:
    finals = {
        f"{way}_{measure}": _final(finding, way, measure)
        for way in ("scaled", "unscaled")
        for measure in MEASURES
    }
    return finals | {
        "d_k": f"{whole(finding, 'd_k'):,}",
        "steps": f"{whole(finding, 'steps'):,}",
        "seeds": whole(finding, "seeds"),
        "guess": number(real(finding, "guess"), DIGITS),
        "ratio": with_error(real(finding, "ratio"), real(finding, "ratio_error")),
        "reach_d_k": f"{whole(finding, 'reach_d_k'):,}",
        "trainer": BACKENDS[text(finding, "trainer")],
        "backend": BACKENDS[text(finding, "backend")],
    }


def _final(finding: Finding, way: str, measure: Measure) -> str:
    finals = reals(finding, f"{way}_{measure}")
    return range_words(finals, measure) if finals else NOTHING


TRAINING = ClaimWords(
    5,
    mark("“So without the division training stalls.”"),
    mark("Without the division training stalls"),
    _training_cases(),
    _training,
    mark(
        "It stalls where no seed comes below {guessing} of the loss of guessing, and every seed "
        "with the division is ahead by more than {margin} of it. Qualified where it stalls though "
        "the gradient of W_Q at the start is larger without the division, by more than {sure} "
        "standard errors, or where it only falls behind; confirmed where it stalls and that "
        "gradient is not; wrong where every seed learns: at most {margin} of that loss; else not "
        "decided."
    ),
    {
        "guessing": f"{1 - MARGIN:.0%}",
        "margin": f"{MARGIN:.0%}",
        "sure": number(SURE, 0),
    },
    lambda finding, t: t(
        "loss {unscaled_loss} unscaled, {scaled_loss} scaled", **_training(finding, t)
    ),
)

WORDS = (VARIANCE, PAIRS, SATURATION, NORMS, TRAINING)

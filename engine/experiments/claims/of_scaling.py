"""Claims 1 to 5: from the variance of dot products to training, unscaled and scaled.

Everything is measured at the usual values of the page that shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from engine.experiments.claims.deciding import SURE, case_of, surely_above
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.printed import agrees_with
from engine.experiments.scaling import variance
from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.reach import ReachParams, ReachResult, measure_reach
from engine.experiments.scaling.saturation import (
    TABLE,
    Rule,
    SaturationParams,
    SaturationResult,
    measure_saturation,
)
from engine.experiments.scaling.spread import log_error
from engine.experiments.scaling.training import Measure, TrainingParams, TrainingResult, train
from engine.experiments.scaling.verdict import final_losses, outcome_of

# Variance -------------------------------------------------------------------------------------

CLAIMED_EXPONENT = 0.5  # of d_k in the standard deviation
# Standard errors that the largest of some ten deviations may be off: one of ten goes beyond 3 by
# chance in 3 of 100 runs, beyond 4 in 1 of 1,000.
FARTHEST = 4.0
TIGHT = 0.05  # standard error of the exponent; a tenth of what is claimed
FACTOR = "factor"  # the case in which they grow as claimed, yet are not the root of d_k itself


def of_variance(results: Results) -> Finding:
    """Check how far dot products spread."""
    return variance_found(results.of(variance.Params(), variance.run))


def variance_found(result: variance.Result) -> Finding:
    """Return what a result says about the variance of q.k."""
    exponent, error = (
        math.nan if each is None else each for each in (result.exponent, result.exponent_error)
    )
    widths = [width for width in result.widths if width.d_k in TABLE]
    farthest = max(_off(width, result.params.samples) for width in result.widths)
    verdict = judge_variance(exponent, error, farthest)
    return Finding(
        1,
        verdict,
        {
            "exponent": exponent,
            "error": error,
            "farthest": farthest,
            "d_ks": tuple(width.d_k for width in widths),
            "deviations": tuple(width.deviation for width in widths),
        },
        FACTOR if verdict == "qualified" else "",
    )


def judge_variance(exponent: float, error: float, farthest: float) -> Verdict:
    """Return the verdict on the variance d_k.

    Parameters
    ----------
    exponent, error : float
        Of d_k in the standard deviation, and its standard error; NaN where there is none.
    farthest : float
        The largest distance of a deviation from the root of d_k, in its standard errors.
    """
    if not error <= TIGHT:
        return "open"
    if abs(exponent - CLAIMED_EXPONENT) > SURE * error:
        return "wrong"
    return "confirmed" if farthest <= FARTHEST else "qualified"


def _off(width: variance.Width, samples: int) -> float:
    """Return how far a deviation is from the root of d_k, in its standard errors."""
    if not width.variance:
        return math.inf
    error = log_error(samples, width.expected_kurtosis or 0.0)  # of the logarithm of the variance
    return abs(math.log(width.variance / width.d_k)) / error


# Two scores -----------------------------------------------------------------------------------

# Two scores, and their weights with the digits that the text prints.
PRINTED_PAIRS: dict[tuple[float, float], tuple[str, str]] = {
    (5.0, 4.0): ("0.73", "0.27"),
    (50.0, 40.0): ("0.99995", "0.00005"),
}


def of_pairs(_results: Results) -> Finding:
    """Check the weights of two pairs of scores; the page computes them in float64 as well."""
    near, far = (tuple(pair_of(scores).weights.tolist()) for scores in PRINTED_PAIRS)
    return Finding(2, judge_pairs([near, far]), {"near": near, "far": far})


def judge_pairs(weights: Sequence[Sequence[float]]) -> Verdict:
    """Return the verdict: whether every weight rounds to the digits that are printed."""
    printed = PRINTED_PAIRS.values()
    agree = [
        agrees_with(text, weight)
        for pair, texts in zip(weights, printed, strict=True)
        for weight, text in zip(pair, texts, strict=True)
    ]
    return "confirmed" if all(agree) else "wrong"


# Saturation -----------------------------------------------------------------------------------


def of_saturation(results: Results) -> Finding:
    """Check how saturation grows with d_k where nothing is divided."""
    return saturation_found(results.of(SaturationParams(), measure_saturation))


def saturation_found(result: SaturationResult) -> Finding:
    """Return what a result says about the four widths of the text's table."""
    unscaled = [result.found[d_k, "unscaled"] for d_k in TABLE]
    largest = [(each.largest, each.largest_error) for each in unscaled]
    return Finding(
        3,
        judge_rise(largest),
        {
            "d_ks": TABLE,
            "keys": result.params.keys,
            "largest": _row(result, "unscaled", "largest"),
            "effective": _row(result, "unscaled", "effective"),
            "saturated": _row(result, "unscaled", "saturated"),
            "scaled": _row(result, "sqrt", "largest"),
            "scaled_effective": _row(result, "sqrt", "effective"),
        },
    )


def judge_rise(largest: Sequence[tuple[float, float]]) -> Verdict:
    """Return the verdict on words that rise from "slightly sharp" to "useless".

    What is meant by a word is not said, so that numbers can only be put beside it: where the mean
    largest weight rises from each width to the next by more than chance.

    Parameters
    ----------
    largest : sequence of pairs
        The mean largest weight at each width, and its standard error; widths rising.
    """
    steps = list(pairwise(largest))
    if all(_rises(low, high) for low, high in steps):
        return "quantified"
    falls = any(_rises(high, low) for low, high in steps)
    return "wrong" if falls or not _rises(largest[0], largest[-1]) else "open"


def _rises(low: tuple[float, float], high: tuple[float, float]) -> bool:
    return surely_above(high[0] - low[0], low[1], high[1])


def _row(result: SaturationResult, rule: Rule, measure: str) -> tuple[float, ...]:
    return tuple(float(getattr(result.found[d_k, rule], measure)) for d_k in TABLE)


# The Jacobian ---------------------------------------------------------------------------------

Norm = tuple[float, float]  # the mean Frobenius norm, and its standard error


def of_norms(results: Results) -> Finding:
    """Check what saturation does to the Jacobian of softmax."""
    return norms_found(results.of(ReachParams(), measure_reach))


def norms_found(result: ReachResult) -> Finding:
    """Return what heads as wide as those of the text's table say about the Jacobian."""
    d_ks = tuple(d_k for d_k in TABLE if d_k in result.params.d_ks)
    unscaled, scaled = ([result.found[d_k, way].norm for d_k in d_ks] for way in (False, True))
    return Finding(
        4,
        judge_norms(unscaled, scaled),
        {
            "d_ks": d_ks,
            "norms": tuple(norm for norm, _ in unscaled),
            "scaled_norms": tuple(norm for norm, _ in scaled),
        },
    )


def judge_norms(unscaled: Sequence[Norm], scaled: Sequence[Norm]) -> Verdict:
    """Return the verdict: whether the norm falls with d_k, and below that of scaled scores.

    Parameters
    ----------
    unscaled, scaled : sequence of Norm
        At each width, widths rising.
    """
    if not _rises(unscaled[-1], unscaled[0]):
        return "wrong"
    every = all(_rises(high, low) for low, high in pairwise(unscaled))
    return "confirmed" if every and _rises(unscaled[-1], scaled[-1]) else "open"


# Training -------------------------------------------------------------------------------------

TRAINER = "numpy"  # trains the usual example in a second or two on any processor
Course = Literal["stalls", "behind", "learns", "undecided"]
MEASURES: tuple[Measure, ...] = ("loss", "accuracy")


@dataclass(frozen=True)
class Ratio:
    """How many times as large the gradient of W_Q is unscaled, and the standard error of that."""

    value: float
    error: float

    @property
    def is_larger(self) -> bool:
        """Whether it is surely above 1."""
        return surely_above(self.value - 1, self.error)


def of_training(results: Results) -> Finding:
    """Check whether training stalls without the division, and what its gradients were."""
    trained = results.of(TrainingParams(), train, backend=TRAINER)
    return training_found(trained, results.of(ReachParams(), measure_reach))


def training_found(trained: TrainingResult, reach: ReachResult) -> Finding:
    """Return what a training and the gradients at the start of a head say."""
    d_k = max(reach.ratios)
    ratio, course = Ratio(*reach.ratios[d_k]["w_q"]), course_of(trained)
    elsewhere = trained.backend_name != reach.backend_name
    yet = course == "stalls" and ratio.is_larger
    return Finding(
        5,
        judge_training(course, ratio),
        {
            "d_k": trained.params.d_k,
            "steps": trained.params.steps,
            "seeds": len(trained.params.seeds),
            "guess": math.log(trained.params.pairs),
            "ratio": ratio.value,
            "ratio_error": ratio.error,
            "reach_d_k": d_k,
            "trainer": trained.backend_name,
            "backend": reach.backend_name,
            **_finals(trained),
        },
        case_of(course, "yet" if yet else "", "elsewhere" if elsewhere else ""),
    )


def judge_training(course: Course, ratio: Ratio) -> Verdict:
    """Return the verdict: that training stalls, and that vanishing gradients are the reason."""
    if course == "stalls":
        return "qualified" if ratio.is_larger else "confirmed"
    verdicts: dict[Course, Verdict] = {
        "behind": "qualified",
        "learns": "wrong",
        "undecided": "open",
    }
    return verdicts[course]


def course_of(trained: TrainingResult) -> Course:
    """Return what training without the division comes to; see `scaling.verdict`.

    It stalls where no seed does better than a guess while every one with the division is ahead.
    """
    unscaled, scaled = (final_losses(trained, scaled=way) for way in (False, True))
    if unscaled is None or scaled is None:
        return "undecided"
    if outcome_of(unscaled, scaled) == "scaled":
        return "stalls" if unscaled.standing == "guessing" else "behind"
    return "learns" if unscaled.standing == "learned" else "undecided"


def _finals(trained: TrainingResult) -> dict[str, Value]:
    """Return the final loss and accuracy of every seed, for both ways."""
    return {
        f"{'scaled' if way else 'unscaled'}_{measure}": trained.finals(measure, scaled=way)
        for way in (True, False)
        for measure in MEASURES
    }


CLAIMS: tuple[Claim, ...] = (
    Claim(1, "scaling", "2.5", of_variance),
    Claim(2, "scaling", "2.5", of_pairs),
    Claim(3, "scaling", "2.5", of_saturation),
    Claim(4, "scaling", "2.5", of_norms),
    Claim(5, "scaling", "2.5", of_training),
)

"""What the measured numbers of the square root of d_k say, one or two sentences for each figure.

Every sentence holds for any result; each number in it comes from the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.experiments.scaling.pair import Pair
from engine.experiments.scaling.reach import ReachResult
from engine.experiments.scaling.saturation import RULES, SaturationResult, Sharpness
from engine.experiments.scaling.spread import NORMAL_95, samples_for_band
from engine.experiments.scaling.training import LAST, Run, SweepResult, TrainingResult
from engine.experiments.scaling.variance import Result, Width
from engine.gradients import jacobian_norm
from engine.shapes import Array
from pages.figures.numerals import MINUS, measured_number, number, number_in_full
from pages.text.marking import mark
from pages.text.scaling_words import (
    distribution_words,
    measure_words,
    optimiser_words,
    rule_sign,
    way_sign,
)
from pages.text.translator import Translator

DIGITS = 3  # decimals of a measured number in a sentence
EMPTY = 0.1  # of the largest derivative: paler on a common scale is hardly seen
MANY = 100  # samples whose kurtosis is spread about like a normal number
WAYS = (False, True)  # not divided, and divided by the square root of d_k
_CURVES = {"loss": mark("Loss"), "accuracy": mark("Accuracy"), "gradient": mark("Gradient norm")}
_SYMBOLS = {"w_q": "W_Q", "w_k": "W_K", "q": "q", "k": "k"}


def grouped(value: float, decimals: int = DIGITS) -> str:
    """Return a measured number, in groups of three digits where it has more before the point."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:,.{decimals}f}".replace("-", MINUS)
    return measured_number(value, decimals)


def _value(value: float) -> str:
    return grouped(value)


def _with_error(value: float, error: float) -> str:
    return f"{_value(value)} ± {_value(error)}"


def _beside(parts: Sequence[tuple[str, str]], t: Translator) -> str:
    """Return values, each after whose it is: ``not divided: 0.962; ÷√d_k: 0.244``."""
    return t.clauses(t("{name}: {value}", name=name, value=value) for name, value in parts)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---- variance


def spread_words(width: Width, t: Translator) -> str:
    """Return the deviation at one width, raw and scaled, measured and expected."""
    expected, root = math.sqrt(width.expected_variance), math.sqrt(width.d_k)
    return t(
        "Standard deviation: {raw} measured, {raw_expected} expected; after the division by "
        "√{d_k} {is_sign} {root}: {scaled} measured, {scaled_expected} expected.",
        raw=_value(width.deviation),
        raw_expected=_value(expected),
        d_k=f"{width.d_k:,}",
        is_sign="=" if root.is_integer() else "≈",
        root=f"{root:.4g}",
        scaled=_value(width.scaled_deviation),
        scaled_expected=_value(expected / root),
    )


def exponent_words(result: Result, t: Translator) -> str:
    """Return the measured exponent of d_k with its standard error, and what the law says."""
    if result.exponent is None or result.exponent_error is None:
        return t("An exponent needs two widths whose samples are not all equal.")
    exponent = _with_error(result.exponent, result.exponent_error)
    if result.params.assumed:
        return t("Measured exponent of d_k: {exponent} (standard error); the law √d_k has 0.5.",
                 exponent=exponent)  # fmt: skip
    return t("Measured exponent of d_k: {exponent} (standard error).", exponent=exponent)


def band_words(result: Result, t: Translator) -> str:
    """Return how many measured deviations lie inside the band, and what to expect of it."""
    inside = sum(each.is_inside for each in result.widths)
    count = len(result.widths)
    if inside == count > 1:
        return t("All {count} points lie inside the 95% band of the sampling error.", count=count)
    return t(
        "{inside} of {count} points lie inside the 95% band of the sampling error; about 1 in 20 "
        "lies outside by chance.",
        inside=inside,
        count=count,
    )


def band_limit_words(result: Result, t: Translator) -> str:
    """Return that the band is rough, where it is: for few samples, or an unknown kurtosis."""
    known = [each.expected_kurtosis for each in result.widths]
    needed = max((samples_for_band(value) for value in known if value is not None), default=0)
    if needed > result.params.samples:
        return t(
            "The band is rough here: it takes {needed} samples to hold 93 to 97 of 100 points.",
            needed=f"{needed:,}",
        )
    if None in known:
        return t("The band is rough here: it follows from the measured kurtosis.")
    return ""


def kurtosis_words(result: Result, t: Translator) -> str:
    """Return the excess kurtosis at both ends, and from where it hides in the sampling error."""
    widths = [each for each in result.widths if not math.isnan(each.kurtosis)]
    ends = [widths[0], widths[-1]] if len(widths) > 1 else widths
    return t.sentences(*(_kurtosis_at(each, t) for each in ends), _normal_from(result, t))


def _kurtosis_at(width: Width, t: Translator) -> str:
    values = {"d_k": f"{width.d_k:,}", "found": number(width.kurtosis, DIGITS)}
    if width.expected_kurtosis is None:
        return t("At d_k = {d_k} the excess kurtosis is {found}.", **values)
    return t(
        "At d_k = {d_k} the excess kurtosis is {found}, {expected} expected.",
        expected=number(width.expected_kurtosis, DIGITS),
        **values,
    )


def _normal_from(result: Result, t: Translator) -> str:
    """Return from which width on the samples cannot tell the expected excess from none."""
    samples = result.params.samples
    if samples < MANY:
        return ""
    error = NORMAL_95 * _kurtosis_error(samples)
    known = ((each.d_k, each.expected_kurtosis) for each in result.widths)
    first = next((d_k for d_k, value in known if value is not None and abs(value) < error), None)
    if first is None:
        return ""
    return t(
        "From d_k = {d_k} on the expected excess is smaller in size than {error}, about the 95% "
        "sampling error of {samples} normal samples.",
        d_k=f"{first:,}",
        error=f"{error:.2g}",
        samples=f"{samples:,}",
    )


def _kurtosis_error(samples: int) -> float:
    """Return the standard deviation of the excess kurtosis of a sample of a normal distribution."""
    N = samples
    return math.sqrt(24 * N * (N - 2) * (N - 3) / ((N + 1) ** 2 * (N + 3) * (N + 5)))


def drawn_words(result: Result, t: Translator) -> str:
    """Return what was drawn; assumptions of the text that do not hold are named."""
    params = result.params
    said = t(
        "{samples} samples; distribution of the components: {distribution}.",
        samples=f"{params.samples:,}",
        distribution=distribution_words(params.distribution, t),
    )
    if params.assumed:
        return said
    broken = t(
        "Not as the text assumes: standard deviation {sigma}, mean {mean}, correlation "
        "{correlation}.",
        sigma=number_in_full(float(params.sigma)),
        mean=number_in_full(float(params.mean)),
        correlation=number_in_full(float(params.correlation)),
    )
    return t.sentences(said, broken)


# ---- saturation


def sharpness_words(result: SaturationResult, measure: str, t: Translator) -> str:
    """Return one measure at the largest width under every rule."""
    d_k = result.d_ks[-1]
    parts = [
        (rule_sign(rule, result.params.exponent, t), _measured(result.found[d_k, rule], measure))
        for rule in RULES
    ]
    return t(
        "{measure} at d_k = {d_k}, {parts}.",
        measure=_sentence(measure_words(measure, t)),
        d_k=f"{d_k:,}",
        parts=_beside(parts, t),
    )


def _measured(found: Sharpness, measure: str) -> str:
    value = float(getattr(found, measure))
    if measure == "saturated":
        return f"{number(100 * value, 1)}%"
    return _with_error(value, float(getattr(found, f"{measure}_error")))


def rows_words(result: SaturationResult, t: Translator) -> str:
    """Return what was drawn for saturation."""
    return t(
        "{samples} queries against {keys} keys, standard normal components.",
        samples=f"{result.params.samples:,}",
        keys=f"{result.params.keys:,}",
    )


def pair_words(pair: Pair, t: Translator) -> str:
    """Return the two scores after the division, and their weights."""
    first, second = (number_in_full(score / pair.temperature) for score in map(float, pair.scores))
    high, low = (_weight(weight) for weight in pair.weights.tolist())
    return t(
        "At temperature {temperature}: softmax({first}, {second}) = ({high}, {low}).",
        temperature=number_in_full(float(pair.temperature)),
        first=first,
        second=second,
        high=high,
        low=low,
    )


def _weight(value: float) -> str:
    """Return a weight in enough digits to tell it from 0 and from 1."""
    if 0 < value < 1e-6:
        return measured_number(value, 6)
    return number(value, 5 if min(value, 1 - value) >= 0.001 else 7)


# ---- gradients


def jacobian_words(result: ReachResult, t: Translator) -> str:
    """Return the norms of both Jacobians, and the largest weights of their rows."""
    norms, largest = (
        _beside([(way_sign(way, t), _value(float(of(result.weights[way])))) for way in WAYS], t)
        for of in (jacobian_norm, np.max)
    )
    return t.sentences(
        t("Frobenius norm, {parts}.", parts=norms),
        t("Largest weight of the row, {parts}.", parts=largest),
        _bound_words(result, t),
    )


def _bound_words(result: ReachResult, t: Translator) -> str:
    """Return why one side of the figure is nearly empty, where it is.

    With a largest weight a above 1/2, the others have at most 1 - a: no a_i (1 - a_i) and no
    a_i a_j is beyond a (1 - a).
    """
    most = {way: float(np.abs(result.jacobian[way]).max()) for way in WAYS}
    if float(result.weights[False].max()) <= 0.5 or most[False] > EMPTY * most[True]:
        return ""
    return t(
        "Not divided, one key has nearly all the weight, so that no derivative is beyond {bound}: "
        "on the common scale that side is nearly empty.",
        bound=_value(most[False]),
    )


def reach_words(result: ReachResult, name: str, t: Translator) -> str:
    """Return how large one gradient is at the largest width, divided and not divided."""
    d_k = max(d_k for d_k, _ in result.found)
    unscaled, scaled = (result.found[d_k, way].sizes[name] for way in WAYS)
    said = t(
        "At d_k = {d_k} the gradient of {symbol} is {unscaled} not divided and {scaled} divided by "
        "√d_k.",
        d_k=f"{d_k:,}",
        symbol=_SYMBOLS[name],
        unscaled=_with_error(*unscaled),
        scaled=_with_error(*scaled),
    )
    return t.sentences(said, _ratio_words(result, d_k, name, t))


def _ratio_words(result: ReachResult, d_k: int, name: str, t: Translator) -> str:
    """Return how many times larger it is not divided, where it is, and what that is made of."""
    if result.ratios[d_k][name][0] <= 1:
        return ""
    return t(
        "Not divided the gradient of {symbol} is {ratio} times as large; the missing factor 1/√d_k "
        "alone would make it {root} times.",
        symbol=_SYMBOLS[name],
        ratio=times_words(*result.ratios[d_k][name]),
        root=f"{math.sqrt(d_k):.3g}",
    )


def times_words(ratio: float, error: float) -> str:
    """Return a ratio with its standard error, no more digits than that allows."""
    decimals = 1 if error >= 0.1 else 2
    return f"{measured_number(ratio, decimals)} ± {measured_number(error, decimals)}"


# ---- training


def end_words(result: TrainingResult, curve: str, t: Translator) -> str:
    """Return the mean over the last tenth of the steps of the runs that did not diverge."""
    parts = []
    for way in WAYS:
        whole = [run for run in result.of(way) if run.diverged_at is None and len(run.steps)]
        if whole:
            value = float(np.mean([_tail_mean(run, curve) for run in whole]))
            parts.append((way_sign(way, t), _value(value)))
    if not parts:
        return ""
    values = {"curve": t(_CURVES[curve]), "parts": _beside(parts, t)}
    if result.finished:
        return t("{curve} over the last tenth of the steps, {parts}.", **values)
    return t("{curve} over the last tenth of the steps so far, {parts}.", **values)


def _tail_mean(run: Run, curve: str) -> float:
    values: Array = getattr(run, curve)
    return float(values[-max(1, len(values) // LAST) :].mean())


def diverged_words(result: TrainingResult, t: Translator) -> str:
    """Return which runs diverged, and at which steps; empty where none did."""
    said = []
    for way in WAYS:
        begun = [run for run in result.of(way) if len(run.steps) or run.diverged_at is not None]
        steps = [run.diverged_at for run in begun if run.diverged_at is not None]
        if not steps:
            continue
        values = {
            "name": _sentence(way_sign(way, t)),
            "count": len(steps),
            "total": len(begun),
            "steps": t.listing(f"{step:,}" for step in sorted(set(steps))),
        }
        if len(steps) == len(begun):
            said.append(t("{name}: {count} of {total} runs diverged, at step {steps}.", **values))
        else:
            said.append(
                t(
                    "{name}: {count} of {total} runs diverged, at step {steps}; the line is the "
                    "mean of the others.",
                    **values,
                )
            )
    return t.sentences(*said)


def sweep_words(result: SweepResult, t: Translator) -> str:
    """Return the least loss of each way with its rate, and the rates at which runs diverged."""
    parts, lost = [], []
    for way, losses in zip(WAYS, (result.unscaled, result.scaled), strict=True):
        means = losses.mean(axis=1)  # NaN where a seed diverged
        if not np.isnan(means).all():
            best = int(np.nanargmin(means))
            value = t("{loss} at rate {rate}", loss=_value(float(means[best])),
                      rate=f"{result.rates[best]:g}")  # fmt: skip
            parts.append((way_sign(way, t), value))
        lost.append(_lost_words(way, result.rates[np.isnan(means)], t))
    least = t("Lowest loss, {parts}.", parts=_beside(parts, t)) if parts else ""
    return t.sentences(least, *lost)


def _lost_words(way: bool, rates: Array, t: Translator) -> str:
    if not len(rates):
        return ""
    return t(
        "{name}: runs diverged at rate {rates}.",
        name=_sentence(way_sign(way, t)),
        rates=t.listing(f"{rate:g}" for rate in rates),
    )


def sweep_rule_words(result: SweepResult, t: Translator) -> str:
    """Return what the loss of a sweep is."""
    return t(
        "Loss: mean of the last tenth of {steps} steps with {optimiser}.",
        steps=f"{result.params.steps:,}",
        optimiser=optimiser_words(result.params.optimiser),
    )

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
from engine.experiments.scaling.spread import samples_for_band
from engine.experiments.scaling.variance import Params, Result, Width
from engine.gradients import jacobian_norm
from pages.figures.numerals import MINUS, measured_number, number, number_in_full
from pages.text.scaling_words import (
    distribution_words,
    gradient_symbol,
    measure_words,
    rule_sign,
    way_sign,
)
from pages.text.translator import Translator

DIGITS = 3  # decimals of a measured number in a sentence
LEAST = 1e-6  # smaller weights are powers of ten
MOST_DECIMALS = 8  # smaller errors are powers of ten
LARGE, LARGEST = 1e5, 1e9  # numbers without decimals, and those in powers of ten
EMPTY = 0.1  # of the largest derivative: paler on a common scale is hardly seen
EPSILON = 1e-12  # of a value: a smaller error is rounding
SAMPLES_FOR_KURTOSIS = 500  # with fewer its band holds other shares, 85 of 100 at the least
ROUGH = 0.4  # of a kurtosis: with a 95% band as wide as that, heavy tails make it too wide
WAYS = (False, True)  # unscaled, and divided by the square root of d_k


def grouped(value: float, decimals: int | None = None) -> str:
    """Return a measured number, in groups of three digits where it has more before the point.

    Without ``decimals`` a number of many digits before the point has none after it.
    """
    if decimals is None:
        decimals = DIGITS if abs(value) < LARGE else 0
    if 1000 <= abs(value) < LARGEST:
        return f"{value:,.{decimals}f}".replace("-", MINUS)
    return measured_number(value, decimals)


def alike(*values: float) -> list[str]:
    """Return measured numbers to be compared: small ones with the decimals of the least of them."""
    least = min((abs(value) for value in values if value), default=1.0)
    decimals = 2 - math.floor(math.log10(least))  # three digits of it
    if decimals <= DIGITS:
        return [grouped(value) for value in values]
    return [grouped(value, min(decimals, MOST_DECIMALS)) for value in values]


def percent(share: float, decimals: int = 1) -> str:
    """Return a share in percent; nearly all is not called all, and hardly any not none."""
    text = f"{100 * share:.{decimals}f}"
    if share in (0, 1) or float(text) not in (0, 100):
        return f"{text}%"
    finer = max(decimals, 1)
    text, step = f"{100 * share:.{finer}f}", 10.0**-finer
    if float(text) == 0:
        return f"<{step:.{finer}f}%"
    return f">{100 - step:.{finer}f}%" if float(text) == 100 else f"{text}%"


def _value(value: float) -> str:
    return grouped(value)


def with_error(value: float, error: float) -> str:
    """Return a value and its standard error, both to the second digit of the error.

    No line ends between the two. An error that is rounding is none.
    """
    error = 0.0 if error < EPSILON * abs(value) else error
    decimals = error_decimals(error)
    return "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}".join(
        grouped(each, decimals) for each in (value, error)
    )


def error_decimals(error: float) -> int:
    """Return the decimals down to the second digit of an error, or the usual ones without it."""
    if not 0 < error < math.inf:
        return DIGITS
    return min(max(1 - int(f"{error:.1e}".split("e")[1]), 0), MOST_DECIMALS)


def beside(parts: Sequence[tuple[str, str]], t: Translator) -> str:
    """Return values, each after whose it is: ``unscaled: 0.962; ÷√d_k: 0.244``."""
    return t.clauses(t("{name}: {value}", name=name, value=value) for name, value in parts)


def capitalised(words: str) -> str:
    """Return words with their first letter as at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


# ---- variance


def spread_words(width: Width, t: Translator) -> str:
    """Return the deviation at one width, raw and scaled, measured and expected."""
    expected, root = math.sqrt(width.expected_variance), math.sqrt(width.d_k)
    raw, raw_expected = alike(width.deviation, expected)
    scaled, scaled_expected = alike(width.scaled_deviation, expected / root)
    return t(
        "Standard deviation: {raw} measured, {raw_expected} expected; after the division by "
        "√{d_k} {is_sign} {root}: {scaled} measured, {scaled_expected} expected.",
        raw=raw,
        raw_expected=raw_expected,
        d_k=f"{width.d_k:,}",
        is_sign="=" if root.is_integer() else "≈",
        root=f"{root:.4g}",
        scaled=scaled,
        scaled_expected=scaled_expected,
    )


def exponent_words(result: Result, t: Translator) -> str:
    """Return the measured exponent of d_k with its standard error, and what the law says."""
    if result.exponent is None or result.exponent_error is None:
        return t("An exponent needs two widths whose samples are not all equal.")
    exponent = with_error(result.exponent, result.exponent_error)
    if result.params.assumed:
        return t("Measured exponent of d_k: {exponent} (standard error); the law √d_k has 0.5.",
                 exponent=exponent)  # fmt: skip
    return t("Measured exponent of d_k: {exponent} (standard error).", exponent=exponent)


def band_words(result: Result, t: Translator) -> str:
    """Return how many measured deviations lie inside the band, and what to expect of it."""
    inside = sum(each.is_inside for each in result.widths)
    count = len(result.widths)
    if inside == count == 2:
        return t("Both points lie inside the 95% band of the sampling error.")
    if inside == count > 1:
        return t("All {count} points lie inside the 95% band of the sampling error.", count=count)
    if band_limit_words(result, t):  # which says what to expect of it
        return t(
            "{inside} of {count} points lie inside the 95% band of the sampling error.",
            inside=inside,
            count=count,
        )
    return t(
        "{inside} of {count} points lie inside the 95% band of the sampling error; about 1 in 20 "
        "lies outside by chance.",
        inside=inside,
        count=count,
    )


def band_limit_words(result: Result, t: Translator) -> str:
    """Return that the band is rough, where it is: for few samples, or an unknown kurtosis."""
    needed = samples_needed(result)
    if needed > result.params.samples:
        return t(
            "The band is rough here: it takes {needed} samples to hold about 95 of 100 points.",
            needed=f"{needed:,}",
        )
    if any(each.expected_kurtosis is None for each in result.widths):
        return t("The band is rough here: it follows from the measured kurtosis.")
    return ""


def samples_needed(result: Result) -> int:
    """Return from how many samples on the band holds at every width of a known kurtosis."""
    known = (each.expected_kurtosis for each in result.widths)
    return max((samples_for_band(value) for value in known if value is not None), default=0)


def exponent_limit_words(result: Result, t: Translator) -> str:
    """Return that the exponent and its error are rough, where the band that they rest on is."""
    if result.exponent is None or not band_limit_words(result, t):
        return ""
    return t("The exponent and its standard error are rough here.")


def thin_band_words(t: Translator) -> str:
    """Return where a band is seen that is thinner than the line in it."""
    return t("Here it is too thin to be seen; the figure of measured ÷ expected shows it.")


def normal_words(width: Width, t: Translator) -> str:
    """Return what the normal density beside the outlines is."""
    if width.d_k == 1:
        return t("The thin line is the normal density of the expected deviation.")
    return t("The thin line is the normal density of the deviation expected after the division.")


def kurtosis_words(result: Result, t: Translator) -> str:
    """Return the excess kurtosis at both ends, and from where on it hides in its band."""
    widths = [each for each in result.widths if not math.isnan(each.kurtosis)]
    ends = [widths[0], widths[-1]] if len(widths) > 1 else widths
    said = (_kurtosis_at(each, t) for each in ends)
    return t.sentences(
        *said, _few_words(result, t), _normal_from(result, t), _kurtosis_band_words(result, t)
    )


def _kurtosis_at(width: Width, t: Translator) -> str:
    values = {"d_k": f"{width.d_k:,}", "found": number(width.kurtosis, DIGITS)}
    if width.expected_kurtosis is None:
        return t("At d_k = {d_k} the excess kurtosis is {found}.", **values)
    return t(
        "At d_k = {d_k} the excess kurtosis is {found}, {expected} expected.",
        expected=number(width.expected_kurtosis, DIGITS),
        **values,
    )


def _few_words(result: Result, t: Translator) -> str:
    """Return that what is expected cannot be met, where there are few samples.

    Of N no sample has an excess kurtosis above N - 5 + 1/(N - 1), and two have one of -2.
    """
    if samples_needed(result) <= result.params.samples:
        return ""
    return t(
        "Expected is the excess of the distribution itself; that of so few samples can be far "
        "from it."
    )


def _normal_from(result: Result, t: Translator) -> str:
    """Return from which width on the samples cannot tell the expected excess from none.

    It is said where they can at every smaller one, and nowhere of a rough band.
    """
    if _kurtosis_band_words(result, t):
        return ""
    holds = [width.kurtosis_band[0] <= 0 <= width.kurtosis_band[1] for width in result.widths]
    first = holds.index(True) if True in holds else 0
    if not first or not all(holds[first:]):
        return ""
    return t(
        "From d_k = {d_k} on the 95% band holds 0, the excess of a normal distribution.",
        d_k=f"{result.widths[first].d_k:,}",
    )


def _kurtosis_band_words(result: Result, t: Translator) -> str:
    """Return that the band of the excess kurtosis is rough, where it is."""
    if any(width.expected_kurtosis is None for width in result.widths):
        return t("The band is rough here: it follows from the moments of the samples.")
    if result.params.samples < SAMPLES_FOR_KURTOSIS:
        return t("The band is rough for fewer than {needed} samples.", needed=SAMPLES_FOR_KURTOSIS)
    if any(width.kurtosis_band[1] - width.expected_kurtosis > ROUGH * (3 + width.expected_kurtosis)
           for width in result.widths if width.expected_kurtosis is not None):  # fmt: skip
        return t("Where the band is wide it is rough: more than 95 of 100 points lie in it.")
    return ""


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
    broken = t("Not as the text assumes: {parts}.", parts=t.listing(_broken(params, t)))
    return t.sentences(said, broken)


def _broken(params: Params, t: Translator) -> list[str]:
    """Return the assumptions of the text that do not hold, each with what holds instead."""
    usual = Params()
    parts = {
        "sigma": t("standard deviation {value}", value=number_in_full(float(params.sigma))),
        "mean": t("mean {value}", value=number_in_full(float(params.mean))),
        "correlation": t("correlation {value}", value=number_in_full(float(params.correlation))),
    }
    return [said for name, said in parts.items() if getattr(params, name) != getattr(usual, name)]


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
        measure=capitalised(measure_words(measure, t)),
        d_k=f"{d_k:,}",
        parts=beside(parts, t),
    )


def _measured(found: Sharpness, measure: str) -> str:
    value = float(getattr(found, measure))
    if measure == "saturated":
        return percent(value)
    return with_error(value, float(getattr(found, f"{measure}_error")))


def rows_words(result: SaturationResult, t: Translator) -> str:
    """Return what was drawn for saturation."""
    return t(
        "{samples} queries against {keys} keys, standard normal components.",
        samples=f"{result.params.samples:,}",
        keys=f"{result.params.keys:,}",
    )


def pair_words(pair: Pair, t: Translator) -> str:
    """Return the two scores after the division, their weights, and how fast these follow."""
    temperature = number_in_full(float(pair.temperature))
    # A quotient that is not said as one may have no end, or the rounding of the machine.
    over = "" if pair.temperature == 1 else f"/{temperature}"
    first, second = (f"{number_in_full(float(score))}{over}" for score in pair.scores)
    one, other = pair.weights.tolist()
    slope = float(pair.jacobian[0, 0]) / pair.temperature
    return t(
        "At temperature {temperature}: softmax({first}, {second}) = ({high}, {low}); the "
        "derivative of a weight by its own score is {slope}.",
        temperature=temperature,
        first=first,
        second=second,
        high=_weight(one, other),
        low=_weight(other, one),
        slope=_small(slope),
    )


def _weight(value: float, rest: float) -> str:
    """Return a weight in enough digits to tell it from 0 and from 1; ``rest`` is the other."""
    if value <= rest:
        return _small(value)
    if rest >= LEAST:
        return number(value, _decimals(rest))
    if rest == 0:
        return f">1 {MINUS} 1e{MINUS}300"
    return f"1 {MINUS} {_small(rest)}"


def _small(value: float) -> str:
    """Return what is above 0 in three digits at least, as a power of ten where it is tiny."""
    if value == 0:
        return f"<1e{MINUS}300"
    if value < LEAST:
        return f"{value:.2e}".replace("-0", MINUS).replace("-", MINUS)
    return number(value, _decimals(value))


def _decimals(value: float) -> int:
    """Return how many decimals show three digits of a number above 0, and five at least."""
    return max(5, 2 - math.floor(math.log10(max(value, LEAST))))


# ---- gradients


def norm_words(result: ReachResult, t: Translator) -> str:
    """Return the mean norms of the Jacobian at the largest width, and what they are means of."""
    d_k = max(d_k for d_k, _ in result.found)
    parts = [(way_sign(way, t), with_error(*result.found[d_k, way].norm)) for way in WAYS]
    said = t(
        "{measure} at d_k = {d_k}, {parts}.",
        measure=capitalised(measure_words("jacobian", t)),
        d_k=f"{d_k:,}",
        parts=beside(parts, t),
    )
    return t.sentences(said, head_words(result, t))


def head_words(result: ReachResult, t: Translator) -> str:
    """Return what the bands of a figure of heads are, and how many heads there are."""
    return t(
        "Bands: one standard error; {repeats} heads of {T} tokens each.",
        repeats=result.params.repeats,
        T=result.params.T,
    )


def jacobian_words(result: ReachResult, row: int, t: Translator) -> str:
    """Return the norms of both Jacobians of a row, and its largest weights."""
    norms, largest = (
        beside(
            [(way_sign(way, t), _value(float(of(result.weights[way][row - 1])))) for way in WAYS], t
        )
        for of in (jacobian_norm, np.max)
    )
    return t.sentences(
        t("Frobenius norm, {parts}.", parts=norms),
        t("Largest weight of the row, {parts}.", parts=largest),
        _bound_words(result, row, t),
    )


def _bound_words(result: ReachResult, row: int, t: Translator) -> str:
    """Return why one side of the figure is nearly empty, where it is.

    With a largest weight a above 1/2, the others have at most 1 - a: no a_i (1 - a_i) and no
    a_i a_j is beyond a (1 - a).
    """
    most = {way: float(np.abs(result.jacobian(way, row)).max()) for way in WAYS}
    if float(result.weights[False][row - 1].max()) <= 0.5 or most[False] > EMPTY * most[True]:
        return ""
    return t(
        "Unscaled, one key has nearly all the weight, so that no derivative is beyond {bound}: on "
        "the common scale that side is nearly empty.",
        bound=_rounded_up(most[False]),
    )


def _rounded_up(value: float) -> str:
    """Return a bound, a number from 0 to 1, that is not below what it bounds."""
    if value == 0:
        return "0"
    decimals = max(DIGITS, -math.floor(math.log10(value)))
    # The rounding of the machine is no reason for another digit.
    raised = math.ceil(value * 10.0**decimals * (1 - 1e-12)) / 10.0**decimals
    return measured_number(raised, DIGITS)


def reach_words(result: ReachResult, name: str, t: Translator) -> str:
    """Return how large one gradient is at the largest width, scaled and unscaled."""
    d_k = max(d_k for d_k, _ in result.found)
    unscaled, scaled = (result.found[d_k, way].sizes[name] for way in WAYS)
    said = t(
        "At d_k = {d_k} the gradient of {symbol} is {unscaled} unscaled and {scaled} divided by "
        "√d_k.",
        d_k=f"{d_k:,}",
        symbol=gradient_symbol(name),
        unscaled=with_error(*unscaled),
        scaled=with_error(*scaled),
    )
    return t.sentences(said, _ratio_words(result, d_k, name, t), head_words(result, t))


def _ratio_words(result: ReachResult, d_k: int, name: str, t: Translator) -> str:
    """Return how many times larger it is unscaled, where it is, and what that is made of."""
    if result.ratios[d_k][name][0] <= 1:
        return ""
    return t(
        "That is {ratio} times as large; the missing factor 1/√d_k alone would make it {root} "
        "times.",
        ratio=with_error(*result.ratios[d_k][name]),
        root=f"{math.sqrt(d_k):.3g}",
    )

"""Variance: how far dot products spread as d_k grows."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from engine.experiments.scaling.spread import expected_kurtosis
from engine.experiments.scaling.variance import Result
from pages.figures.numerals import measured_number, number, number_in_full
from pages.gallery.scaling import DEVIATION, DISTRIBUTION, KURTOSIS, SAMPLING_ERROR, WidthView
from pages.text import Translator
from pages.text.scaling_readings import (
    DIGITS,
    MOST_DECIMALS,
    alike,
    band_limit_words,
    error_decimals,
    exponent_limit_words,
    grouped,
)
from pages.ui import figure_view, settings, workspace
from pages.ui.maths import typeset
from pages.ui.scaling import computing, figures, state


def draw() -> None:
    """Draw the tab of variance."""
    t = settings.translate()
    result = computing.variance(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, [*notices(result, t), width_said(result, t)])),
        lambda: workspace.side_by_side(
            lambda: figures.show(DEVIATION, result),
            lambda: figures.show(DISTRIBUTION, result, WidthView(state.shown_width(result))),
        ),
    )
    second: list[Callable[[], None]] = [lambda: figures.show(SAMPLING_ERROR, result)]
    if any(not math.isnan(width.kurtosis) for width in result.widths):
        second.append(lambda: figures.show(KURTOSIS, result))
    workspace.side_by_side(*second)
    with st.container(width=figure_view.WIDTH, gap="xsmall"):
        normal(result, t)


def numbers(result: Result, t: Translator) -> None:
    """Draw the exponent, the deviation after the division, and how many points are in the band."""
    params, last = result.params, result.widths[-1]
    plain = params.mean == 0 and params.correlation == 0
    decimals = error_decimals(result.exponent_error or math.nan)
    exponent = "–" if result.exponent is None else number(result.exponent, decimals)
    has_error = plain and result.exponent_error is not None
    workspace.metric(
        t("Measured exponent"),
        exponent,
        t("± {error}; law: 0.5", error=grouped(result.exponent_error or 0.0, decimals))
        if has_error
        else t("the text has 0.5"),
        help=typeset(
            t.sentences(
                t("The deviation of q·k grows like d_k to this power."),
                t("± is its standard error.") if has_error else "",
                exponent_limit_words(result, t) if has_error else "",
            )
        ),
    )
    scaled, expected = alike(last.scaled_deviation, math.sqrt(last.expected_variance / last.d_k))
    workspace.metric(
        t("Deviation, scaled"),
        scaled,
        t("expected {expected}", expected=expected),
        help=typeset(
            t(
                "Standard deviation of q·k after the division by √d_k, at d_k = {d_k}.",
                d_k=f"{last.d_k:,}",
            )
        ),
    )
    limit = band_limit_words(result, t)
    workspace.metric(
        t("In the 95% band"),
        t(
            "{inside} of {count}",
            inside=sum(width.is_inside for width in result.widths),
            count=len(result.widths),
        ),
        t("a rough band") if limit else t("of the sampling error"),
        help=limit or t("About one point in 20 lies outside by chance."),
    )


def notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these samples."""
    if len(result.widths) < 2:
        return [t("One value of d_k shows no growth; list two or more.")]
    if not result.params.assumed:
        return [broken_said(result, t), after_said(result, t)]
    return [growth_said(result, t), after_said(result, t)]


def width_said(result: Result, t: Translator) -> str:
    """Return whose distribution is shown, where that which was chosen is not in the list."""
    chosen, shown = int(state.word("width")), state.shown_width(result)
    if chosen in (0, shown):
        return ""
    return t(
        "d_k = {chosen} is not in the list; the distribution shown is that of d_k = {shown}.",
        chosen=f"{chosen:,}",
        shown=f"{shown:,}",
    )


def growth_said(result: Result, t: Translator) -> str:
    """Return how much the deviation grows where the assumption of the text holds."""
    first, last = result.widths[0], result.widths[-1]
    names = {"first": f"{first.d_k:,}", "last": f"{last.d_k:,}"}
    root = "√{last}" if first.d_k == 1 else "√({last}/{first})"
    if first.deviation == 0:
        return t("All samples at d_k = {first} are equal; their growth has no measure.", **names)
    return t(
        "The deviation at d_k = {last} is {measured} times that at d_k = {first}; "
        "{root} is {expected}.",
        measured=f"{last.deviation / first.deviation:,.3g}",
        root=root.format(**names),
        expected=f"{math.sqrt(last.d_k / first.d_k):,.3g}",
        **names,
    )


def after_said(result: Result, t: Translator) -> str:
    """Return what is left of the growth after the division by the square root of d_k."""
    values = [width.scaled_deviation for width in result.widths]
    least, most = alike(min(values), max(values))
    return t(
        "Divided by √d_k the deviation lies between {least} and {most} at every d_k.",
        least=least,
        most=most,
    )


def broken_said(result: Result, t: Translator) -> str:
    """Return what a broken assumption does to the law, by what is derived for it."""
    first, last = result.widths[0], result.widths[-1]
    expected = [math.sqrt(width.expected_variance / width.d_k) for width in (first, last)]
    first_said, last_said = alike(*expected)
    correlation = number_in_full(float(result.params.correlation))
    if result.params.correlation and first_said == last_said:
        return t(
            "A correlation of {correlation} is hardly felt at these d_k: the deviation still grows "
            "nearly like √d_k; it is expected to be {expected} after the division.",
            correlation=correlation,
            expected=first_said,
        )
    if not result.params.correlation:
        return t(
            "With σ = {sigma} and mean {mean} the deviation still grows like √d_k; it is expected "
            "to be {expected} after the division, where the text has σ = 1, mean 0 and so 1.",
            sigma=number_in_full(float(result.params.sigma)),
            mean=number_in_full(float(result.params.mean)),
            expected=apart_from_one(expected[0]),
        )
    return t(
        "Correlated components add up: the deviation grows faster than √d_k, and the division "
        "leaves an expected {first} at d_k = {low} but {last} at d_k = {high}.",
        first=first_said,
        last=last_said,
        low=f"{first.d_k:,}",
        high=f"{last.d_k:,}",
    )


def apart_from_one(value: float) -> str:
    """Return a number with more decimals than usual where without them it would look like 1."""
    for decimals in range(DIGITS, MOST_DECIMALS + 1):
        said = grouped(value, decimals)
        if float(f"{value:.{decimals}f}") != 1:
            break
    return alike(value)[0] if decimals == DIGITS else said


def normal(result: Result, t: Translator) -> None:
    """Say why the shape is normal at large d_k, and where it is not."""
    st.markdown(f"**{t('Is it a normal distribution?')}**")
    params = result.params
    if params.correlation:
        said = t(
            "A dot product is a sum of d_k products. Where its components are not independent, no "
            "simple law says how near it comes to a normal one; the points show it."
        )
    elif not params.mean:
        said = t(
            "A dot product is a sum of d_k products. With independent components the excess "
            "kurtosis of the sum falls like 1/d_k, so the normal curve is a good picture at large "
            "d_k and a poor one at small d_k."
        )
    else:
        one = expected_kurtosis(1, params.distribution, params.mean / params.sigma) or 0.0
        said = t(
            "A dot product is a sum of d_k products. With independent components the excess "
            "kurtosis of the sum is that of one product, {excess}, divided by d_k, so that it "
            "comes nearer to a normal distribution as d_k grows.",
            excess=measured_number(one, DIGITS),
        )
    st.markdown(typeset(said))

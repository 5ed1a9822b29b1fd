"""Gradient: what saturation leaves of it, and why that is not the whole story."""

from __future__ import annotations

import math

from engine.experiments.scaling.reach import ReachResult
from pages.figures.numerals import measured_number
from pages.figures.scaling.gradient import REACHED as NAMES
from pages.gallery.scaling_head import JACOBIAN, NORM, REACH, REACHED, ReachView
from pages.text import Translator
from pages.text.scaling_readings import with_error
from pages.text.scaling_words import gradient_symbol
from pages.ui import settings, workspace
from pages.ui.maths import typeset
from pages.ui.scaling import computing, figures, state

DIGITS = 3
SURE = 3  # standard errors
# With fewer the standard error of a ratio is rough: a few heads carry most of the gradient.
LEAST_HEADS, LEAST_T = 8, 8
LONGEST = 13  # signs of a tile


def draw() -> None:
    """Draw the tab of gradients."""
    t = settings.translate()
    result = computing.reach(t)
    view = state.reach_view(result)
    workspace.draw(
        lambda: numbers(result, name_of(view), t),
        lambda: workspace.notice(
            t, *map(typeset, [*notices(result, name_of(view), t), row_said(result, view, t)])
        ),
        lambda: workspace.side_by_side(
            lambda: figures.show(NORM, result),
            lambda: figures.show(REACH, result, view),
        ),
    )
    figures.show(JACOBIAN, result, view)


def row_said(result: ReachResult, view: ReachView, t: Translator) -> str:
    """Return which row is shown, where that which was chosen is not there."""
    chosen = int(state.word("row"))
    if chosen == view.row:
        return ""
    return t(
        "There is no row {chosen} among {T} tokens; the Jacobian shown is that of row {shown}.",
        chosen=chosen,
        T=result.params.T,
        shown=view.row,
    )


def controls(t: Translator) -> None:
    """Draw the choice of the gradients that are shown."""
    words = {name: t(title) for name, title in REACHED.items()}
    figures.choose(t("Gradient of"), "reached", words, t)


def name_of(view: ReachView) -> str:
    """Return the gradient that numbers and words are about: the first one of the figure."""
    return NAMES[view.of][0]


def largest(result: ReachResult) -> int:
    """Return the largest d_k at which the gradients were measured."""
    return max(result.ratios)


def ratio_of(result: ReachResult, name: str = "w_q") -> tuple[float, float]:
    """Return how many times as large a gradient is unscaled, and its standard error."""
    return result.ratios[largest(result)][name]


def numbers(result: ReachResult, name: str, t: Translator) -> None:
    """Draw the norm of the Jacobian and one gradient at the largest d_k, unscaled and scaled."""
    d_k = largest(result)
    both = [result.found[d_k, scaled] for scaled in (False, True)]
    place = {"d_k": f"{d_k:,}"}
    about = typeset(t("unscaled | ÷√{d_k}", **place))
    workspace.metric(
        t("Jacobian norm"),
        " | ".join(measured_number(each.norm[0], DIGITS) for each in both),
        about,
        help=typeset(
            t(
                "Frobenius norm of the Jacobian of softmax at d_k = {d_k}, mean over the rows of "
                "all heads.",
                **place,
            )
        ),
    )
    symbol = gradient_symbol(name)
    ratio, error = ratio_words(*ratio_of(result, name))
    workspace.metric(
        typeset(t("Gradient of {symbol}", symbol=symbol)),
        " | ".join(measured_number(each.sizes[name][0], 2) for each in both),
        about,
        help=typeset(
            t("Root mean square of its components at d_k = {d_k}, mean over the heads.", **place)
        ),
    )
    workspace.metric(
        typeset(t("Ratio for {symbol}", symbol=symbol)),
        ratio,
        error or t("unscaled ÷ scaled"),
        help=typeset(
            t(
                "How many times as large the gradient of {symbol} is when scores are not scaled, "
                "at d_k = {d_k}; ± is the standard error.",
                symbol=symbol,
                **place,
            )
        ),
    )


def ratio_words(ratio: float, error: float) -> tuple[str, str]:
    """Return a ratio with its error, or both apart where they are too long for one tile."""
    whole = with_error(ratio, error)
    if len(whole) <= LONGEST:
        return whole, ""
    return measured_number(ratio, DIGITS), f"±\N{NO-BREAK SPACE}{measured_number(error, DIGITS)}"


def notices(result: ReachResult, name: str, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these heads."""
    return [norm_said(result, t), reach_said(result, name, t)]


def norm_said(result: ReachResult, t: Translator) -> str:
    """Return how the norm of the Jacobian goes with d_k: it may rise before it falls."""
    d_ks = sorted(result.ratios)
    peak = max(d_ks, key=lambda d_k: result.found[d_k, False].norm[0])
    places = {
        "first": (d_ks[0], False),
        "peak": (peak, False),
        "last": (d_ks[-1], False),
        "scaled_first": (d_ks[0], True),
        "scaled_last": (d_ks[-1], True),
    }
    values = {
        name: measured_number(result.found[place].norm[0], DIGITS) for name, place in places.items()
    } | {"low": f"{d_ks[0]:,}", "high": f"{d_ks[-1]:,}", "top": f"{peak:,}"}
    if len(d_ks) == 1:
        return t(
            "At d_k = {high} the mean norm of the Jacobian is {last} unscaled and {scaled_last} "
            "scaled.",
            **values,
        )
    if peak in (d_ks[0], d_ks[-1]):
        return t(
            "From d_k = {low} to {high} the mean norm of the Jacobian goes from {first} to {last} "
            "unscaled, from {scaled_first} to {scaled_last} scaled.",
            **values,
        )
    return t(
        "Unscaled, the mean norm of the Jacobian rises from {first} to {peak} at d_k = {top}, then "
        "falls to {last} at d_k = {high}; scaled it ends at {scaled_last}.",
        **values,
    )


def reach_said(result: ReachResult, name: str, t: Translator) -> str:
    """Return what reaches the inputs of the scores, which the Jacobian alone would not say.

    That a vanishing gradient is not all is said only where the Jacobian shrinks and the gradient
    grows, each by more than chance.
    """
    d_k, (ratio, error) = largest(result), ratio_of(result, name)
    values = {
        "d_k": f"{d_k:,}",
        "symbol": gradient_symbol(name),
        "ratio": with_error(ratio, error),
    }
    said = t(
        "At d_k = {d_k} the gradient of {symbol} is {ratio} times as large unscaled as scaled.",
        **values,
    )
    if d_k == 1:  # nothing is divided
        return said
    if result.params.repeats < LEAST_HEADS or result.params.T < LEAST_T:
        return t.sentences(said, t("With so few heads or tokens its standard error is rough."))
    if abs(ratio - 1) < SURE * error:
        more = t("With so few heads that is not told apart from 1.")
        return t.sentences(said, more)
    if ratio <= 1 or not _shrinks(result, d_k):
        return said
    return t(
        "Yet the gradient of {symbol} is then {ratio} times as large unscaled, since scaling "
        "divides it too, by {root}. A vanishing gradient is not the whole truth.",
        root=f"{math.sqrt(d_k):.3g}",
        **values,
    )


def _shrinks(result: ReachResult, d_k: int) -> bool:
    """Whether the norm of the Jacobian is smaller unscaled than scaled, by more than chance."""
    (unscaled, one), (scaled, other) = (result.found[d_k, way].norm for way in (False, True))
    return scaled - unscaled > SURE * math.hypot(one, other)

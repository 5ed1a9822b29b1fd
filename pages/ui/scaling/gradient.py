"""Gradient: what saturation leaves of it, and why that is not the whole story."""

from __future__ import annotations

import math

from engine.experiments.scaling.reach import ReachResult
from engine.experiments.scaling.saturation import Rule, SaturationResult
from pages.figures.numerals import measured_number
from pages.gallery.scaling import SATURATION, MeasureView
from pages.gallery.scaling_head import JACOBIAN, REACH, REACHED, ReachView
from pages.text import Translator
from pages.text.scaling_readings import times_words
from pages.ui import settings, workspace
from pages.ui.scaling import computing, figures, state
from pages.ui.scaling.maths import typeset

DIGITS = 3
RULES: tuple[Rule, Rule] = ("unscaled", "sqrt")


def draw() -> None:
    """Draw the tab of gradients."""
    t = settings.translate()
    rows, result = computing.saturation(t), computing.reach(t)
    view = ReachView(next(each for each in state.REACHED if each == state.get("reached")))
    workspace.draw(
        lambda: numbers(rows, result, t),
        lambda: workspace.notice(t, *map(typeset, notices(rows, result, t))),
        lambda: workspace.side_by_side(
            lambda: figures.show(SATURATION, rows, MeasureView("jacobian"), "scaling-norm"),
            lambda: figures.show(REACH, result, view),
        ),
    )
    figures.show(JACOBIAN, result)


def controls(t: Translator) -> None:
    """Draw the choice of the gradients that are shown."""
    words = {name: t(title) for name, title in REACHED.items()}
    figures.choose(t("Gradient of"), "reached", words, t)


def largest(result: ReachResult) -> int:
    """Return the largest d_k at which the gradients were measured."""
    return max(result.ratios)


def ratio_of(result: ReachResult) -> tuple[float, float]:
    """Return how many times as large the gradient of W_Q is undivided, and its standard error."""
    return result.ratios[largest(result)]["w_q"]


def common_d_k(rows: SaturationResult, result: ReachResult) -> int:
    """Return at which d_k the Jacobian is looked at: that of the gradients, if it was measured."""
    d_k = largest(result)
    return d_k if d_k in rows.d_ks else rows.d_ks[-1]


def numbers(rows: SaturationResult, result: ReachResult, t: Translator) -> None:
    """Draw the norm of the Jacobian, and the gradient of W_Q, not divided and divided."""
    d_k, reached = common_d_k(rows, result), largest(result)
    norms = (rows.found[d_k, rule].jacobian for rule in RULES)
    about = typeset(t("no division | ÷√d_k"))
    workspace.metric(
        t("Jacobian norm"),
        " | ".join(measured_number(each, DIGITS) for each in norms),
        about,
        help=typeset(
            t(
                "Frobenius norm of the Jacobian of softmax, mean over the rows, at d_k = {d_k}.",
                d_k=f"{d_k:,}",
            )
        ),
    )
    sizes = (result.found[reached, scaled].sizes["w_q"] for scaled in (False, True))
    workspace.metric(
        typeset(t("Gradient of W_Q")),
        " | ".join(measured_number(size, 2) for size, _ in sizes),
        about,
        help=typeset(
            t(
                "Root mean square of its components at d_k = {d_k}, mean over the draws.",
                d_k=f"{reached:,}",
            )
        ),
    )
    workspace.metric(
        t("Larger, not divided"),
        t("{times} ×", times=times_words(*ratio_of(result))),
        typeset(t("√d_k = {root}", root=f"{math.sqrt(reached):.3g}")),
        help=typeset(
            t(
                "How many times as large the gradient of W_Q is when scores are not divided, at "
                "d_k = {d_k}; ± is the standard error.",
                d_k=f"{reached:,}",
            )
        ),
    )


def notices(rows: SaturationResult, result: ReachResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these draws."""
    return [norm_said(rows, common_d_k(rows, result), t), reach_said(result, t)]


def norm_said(rows: SaturationResult, d_k: int, t: Translator) -> str:
    """Return how the norm of the Jacobian goes with d_k, up to a given one."""
    low = rows.d_ks[0]
    places: dict[str, tuple[int, Rule]] = {
        "first": (low, "unscaled"),
        "last": (d_k, "unscaled"),
        "scaled_first": (low, "sqrt"),
        "scaled_last": (d_k, "sqrt"),
    }
    values = {
        name: measured_number(rows.found[place].jacobian, DIGITS) for name, place in places.items()
    }
    if low == d_k:
        return t(
            "At d_k = {d_k} the mean norm of the Jacobian is {last} not divided and {scaled_last} "
            "divided.",
            d_k=f"{d_k:,}",
            **values,
        )
    return t(
        "From d_k = {low} to {high} the mean norm of the Jacobian goes from {first} to {last} not "
        "divided, and from {scaled_first} to {scaled_last} divided.",
        low=f"{low:,}",
        high=f"{d_k:,}",
        **values,
    )


def reach_said(result: ReachResult, t: Translator) -> str:
    """Return what reaches the projections, which the Jacobian alone would not say."""
    d_k, (ratio, error) = largest(result), ratio_of(result)
    root = math.sqrt(d_k)
    values = {"d_k": f"{d_k:,}", "ratio": times_words(ratio, error)}
    if not 1 < ratio < root:
        return t(
            "At d_k = {d_k} the gradient of W_Q is {ratio} times as large without the division.",
            **values,
        )
    return t(
        "Yet at d_k = {d_k} the gradient of W_Q at the start is {ratio} times as large without the "
        "division: the division divides it too, by {root}, and saturation takes back only a "
        "factor of {lost}. A vanishing gradient is not the whole truth.",
        root=f"{root:.3g}",
        lost=f"{root / ratio:.2g}",
        **values,
    )

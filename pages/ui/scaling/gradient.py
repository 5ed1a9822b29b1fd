"""Gradient: what saturation leaves of it, and why that is not the whole story."""

from __future__ import annotations

import math

from engine.experiments.scaling.reach import Reach, ReachResult
from engine.experiments.scaling.saturation import Rule, SaturationResult
from pages.figures.numerals import measured_number
from pages.gallery.scaling import SATURATION, MeasureView
from pages.gallery.scaling_head import JACOBIAN, REACH, REACHED, ReachView
from pages.text import Translator
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


def at_the_largest(result: ReachResult) -> tuple[Reach, Reach]:
    """Return the gradients at the largest d_k: not divided, and divided."""
    d_k = max(d_k for d_k, _ in result.found)
    return result.found[d_k, False], result.found[d_k, True]


def ratio_of(result: ReachResult) -> float:
    """Return how many times as large the gradient of W_Q is when scores are not divided."""
    unscaled, scaled = at_the_largest(result)
    return unscaled.sizes["w_q"][0] / scaled.sizes["w_q"][0]


def numbers(rows: SaturationResult, result: ReachResult, t: Translator) -> None:
    """Draw the norm of the Jacobian, and the gradient of W_Q, not divided and divided."""
    widest = rows.d_ks[-1]
    norms = (rows.found[widest, rule].jacobian for rule in RULES)
    about = t("no division | ÷√d_k")
    workspace.metric(
        t("Jacobian norm"),
        " | ".join(measured_number(each, DIGITS) for each in norms),
        about,
        help=t(
            "Frobenius norm of the Jacobian of softmax, mean over the rows, at d_k = {d_k}.",
            d_k=f"{widest:,}",
        ),
    )
    both = at_the_largest(result)
    workspace.metric(
        t("Gradient of W_Q"),
        " | ".join(measured_number(each.sizes["w_q"][0], 2) for each in both),
        about,
        help=t(
            "Root mean square of its components at d_k = {d_k}, mean over the draws.",
            d_k=f"{both[0].d_k:,}",
        ),
    )
    workspace.metric(
        t("Larger, not divided"),
        t("{times} ×", times=f"{ratio_of(result):.2g}"),
        t("√d_k = {root}", root=f"{math.sqrt(both[0].d_k):.3g}"),
        help=t("How many times as large the gradient of W_Q is when scores are not divided."),
    )


def notices(rows: SaturationResult, result: ReachResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these draws."""
    return [norm_said(rows, t), reach_said(result, t)]


def norm_said(rows: SaturationResult, t: Translator) -> str:
    """Return how the norm of the Jacobian goes with d_k."""
    low, high = rows.d_ks[0], rows.d_ks[-1]
    ends = [
        measured_number(rows.found[d_k, rule].jacobian, DIGITS)
        for rule in RULES
        for d_k in (low, high)
    ]
    values = dict(zip(("first", "last", "scaled_first", "scaled_last"), ends, strict=True))
    return t(
        "The Jacobian of softmax goes from {first} to {last} not divided, and from {scaled_first} "
        "to {scaled_last} divided, between d_k = {low} and {high}.",
        low=f"{low:,}",
        high=f"{high:,}",
        **values,
    )


def reach_said(result: ReachResult, t: Translator) -> str:
    """Return what reaches the projections, which the Jacobian alone would not say."""
    d_k, ratio = at_the_largest(result)[0].d_k, ratio_of(result)
    root = math.sqrt(d_k)
    if not 1 < ratio < root:
        return t(
            "At d_k = {d_k} the gradient of W_Q is {ratio} times as large without the division.",
            d_k=f"{d_k:,}",
            ratio=f"{ratio:.2g}",
        )
    return t(
        "Yet at the start the gradient of W_Q is {ratio} times as large without the division, at "
        "d_k = {d_k}: the division divides it too, by {root}, and saturation takes back only a "
        "factor of {lost}. A vanishing gradient is not the whole truth.",
        ratio=f"{ratio:.2g}",
        d_k=f"{d_k:,}",
        root=f"{root:.3g}",
        lost=f"{root / ratio:.2g}",
    )

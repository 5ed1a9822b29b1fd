"""What each tab computes, with its formulas, for a reader who wants to follow or to teach it."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.experiments.scaling.course import DIVERGED
from engine.experiments.scaling.saturation import MOST_SHARING, NEARLY_ONE
from engine.experiments.scaling.task import CONFIDENCE
from engine.experiments.scaling.training import LAST
from pages.figures.numerals import number
from pages.text import Translator
from pages.ui import explained
from pages.ui.scaling import state


def draw(tab: str, t: Translator) -> None:
    """Draw what a tab computes, folded: formulas, and sentences on how the numbers come about."""
    formula, sentences = _OF_TAB[tab]
    explained.draw(formula, [t.sentences(*sentences(t))], t)


def of_variance(t: Translator) -> list[str]:
    """Return where the square root of d_k comes from."""
    return [
        t(
            "Where the components are independent and have mean 0 and variance 1, so have their "
            "products {product}, and the variances of independent terms add up: d_k of them make "
            "d_k, and the division by √d_k brings it back to 1.",
            product="$q_i k_i$",
        ),
        t(
            "For each d_k, N pairs of q and k are drawn, and the law is fitted by least squares "
            "to the logarithms of both axes."
        ),
        t(
            "With standard deviation σ, mean μ and correlation ρ of the components the variance of "
            "q·k is {variance}, which grows like the square of d_k as soon as they are correlated.",
            variance=r"$d_k\,\sigma^2\,[\,\sigma^2+2\mu^2+(d_k-1)\,\rho\,(2\mu^2+\rho\,\sigma^2)]$",
        ),
    ]


def of_saturation(t: Translator) -> list[str]:
    """Return what is measured of a row of weights."""
    return [
        t(
            "The exponent c of d_k is 0 (not divided), 1/2, 1, or your own; all of them see the "
            "same scores."
        ),
        t(
            "The effective keys are {effective} with the entropy {entropy} of a row: 1 when one "
            "key has all the weight, S when all keys have the same.",
            effective="$e^{H}$",
            entropy=r"$H=-\sum_j a_j\ln a_j$",
        ),
        t(
            "A row counts as saturated when its largest weight is above {nearly}.",
            nearly=NEARLY_ONE,
        ),
        t(
            "Up to {sharing} queries see the same keys, as the tokens of one sequence do; the "
            "standard errors allow for it.",
            sharing=MOST_SHARING,
        ),
    ]


def of_gradient(t: Translator) -> list[str]:
    """Return how the gradient goes back through one head."""
    return [
        t(
            "The Jacobian says how a row of weights answers to the scores {scores} that enter "
            "softmax; where one weight is 1 and all others are 0, every entry is 0.",
            scores="$z$",
        ),
        t(
            "On the way to W_Q and W_K a gradient passes through the Jacobian, and then through "
            "the division, which makes it √d_k times smaller."
        ),
        t(
            "They are computed by hand-written backpropagation for a head at its start: x and the "
            "gradient of its output are standard normal, and the projections are standard normal "
            "divided by √d_model, with d_model = d_v = d_k."
        ),
    ]


def of_training(t: Translator) -> list[str]:
    """Return what the head is to learn."""
    S = state.pairs()
    return [
        t(
            "The task is to recall: S keys, standard normal vectors {keys} that stay the same, "
            "hold S symbols {held}, which are dealt anew in every example. One key is asked for "
            "as {asked}, and the head must name the symbol {right} that it holds, so it must learn "
            "where to look.",
            keys="$X$",
            held="$y_j$",
            asked="$x$",
            right="$y$",
        ),
        t(
            "The divisor {divisor} is √d_k with the division and 1 without it; the start of a seed "
            "and its examples are the same for both.",
            divisor=r"$\tau$",
        ),
        t(
            "W_V, from symbols to their logits, starts at {confidence} times the identity: to look "
            "at the right key alone leaves a loss of {least} at S = {S}.",
            confidence=f"{CONFIDENCE:g}",
            least=number(math.log1p((S - 1) * math.exp(-CONFIDENCE)), 3),
            S=S,
        ),
        t(
            "A run has diverged from the step on at which its loss or its gradient is undefined or "
            "above {most}.",
            most=f"{DIVERGED:,.0f}",
        ),
        t(
            "This is one task, with the same keys in every example; it does not say that no head "
            "could learn without the division."
        ),
    ]


def of_rates(t: Translator) -> list[str]:
    """Return what a sweep is."""
    return [
        t(
            "Every learning rate trains a head of its own, with the division and without it, from "
            "the start; what counts is the mean loss over the last 1/{last} of the steps.",
            last=LAST,
        ),
        *of_training(t),
    ]


_SPREAD = (
    r"q\cdot k=\sum_{i=1}^{d_k}q_i\,k_i,\qquad "
    r"\operatorname{Var}(q\cdot k)=\sum_{i=1}^{d_k}\operatorname{E}[q_i^2]\,"
    r"\operatorname{E}[k_i^2]=d_k,\qquad "
    r"\operatorname{Var}\!\left(\frac{q\cdot k}{\sqrt{d_k}}\right)=1"
)
_WEIGHTS = r"a_j=\frac{e^{s_j}}{\sum_{l=1}^{S}e^{s_l}},\qquad s_j=\frac{q\cdot k_j}{d_k^{\,c}}"
_BACK = (
    r"J=\frac{\partial a}{\partial z}=\operatorname{diag}(a)-a\,a^{\mathsf T},\qquad "
    r"\|J\|_F=\sqrt{\textstyle\sum_{ij}J_{ij}^2},\qquad "
    r"\frac{\partial L}{\partial Q}=\frac{1}{\sqrt{d_k}}\,\frac{\partial L}{\partial Z}\,K,\qquad "
    r"\frac{\partial L}{\partial W_Q}=X^{\mathsf T}\frac{\partial L}{\partial Q}"
)
_RECALL = (
    r"a=\operatorname{softmax}\!\left(\frac{x\,W_Q\,(X\,W_K)^{\mathsf T}}{\tau}\right),\qquad "
    r"p=\operatorname{softmax}\!\left(\sum_{j=1}^{S}a_j\,e_{y_j}W_V\right),\qquad "
    r"L=-\ln p_y"
)
_OF_TAB: dict[str, tuple[str, Callable[[Translator], list[str]]]] = {
    "variance": (_SPREAD, of_variance),
    "saturation": (_WEIGHTS, of_saturation),
    "gradient": (_BACK, of_gradient),
    "training": (_RECALL, of_training),
    "rates": (_RECALL, of_rates),
}

"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab.

The numbers are those of the usual values of each tab, whatever is chosen; a button shows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import streamlit as st

from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.reach import ReachParams
from engine.experiments.scaling.saturation import TABLE, Rule, SaturationParams
from engine.experiments.scaling.variance import Params
from pages.figures.numerals import measured_number, number
from pages.text import Translator, mark
from pages.text.scaling_readings import times_words
from pages.ui import settings
from pages.ui.scaling import computing, gradient, state, training
from pages.ui.scaling.maths import typeset

DIGITS = 3
BADGE_WIDTH = 144
LINE_WIDTH = 600
VERDICTS = {
    "confirmed": (mark("Confirmed"), "green", ":material/check:"),
    "quantified": (mark("Quantified"), "blue", ":material/straighten:"),
    "qualified": (mark("Qualified"), "orange", ":material/balance:"),
}


@dataclass(frozen=True)
class Checked:
    """One claim as it is decided here.

    Attributes
    ----------
    claim : int
        Its number.
    title : str
        A marked text: what is claimed.
    decides : tuple of str
        Marked texts: the sentences that decide it.
    verdict : str
        A name in ``VERDICTS``.
    tab : str
        Where it is seen.
    measure : callable
        Returns the measured numbers of the sentences, computed on the backend of a given name.
    choices : dict
        What is chosen on that tab, beside the usual input that the numbers belong to.
    """

    claim: int
    title: str
    decides: tuple[str, ...]
    verdict: str
    tab: str
    measure: Callable[[str], dict[str, object]]
    choices: dict[str, object] = field(default_factory=dict)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims with their verdicts: those of the present tab, the others folded.

    What the others need is computed once they are unfolded.
    """
    here = [claim for claim in CLAIMS if claim.tab == tab]
    others = [claim for claim in CLAIMS if claim.tab != tab]
    if here:
        st.markdown(f"**{t('Checked on this tab')}**")
        draw_claims(here, tab, t)
    folded = t("Checked on other tabs") if here else t("Checked on this page")
    with st.expander(folded, key=state.key("checked.others"), on_change="rerun") as unfolded:
        if unfolded.open:
            draw_claims(others, tab, t)


def draw_claims(claims: list[Checked], tab: str, t: Translator) -> None:
    """Draw some claims, and what their numbers are of."""
    st.caption(
        t("The numbers are those of the usual values; a button shows them where they stand.")
    )
    with st.container(gap="xsmall"):
        for claim in claims:
            draw_claim(claim, t("Show") if claim.tab == tab else t(state.TABS[claim.tab]), t)


def draw_claim(claim: Checked, way: str, t: Translator) -> None:
    """Draw one claim in a line, with a button called ``way``."""
    title, colour, icon = VERDICTS[claim.verdict]
    with st.spinner(t("Measuring …")):
        values = claim.measure(settings.backend().name)
    with st.container(horizontal=True, gap="small"):
        with st.container(width=BADGE_WIDTH):
            st.badge(t(title), icon=icon, color=colour)  # type: ignore[arg-type]
        with st.container(width=LINE_WIDTH):
            decides = (t(sentence, **values) for sentence in claim.decides)
            # The space ends the bold words: Markdown would read on from ”** to a letter.
            st.markdown(typeset(f"**{t(claim.title)}** {t.sentences(*decides)}"))
        st.button(
            way,
            key=state.key(f"checked.{claim.claim}"),
            type="tertiary",
            icon=":material/arrow_forward:",
            help=t("Claim {claim}: show where it is measured", claim=claim.claim),
            on_click=state.show_usual,
            args=(claim.tab,),
            kwargs=claim.choices,
        )


@lru_cache(maxsize=4)
def of_variance(backend: str) -> dict[str, object]:
    """Return how far dot products spread at the widths of the text's table."""
    result = computing.VARIANCE(Params(), backend, computing.unheard)
    found = {width.d_k: measured_number(width.deviation, 2) for width in result.widths}
    return {
        "exponent": number(result.exponent or math.nan, DIGITS),
        "error": number(result.exponent_error or math.nan, DIGITS),
        "d_ks": _listing(f"{d_k:,}" for d_k in TABLE),
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
    result = computing.SATURATION(SaturationParams(), backend, computing.unheard)

    def row(rule: Rule, measure: str, decimals: int, times: float = 1) -> str:
        values = (getattr(result.found[d_k, rule], measure) for d_k in TABLE)
        return _listing(number(times * float(value), decimals) for value in values)

    return {
        "d_ks": _listing(f"{d_k:,}" for d_k in TABLE),
        "keys": result.params.keys,
        "largest": row("unscaled", "largest", 3),
        "effective": row("unscaled", "effective", 2),
        "saturated": row("unscaled", "saturated", 1, 100),
        "scaled": row("sqrt", "largest", 3),
        "scaled_effective": row("sqrt", "effective", 1),
        "norms": row("unscaled", "jacobian", 3),
        "scaled_norms": row("sqrt", "jacobian", 3),
    }


@lru_cache(maxsize=4)
def of_training(backend: str) -> dict[str, object]:
    """Return what training comes to, and the gradient of W_Q at its start."""
    result = training.usual()
    reach = computing.REACH(ReachParams(), backend, computing.unheard)
    values: dict[str, object] = {
        f"{way}_{measure}": measured_number(
            result.final(measure, scaled=way == "scaled") or math.nan, DIGITS
        )
        for way in ("scaled", "unscaled")
        for measure in ("loss", "accuracy")
    }  # fmt: skip
    return values | {
        "d_k": f"{result.params.d_k:,}",
        "steps": f"{result.params.steps:,}",
        "guess": number(math.log(result.params.pairs), DIGITS),
        "ratio": times_words(*gradient.ratio_of(reach)),
        "reach_d_k": f"{gradient.largest(reach):,}",
    }


def _listing(values: object) -> str:
    return ", ".join(values)  # type: ignore[arg-type]


CLAIMS = (
    Checked(
        1,
        mark("“The variance of q·k is d_k.”"),
        (
            mark(
                "Deviations {deviations} at d_k = {d_ks}; they grow like d_k to the power "
                "{exponent} ± {error}, and 0.5 is claimed."
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
            "“Unscaled, softmax is slightly sharp at 16, near saturation at 64, useless at 1,024.”"
        ),
        (
            mark(
                "{keys} keys, d_k = {d_ks}: mean largest weight {largest}; effective keys "
                "{effective}; rows over 0.99: {saturated} %."
            ),
            mark("Divided by √d_k: {scaled}, and {scaled_effective} effective keys."),
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
                "Its mean Frobenius norm at d_k = {d_ks}: {norms} not divided, {scaled_norms} "
                "divided."
            ),
        ),
        "confirmed",
        "gradient",
        of_saturation,
    ),
    Checked(
        5,
        mark("“So without the division training stalls.”"),
        (
            mark(
                "In this task it does: after {steps} steps at d_k = {d_k} the accuracy is "
                "{unscaled_accuracy} without the division and {scaled_accuracy} with it, the loss "
                "{unscaled_loss} and {scaled_loss}; guessing has {guess}."
            ),
            mark(
                "Yet at the start of a head of random weights, at d_k = {reach_d_k}, the gradient "
                "of W_Q is {ratio} times as large without it (standard error), so a vanishing "
                "gradient is not the whole story."
            ),
        ),
        "qualified",
        "training",
        of_training,
    ),
)

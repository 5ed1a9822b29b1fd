"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab.

The numbers are those of the textbook example, whatever is chosen; a claim's button chooses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import streamlit as st

from engine.experiments.masks import Params, run
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.mistakes import (
    FAR_UNDERFLOW,
    Dtype,
    MistakesParams,
    make_mistakes,
)
from engine.experiments.masks.precision import Precision
from pages.figures.numerals import measured_number, number
from pages.text import Translator, mark
from pages.ui import settings
from pages.ui.masks import state

DIGITS = int(str(state.DEFAULTS["decimals"]))  # as its button shows it
BADGE_WIDTH = 144
LINE_WIDTH = 600
VERDICTS = {
    "confirmed": (mark("Confirmed"), "green", ":material/check:"),
    "wrong": (mark("Wrong"), "red", ":material/close:"),
    "as_stated": (mark("Wrong as stated"), "red", ":material/close:"),
    "slip": (mark("Slip"), "orange", ":material/edit:"),
    "reconciled": (mark("Reconciled"), "blue", ":material/join:"),
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
    values : dict
        The measured numbers of the sentences.
    tab : str
        Where it is seen.
    choices : dict
        What is chosen on that tab, beside the input and the masks that the numbers belong to.
    """

    claim: int
    title: str
    decides: tuple[str, ...]
    verdict: str
    tab: str
    values: dict[str, object] = field(default_factory=dict)
    choices: dict[str, object] = field(default_factory=dict)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims with their verdicts: those of the present tab, the others folded."""
    claims = claims_of(settings.backend().name)
    here = [claim for claim in claims if claim.tab == tab]
    others = [claim for claim in claims if claim.tab != tab]
    if here:
        st.markdown(f"**{t('Checked on this tab')}**")
        draw_claims(here, tab, t)
    folded = t("Checked on other tabs") if here else t("Checked on this page")
    with st.expander(folded, key=state.key("checked.others")):
        draw_claims(others, tab, t)


def draw_claims(claims: list[Checked], tab: str, t: Translator) -> None:
    """Draw some claims, and what their numbers are of."""
    st.caption(
        t("The numbers are those of the textbook example; a button shows them where they stand.")
    )
    with st.container(gap="xsmall"):
        for claim in claims:
            draw_claim(claim, t("Show") if claim.tab == tab else t(state.TABS[claim.tab]), t)


def draw_claim(claim: Checked, way: str, t: Translator) -> None:
    """Draw one claim in a line, with a button called ``way``."""
    title, colour, icon = VERDICTS[claim.verdict]
    with st.container(horizontal=True, gap="small"):
        with st.container(width=BADGE_WIDTH):
            st.badge(t(title), icon=icon, color=colour)  # type: ignore[arg-type]
        with st.container(width=LINE_WIDTH):
            decides = (t(sentence, **claim.values) for sentence in claim.decides)
            # The space ends the bold words: Markdown would read on from ”** to a letter.
            st.markdown(f"**{t(claim.title)}** {t.sentences(*decides)}")
        st.button(
            way,
            key=state.key(f"checked.{claim.claim}"),
            type="tertiary",
            icon=":material/arrow_forward:",
            help=t("Claim {claim}: show where it is measured", claim=claim.claim),
            on_click=state.show_textbook,
            args=(claim.tab,),
            kwargs=claim.choices,
        )


@lru_cache(maxsize=4)
def claims_of(backend: str) -> tuple[Checked, ...]:
    """Return the claims as one backend decides them, on the textbook example."""
    return (*of_mistakes(backend), *of_positions(backend))


def of_mistakes(backend: str) -> tuple[Checked, ...]:
    """Return the claims on minus infinity and on masking after softmax."""
    result = make_mistakes(MistakesParams(), backend=backend)
    before = result.variant("minus-infinity").outcomes
    exact: Dtype = "float64" if "float64" in before else "float32"
    renormalised, zeroed, multiplied = (
        result.variant(name).outcomes[exact] for name in ("renormalise", "zero-after", "times-0-1")
    )
    return (
        Checked(
            12,
            mark("“Minus infinity cannot be represented in floating point, hence −10⁹.”"),
            (
                mark(
                    "IEEE 754 has minus infinity, and bfloat16 has it too; with it all {count} "
                    "formats here come out right."
                ),
                mark("In float16 it is −10⁹ that does not exist: it becomes {half}."),
                mark("The real hazard is a row with nothing left to see: it becomes NaN."),
            ),
            "wrong",
            "mistakes",
            {
                "count": sum(outcome.right for outcome in before.values()),
                "half": number(Precision("float16").held(-1e9), 0),
            },
            {"variant": "minus-1e9", "dtype": "float16"},
        ),
        Checked(
            13,
            mark("“Masking after softmax makes the mask useless.”"),
            (
                mark(
                    "Zeroed and renormalised, the weights differ from the right ones by at most "
                    "{difference}, until the sum underflows: a hidden score {far} above the "
                    "visible scores of its row makes it 0/0, and the float32 column says NaN."
                ),
                mark(
                    "Zeroed alone, rows sum to as little as {sum}, and outputs move by up to "
                    "{leak} when a hidden token changes."
                ),
                mark(
                    "Scores × 0/1 before softmax hide nothing: outputs move by up to {multiplied}."
                ),
            ),
            "as_stated",
            "mistakes",
            {
                "difference": measured_number(renormalised.difference, DIGITS),
                "far": number(FAR_UNDERFLOW, 0),
                "sum": measured_number(zeroed.row_sums[0], DIGITS),
                "leak": measured_number(zeroed.leak, DIGITS),
                "multiplied": measured_number(multiplied.leak, DIGITS),
            },
            {"variant": "renormalise", "dtype": exact},
        ),
    )


def of_positions(backend: str) -> tuple[Checked, ...]:
    """Return the claims on who sees whom."""
    compared = run(Params(), backend=backend)
    moved = measure_influence(Params(), backend=backend)
    T = len(compared.head.tokens)
    after = np.diagonal(moved.b.moves, 1)
    own = np.diagonal(moved.b.moves)
    return (
        Checked(
            14,
            mark("“The encoder uses cross-attention.”"),
            (
                mark(
                    "It uses self-attention: its weights are {T} × {T} over its own tokens, and "
                    "none of the {total} cells is hidden."
                ),
                mark("Cross-attention stands in the decoder."),
            ),
            "slip",
            "compare",
            {"T": T, "total": int(compared.a.visible.sum())},
            {"families": True},
        ),
        Checked(
            15,
            mark("“Position i is predicted from 1 to i − 1”, yet the mask admits j ≤ i."),
            (
                mark("Both hold: output i predicts token i + 1."),
                mark(
                    "Under the causal mask a change of token i + 1 moves output i by {after}, a "
                    "change of token i by at least {own}."
                ),
            ),
            "reconciled",
            "influence",
            {
                "after": measured_number(float(after.max()), DIGITS),
                "own": measured_number(float(own.min()), DIGITS),
            },
            {"side": "b"},
        ),
        Checked(
            17,
            mark("“Changing token 3 changes the output of token 1.”"),
            (
                mark(
                    "By {both} without a mask (mask A), by {causal} under the causal mask (mask B)."
                ),
            ),
            "confirmed",
            "influence",
            {
                "both": measured_number(float(moved.a.moves[0, 2]), DIGITS),
                "causal": measured_number(float(moved.b.moves[0, 2]), DIGITS),
            },
            {"side": "a"},
        ),
    )

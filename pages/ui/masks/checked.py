"""The claims that this page checks: verdict, the number that decides it, the way to its tab."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import streamlit as st

from engine.experiments.masks import Params, run
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.mistakes import Dtype, MistakesParams, make_mistakes
from pages.figures.numerals import measured_number, number
from pages.text import Translator, mark
from pages.ui import settings
from pages.ui.masks import state

DIGITS = 3  # decimals of a number that decides
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
    title, decides : str
        Marked texts: what is claimed, and the sentence that decides it.
    verdict : str
        A name in ``VERDICTS``.
    values : dict
        The measured numbers of the sentence.
    tab : str
        Where it is seen.
    choices : dict
        What is chosen on that tab.
    """

    claim: int
    title: str
    decides: str
    verdict: str
    tab: str
    values: dict[str, object] = field(default_factory=dict)
    choices: dict[str, object] = field(default_factory=dict)


def draw(t: Translator) -> None:
    """Draw the claims with their verdicts."""
    st.markdown(f"**{t('Checked on this page')}**")
    with st.container(gap="xsmall"):
        for claim in claims_of(settings.backend().name):
            draw_claim(claim, t)


def draw_claim(claim: Checked, t: Translator) -> None:
    """Draw one claim in a line."""
    title, colour, icon = VERDICTS[claim.verdict]
    with st.container(horizontal=True, gap="small"):
        with st.container(width=BADGE_WIDTH):
            st.badge(t(title), icon=icon, color=colour)  # type: ignore[arg-type]
        with st.container(width=LINE_WIDTH):
            st.markdown(f"**{t(claim.title)}** {t(claim.decides, **claim.values)}")
        st.button(
            t(state.TABS[claim.tab]),
            key=state.key(f"checked.{claim.claim}"),
            type="tertiary",
            icon=":material/arrow_forward:",
            help=t("Claim {claim}: show where it is measured", claim=claim.claim),
            on_click=state.show_tab,
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
            mark(
                "IEEE 754 has it: with it {right} of {count} formats here are right. In float16 it "
                "is −10⁹ that does not exist: it becomes {half}. The hazard is a row that may look "
                "nowhere."
            ),
            "wrong",
            "mistakes",
            {
                "right": sum(outcome.right for outcome in before.values()),
                "count": len(before),
                "half": number(half(-1e9), 0),
            },
            {"variant": "minus-1e9", "dtype": "float16"},
        ),
        Checked(
            13,
            mark("“Masking after softmax makes the mask useless.”"),
            mark(
                "Zeroed and renormalised, the weights are {difference} off the right ones. Zeroed "
                "alone, rows sum to as little as {sum}, and hidden tokens move outputs by {leak}. "
                "Scores × 0/1 before softmax hide nothing: {multiplied}."
            ),
            "as_stated",
            "mistakes",
            {
                "difference": measured_number(renormalised.difference, DIGITS),
                "sum": measured_number(zeroed.row_sums[0], DIGITS),
                "leak": measured_number(zeroed.leak, DIGITS),
                "multiplied": measured_number(multiplied.leak, DIGITS),
            },
            {"variant": "renormalise"},
        ),
    )


def half(value: float) -> float:
    """Return a number as float16 holds it."""
    with np.errstate(over="ignore"):
        return float(np.float16(value))


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
            mark(
                "It uses self-attention: its weights are {T} × {T} over its own tokens, and "
                "{hidden} of the {cells} cells are hidden. Cross-attention stands in the decoder."
            ),
            "slip",
            "compare",
            {"T": T, "hidden": int((~compared.a.visible).sum()), "cells": T * T},
            {"families": True},
        ),
        Checked(
            15,
            mark("“Position i is predicted from 1 to i − 1”, yet the mask admits j ≤ i."),
            mark(
                "Both hold: output i predicts token i + 1. A change of token i + 1 moves output i "
                "by {after}, a change of token i by at least {own}."
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
            mark("By {both} without a mask, by {causal} under the causal mask."),
            "confirmed",
            "influence",
            {
                "both": measured_number(float(moved.a.moves[0, 2]), DIGITS),
                "causal": measured_number(float(moved.b.moves[0, 2]), DIGITS),
            },
            {"side": "a"},
        ),
    )

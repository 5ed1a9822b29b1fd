"""Printed and computed: what the texts print, beside the arithmetic that decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from engine.experiments.claims.of_worked_example import printed_found
from engine.experiments.printed import PrintedClaim, PrintedLine, printed_claims
from pages.figures.numerals import MINUS, number
from pages.gallery import exhibit
from pages.gallery.printed import name_of
from pages.text import Translator, mark
from pages.text.claims.every import WORDS
from pages.text.printed_words import LINE_VERDICTS, LINES
from pages.ui import choices, figure_view, settings
from pages.ui.checked import badge
from pages.ui.example import state

CLAIMS = {
    6: mark("Textbook, row 1: weights and output"),
    7: mark("Textbook, row 2: output"),
    8: mark("Three scores: weights"),
}
SOURCES = {
    6: mark("Chapter 2, section 2.8, row 1"),
    7: mark("Chapter 2, section 2.8, row 2"),
    8: mark("Section 2.1, part five"),
}


@lru_cache(maxsize=4)
def claims_of(backend_name: str) -> tuple[PrintedClaim, ...]:
    """Return the claims as one backend computes them; they depend on nothing else."""
    return printed_claims(backend=backend_name)


def draw() -> None:
    """Draw the tab of the printed numbers."""
    t = settings.translate()
    claims = claims_of(settings.backend().name)
    st.markdown(
        t(
            "Three results that the source texts print are computed here afresh. Misprint: the "
            "number is off, but follows from the rounded numbers of the line before. Wrong: it "
            "does not follow from the line before."
        )
    )
    names = [str(claim.claim) for claim in claims]
    by_name = dict(zip(names, claims, strict=True))
    chosen = st.segmented_control(
        t("Calculation"),
        options=names,
        format_func=lambda name: t(CLAIMS[int(name)]),
        required=True,
        key=choices.widget(state.key("printed_claim"), t),
        on_change=choices.taker(state.key("printed_claim"), t),
        label_visibility="collapsed",
    )
    draw_claim(by_name[str(chosen)], t)


def checked_here(t: Translator) -> None:
    """Draw the claims that this page checks, with verdicts and the way to their arithmetic."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{t('Checked on this page')}**", width="content")
        for claim in claims_of(settings.backend().name):
            badge(printed_found(claim), t)
            st.button(
                t(CLAIMS[claim.claim]),
                key=state.key(f"checked.{claim.claim}"),
                type="tertiary",
                on_click=show_claim,
                args=(str(claim.claim),),
            )


def show_claim(name: str) -> None:
    """Go to the arithmetic of one claim."""
    state.put("tab", "printed")
    state.put("printed_claim", name)


def draw_claim(claim: PrintedClaim, t: Translator) -> None:
    """Draw one calculation: figure, verdict, the arithmetic that decides."""
    decimals = state.whole("decimals")
    backend = settings.backend().name
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        badge(printed_found(claim), t)
        st.caption(t("Claim {claim} · {source}", claim=claim.claim, source=t(SOURCES[claim.claim])))
    st.markdown(decides(claim, t))
    figure_view.show(
        exhibit(name_of(claim.claim), claims_of(backend), backend=backend),
        f"printed.{claim.claim}",
        decimals=decimals,
    )
    st.markdown(f"**{t('Line by line')}**")
    st.table(line_table(claim, decimals, t), hide_index=True)


def decides(claim: PrintedClaim, t: Translator) -> str:
    """Return the sentence that decides a claim, with the numbers that were printed and computed."""
    return t.sentences(*WORDS[claim.claim].sentences(printed_found(claim), t))


def line_table(claim: PrintedClaim, decimals: int, t: Translator) -> dict[str, list[str]]:
    """Return the calculation line by line: printed, computed, what the printed numbers lead to."""
    shown = [line for line in claim.lines if line.printed or line.computed]
    places = [enough_decimals(line, decimals) for line in shown]
    pairs = list(zip(shown, places, strict=True))
    return {
        t("Line"): [t(LINES[line.name]) for line in shown],
        t("Printed"): [printed_numbers(line.printed, t) for line in shown],
        t("Computed"): [joined(line.computed, place, t) for line, place in pairs],
        t("From the line before, as printed"): [
            joined(line.from_printed, place, t) for line, place in pairs
        ],
        t("Verdict"): [verdict_word(line, t) for line in shown],
    }


def enough_decimals(line: PrintedLine, decimals: int) -> int:
    """Return enough decimals to compare a line with what is printed, and one to judge it by."""
    return max([decimals, *(len(text.partition(".")[2]) + 1 for text in line.printed)])


def printed_numbers(printed: Sequence[str], t: Translator) -> str:
    """Return printed numbers in a row, with a real minus sign, or a dash where there are none."""
    return t.listing(text.replace("-", MINUS) for text in printed) or "–"


def joined(values: tuple[float, ...], decimals: int, t: Translator) -> str:
    """Return numbers in a row, or a dash where there are none."""
    return t.listing(number(value, decimals) for value in values) or "–"


def verdict_word(line: PrintedLine, t: Translator) -> str:
    """Return the verdict of one line in a word."""
    return t(LINE_VERDICTS[line.verdict]) if line.verdict else "–"

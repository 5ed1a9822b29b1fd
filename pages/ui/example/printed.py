"""Printed and computed: what the texts print, beside the arithmetic that decides."""

from __future__ import annotations

import streamlit as st

from engine.experiments.printed import PrintedClaim, PrintedLine, printed_claims
from pages.figures.numerals import number
from pages.figures.worked_example import printed_figure
from pages.text import Translator, mark
from pages.ui import figure_view, settings
from pages.ui.example import state

VERDICTS = {
    "confirmed": (mark("Confirmed"), "green", ":material/check:"),
    "misprint": (mark("Misprint"), "orange", ":material/edit:"),
    "wrong": (mark("Wrong"), "red", ":material/close:"),
}
CLAIMS = {
    6: mark("Textbook, row 1: weights and output"),
    7: mark("Textbook, row 2: output"),
    8: mark("Three scores: weights"),
}
LINES = {
    "scores": mark("scores"),
    "scaled": mark("scaled scores"),
    "exponentials": mark("exponentials"),
    "sum": mark("row sum"),
    "weights": mark("weights"),
    "output": mark("output"),
}
DECIDES = {
    6: mark(
        "The weight 0.450 is a slip of the last digit: the exponentials the text prints give "
        "{from_exponentials}, and the exact ones give {exact_weight}. The output 1.672 follows from "
        "the printed weight; with exact weights it is {exact_output}."
    ),
    7: mark(
        "The printed weights give {from_weights} as the second output, the exact ones {exact_output}; "
        "the printed 1.224 follows from neither."
    ),
    8: mark(
        "The scaled scores 1.05, 0.2 and −0.15 are right, but their softmax is {exact_weights}; "
        "the printed weights follow from no step of this calculation."
    ),
}


def draw() -> None:
    """Draw the tab of the printed numbers."""
    t = settings.translate()
    claims = printed_claims(backend=settings.backend())
    st.markdown(
        t(
            "Three calculations are printed in the two source texts. Each is computed here afresh. "
            "Misprint: the number is off, but follows from the rounded numbers printed before it. "
            "Wrong: it follows from nothing printed before it."
        )
    )
    names = [str(claim.claim) for claim in claims]
    by_name = dict(zip(names, claims, strict=True))
    chosen = st.segmented_control(
        t("Calculation"),
        options=names,
        format_func=lambda name: t(CLAIMS[int(name)]),
        default=names[0],
        required=True,
        key=state.key("printed_claim"),
        persist_state="session",
        label_visibility="collapsed",
    )
    draw_claim(by_name[str(chosen)], t)


def draw_claim(claim: PrintedClaim, t: Translator) -> None:
    """Draw one calculation: figure, verdict, the arithmetic that decides."""
    decimals = int(str(state.get("decimals")))
    title, colour, icon = VERDICTS[claim.verdict]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(t(title), icon=icon, color=colour)  # type: ignore[arg-type]
        st.caption(t("Claim {claim} · printed in: {source}", claim=claim.claim, source=t(claim.source)))
    st.markdown(decides(claim, t))
    figure_view.show(
        lambda style: printed_figure(claim, style), f"printed.{claim.claim}", decimals=decimals
    )
    st.markdown(f"**{t('Line by line')}**")
    st.table(line_table(claim, decimals, t), hide_index=True)


def decides(claim: PrintedClaim, t: Translator) -> str:
    """Return the sentence that decides a claim, with the numbers that were computed."""
    weights, output = claim.line("weights"), claim.line("output")
    values = {
        6: lambda: {
            "from_exponentials": number(weights.from_printed[1], 4),
            "exact_weight": number(weights.computed[1], 4),
            "exact_output": number(output.computed[1], 4),
        },
        7: lambda: {
            "from_weights": number(output.from_printed[1], 3),
            "exact_output": number(output.computed[1], 3),
        },
        8: lambda: {"exact_weights": ", ".join(number(value, 3) for value in weights.computed)},
    }[claim.claim]()
    return t(DECIDES[claim.claim], **values)


def line_table(claim: PrintedClaim, decimals: int, t: Translator) -> dict[str, list[str]]:
    """Return the calculation line by line: printed, computed, what the printed numbers lead to."""
    shown = [line for line in claim.lines if line.printed or line.computed]
    return {
        t("Line"): [t(LINES[line.name]) for line in shown],
        t("Printed"): [", ".join(line.printed) or "–" for line in shown],
        t("Computed"): [joined(line.computed, decimals) for line in shown],
        t("From the printed numbers before"): [joined(line.from_printed, decimals) for line in shown],
        t("Verdict"): [verdict_word(line, t) for line in shown],
    }


def joined(values: tuple[float, ...], decimals: int) -> str:
    """Return numbers in a row, or a dash where there are none."""
    return ", ".join(number(value, decimals) for value in values) or "–"


def verdict_word(line: PrintedLine, t: Translator) -> str:
    """Return the verdict of one line in a word."""
    return t(VERDICTS[line.verdict][0]) if line.verdict else "–"

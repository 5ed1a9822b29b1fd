"""One query: how it divides its attention, with the division and without it, and in between."""

from __future__ import annotations

import streamlit as st

from engine.experiments.one_row import OneRow
from engine.experiments.worked_example import Result
from pages.figures.numerals import number
from pages.figures.one_row import SCREEN, row_of
from pages.gallery import exhibit
from pages.gallery.worked_example import ROW_BARS, ROW_CURVE, View
from pages.text import Translator
from pages.text.markup import quoted
from pages.ui import figure_view, settings
from pages.ui.example import labels, state

MEASURE_WIDTH = 150


def draw(result: Result) -> None:
    """Draw the tab of one row."""
    t, decimals = settings.translate(), state.whole("decimals")
    # A row chosen in a matrix with more rows (K of a longer second input) has no query here.
    state.put("row", min(state.whole("row"), result.sizes.T - 1))
    with st.container(horizontal=True, gap="medium"):
        query_choice(result, t)
        row = state.whole("row")
        found = row_of(result, row)
        measures(found, decimals, t)
        # Beside the numbers, so that it is on screen with the figures; a narrow window wraps it.
        with st.container(width="stretch"):
            notice(result, found, decimals, t)
    with st.container(horizontal=True, gap="small"):
        for name in (ROW_BARS, ROW_CURVE):
            with st.container(width=int(SCREEN.width)):
                shown = exhibit(
                    name,
                    result,
                    params=result.params,
                    view=View(row=row + 1),
                    backend=result.backend_name,
                )
                figure_view.show(shown, name, decimals=decimals)


def query_choice(result: Result, t: Translator) -> None:
    """Draw the choice of the query; it is the row that the six steps show too."""
    names = labels.query_labels(result)
    st.selectbox(
        t("Query"),
        options=list(range(len(names))),
        format_func=lambda index: labels.numbered(names, index),
        key=state.key("row"),
        persist_state="session",
        width=160,
    )


def measures(found: OneRow, decimals: int, t: Translator) -> None:
    """Draw the largest weight and the effective number of keys, divided beside not divided."""
    pairs = (
        (t("Largest weight"), float(found.scaled.max()), float(found.unscaled.max()), None),
        (
            t("Effective keys"),
            found.effective_scaled,
            found.effective_unscaled,
            t("How many keys share the weight: exp of the entropy of the row."),
        ),
    )
    for title, scaled, unscaled, meaning in pairs:
        with st.container(width=MEASURE_WIDTH):
            st.metric(
                title,
                number(scaled, decimals),
                delta=t("{value} if not divided", value=number(unscaled, decimals)),
                delta_color="off",
                delta_arrow="off",
                help=meaning,
            )


def notice(result: Result, found: OneRow, decimals: int, t: Translator) -> None:
    """Draw what to notice, as it is true for this row."""
    st.markdown(f"**{t('What to notice')}**")
    st.markdown(t.sentences(said_of_scaling(result, found, decimals, t), said_of_order(found, t)))


def said_of_scaling(result: Result, found: OneRow, decimals: int, t: Translator) -> str:
    """Return what the division does to this row."""
    keys, visible = labels.key_labels(result), int(found.visible.sum())
    if visible == 1:
        key = quoted(keys[found.leaders[0]])
        return t(
            "Only {key} is visible, so it has all the weight whatever the scores are.", key=key
        )
    if len(found.leaders) == visible:
        return t("All visible scores are equal, so no factor can tell the keys apart.")
    if result.sizes.d_k == 1:
        return t(
            "With $d_k = 1$ the divisor is 1. The curve still shows what larger scores would do: "
            "the weight gathers on the largest one."
        )
    return t(
        r"Dividing by $\sqrt{{d_k}}$ slides the row left along the curve, towards equal weights: "
        "the largest is {scaled} instead of {unscaled}.",
        scaled=number(float(found.scaled.max()), decimals),
        unscaled=number(float(found.unscaled.max()), decimals),
    )


def said_of_order(found: OneRow, t: Translator) -> str:
    """Return what no factor changes; nothing where there is no order."""
    if len(found.leaders) == int(found.visible.sum()):
        return ""
    return t(
        "No factor above 0 changes the order of the weights. Not divided, a wide head would sit "
        "far to the right, where one key takes nearly everything."
    )

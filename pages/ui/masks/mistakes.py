"""Mistakes: each made for real on the same scores, and measured."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from engine.experiments.masks.mistakes import VARIANTS, MistakesResult, Outcome
from pages.figures.numerals import measured_number
from pages.gallery import exhibit
from pages.gallery.mask_trouble import MISTAKE_WEIGHTS, MISTAKES, MistakeView
from pages.text import Translator
from pages.text.mask_words import (
    training_words,
    variant_code,
    variant_title,
    verdict_word,
)
from pages.ui import choices, figure_view, settings
from pages.ui.masks import computing, layout, state

CHOICE_WIDTH = 280


def draw() -> None:
    """Draw the tab of mask mistakes."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.mistakes(t)
    name = str(state.get("variant"))
    layout.workspace(
        lambda: numbers(result, name, decimals, t),
        lambda: words(result, name, t),
        lambda: figure(MISTAKES, result, name, decimals, on_pick=picker(result)),
    )
    figure(MISTAKE_WEIGHTS, result, name, decimals)


def figure(
    entry: str,
    result: MistakesResult,
    name: str,
    decimals: int,
    *,
    on_pick: Callable[[], None] | None = None,
) -> None:
    """Draw a figure of the mistakes."""
    shown = exhibit(
        entry,
        result,
        params=result.params,
        view=MistakeView(name),
        backend=result.backend_name,
    )
    figure_view.show(shown, entry, decimals=decimals, on_pick=on_pick)


def picker(result: MistakesResult) -> Callable[[], None]:
    """Return the callback of a row that was clicked in the table."""

    def pick() -> None:
        cell = figure_view.picked_cell(MISTAKES)
        if cell is not None and 0 <= cell[0] < len(result.variants):
            state.put("variant", result.variants[cell[0]].name)

    return pick


def controls(t: Translator) -> None:
    """Draw the choice of the mistake that is looked at; a click on its row does the same."""
    with st.container(width=CHOICE_WIDTH):
        st.selectbox(
            t("Mistake"),
            options=list(VARIANTS),
            format_func=lambda name: variant_title(name, t),
            key=choices.widget(state.key("variant"), t),
            on_change=choices.taker(state.key("variant"), t),
            label_visibility="collapsed",
        )


def outcome_of(result: MistakesResult, name: str) -> Outcome:
    """Return what a mistake does in the dtype that is looked at."""
    return result.variant(name).outcomes[result.params.dtype]


def numbers(result: MistakesResult, name: str, decimals: int, t: Translator) -> None:
    """Draw the row sums, the difference to the reference and the leak of one mistake."""
    outcome = outcome_of(result, name)
    layout.metric(
        t("Smallest row sum"),
        measured_number(outcome.row_sums[0], decimals),
        t("should be {sum}", sum=1),
        help=t("Over the rows that are not NaN and may see something."),
    )
    layout.metric(
        t("Off the reference"),
        measured_number(outcome.difference, decimals),
        t("largest, of a weight"),
    )
    layout.metric(
        t("Leak"),
        *leak(outcome, decimals, t),
        help=t("How far an output moves when a token that its query may not see changes."),
    )


def leak(outcome: Outcome, decimals: int, t: Translator) -> tuple[str, str]:
    """Return how far hidden tokens move outputs, and what is to be said of it."""
    if outcome.nan_rows:
        return measured_number(outcome.leak, decimals), t(
            "NaN rows: {count}", count=outcome.nan_rows
        )
    if math.isnan(outcome.leak):
        return "–", t("nothing to measure")
    return measured_number(outcome.leak, decimals), t("should be 0")


def words(result: MistakesResult, name: str, t: Translator) -> None:
    """Draw one mistake as code, what training would show, and its verdict in each dtype."""
    variant, outcome = result.variant(name), outcome_of(result, name)
    st.markdown(f"**{variant_title(name, t)}** · `{variant_code(name)}`")
    st.markdown(training_words(result, variant, outcome, t))
    verdicts = (f"{dtype} {verdict_word(each, t)}" for dtype, each in variant.outcomes.items())
    st.caption(" · ".join(verdicts))

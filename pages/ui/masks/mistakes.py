"""Mistakes: each made for real on the same scores, and measured."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from engine.experiments.masks.mistakes import VARIANTS, MistakesResult, Outcome
from pages.figures.masks.mistake_columns import is_rounding
from pages.figures.numerals import measured_number
from pages.gallery import exhibit
from pages.gallery.mask_trouble import MISTAKE_WEIGHTS, MISTAKES, MistakeView
from pages.text import Translator
from pages.text.mask_training import NOT_TRAINED, excess_words, training_words
from pages.text.mask_words import variant_code, variant_title
from pages.ui import choices, figure_view, settings, workspace
from pages.ui.masks import computing, state

CHOICE_WIDTH = 280


def draw() -> None:
    """Draw the tab of mask mistakes."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.mistakes(t)
    view = view_of(result)
    workspace.draw(
        lambda: numbers(result, view, decimals, t),
        lambda: words(result, view, t),
        lambda: figure(MISTAKES, result, view, decimals, on_pick=picker(result)),
    )
    st.caption(t(NOT_TRAINED))  # below the table, so that the whole table is on screen
    figure(MISTAKE_WEIGHTS, result, view, decimals)


def view_of(result: MistakesResult) -> MistakeView:
    """Return the mistake and the number format that are looked at."""
    return MistakeView(
        str(state.get("variant")),
        state.dtype(result.backend_name),
    )


def figure(
    entry: str,
    result: MistakesResult,
    view: MistakeView,
    decimals: int,
    *,
    on_pick: Callable[[], None] | None = None,
) -> None:
    """Draw a figure of the mistakes."""
    shown = exhibit(
        entry,
        result,
        params=result.params,
        view=view,
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


def numbers(result: MistakesResult, view: MistakeView, decimals: int, t: Translator) -> None:
    """Draw the row sums, the difference to the reference and the leak of one mistake."""
    outcome = result.outcome(view.variant, view.dtype)
    workspace.metric(
        t("Smallest row sum"),
        value_of(outcome.row_sums[0], outcome, decimals),
        t("should be {sum}", sum=1) if outcome.judged else t("nothing to measure"),
        help=t.sentences(t("Over the rows that are not NaN."), left_out(result, view, t)),
    )
    workspace.metric(
        t("Off the reference"),
        value_of(outcome.difference, outcome, decimals),
        difference_words(outcome, t),
        help=t.sentences(t("The largest difference of a weight."), left_out(result, view, t)),
    )
    workspace.metric(
        t("Leak"),
        *leak(outcome, decimals, t),
        help=t.sentences(
            t("How far an output moves when a token that its query may not see changes."),
            left_out(result, view, t),
        ),
    )


def value_of(number: float, outcome: Outcome, decimals: int) -> str:
    """Return a measured number as text; a dash where there is nothing to judge."""
    return measured_number(number, decimals) if outcome.judged else "–"


def left_out(result: MistakesResult, view: MistakeView, t: Translator) -> str:
    """Return how many rows see nothing and are in no number; empty where all see something."""
    count = result.outcome(view.variant, view.dtype).empty.count
    if not count:
        return ""
    if result.invents_padding(view.variant):
        return t(
            "With the last token as padding, rows that see nothing are left out: {count}.",
            count=count,
        )
    return t("Rows that see nothing are left out: {count}.", count=count)


def difference_words(outcome: Outcome, t: Translator) -> str:
    """Return what is to be said of the difference to the reference."""
    if not outcome.judged:
        return t("nothing to measure")
    if outcome.differs and math.isfinite(outcome.excess):
        return t("{times} × rounding", times=excess_words(outcome.excess))
    if outcome.difference > 0 and not outcome.differs:
        return t("rounding")
    return t("largest, of a weight")


def leak(outcome: Outcome, decimals: int, t: Translator) -> tuple[str, str]:
    """Return how far hidden tokens move outputs, and what is to be said of it."""
    value = measured_number(outcome.leak, decimals)
    if outcome.nan_rows:
        return value, t("NaN rows: {count}", count=outcome.nan_rows)
    if math.isnan(outcome.leak):
        return "–", t("nothing to measure")
    return value, t("rounding") if is_rounding(outcome) else t("should be 0")


def words(result: MistakesResult, view: MistakeView, t: Translator) -> None:
    """Draw one mistake as code, and what training would show."""
    variant, outcome = result.variant(view.variant), result.outcome(view.variant, view.dtype)
    with st.container(gap="xsmall", key="masks.chosen"):
        st.markdown(f"**{variant_title(variant.name, t)}** · `{variant_code(variant.name)}`")
        st.markdown(training_words(result, variant, outcome, t))

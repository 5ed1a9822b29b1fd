"""Padding: three sentences of different lengths in one batch."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks.padding import KINDS, Kind, PaddingResult
from pages.figures.numerals import measured_number
from pages.gallery import exhibit
from pages.gallery.mask_trouble import PADDING, PADDING_ERROR, PaddingView
from pages.text import Translator, mark
from pages.text.mask_names import PADDING as PADDING_NAMES
from pages.ui import choices, figure_view, settings, workspace
from pages.ui.masks import computing, state

SAID: dict[Kind, str] = {
    "none": mark(
        "Nothing is hidden: real tokens spend weight on padding, and each shorter sentence comes "
        "out other than alone."
    ),
    "keys": mark(
        "Padding keys are hidden from every query, so each real token comes out as in its sentence "
        "alone. The rows of the padding still hold weights; the loss must leave them out."
    ),
    "queries": mark(
        "Rows of padding are empty, but the columns are not: real tokens still look at padding. "
        "This is the padding mask on the wrong axis."
    ),
    "both": mark(
        "Padding neither asks nor is asked. Its rows may look nowhere: zeros in this engine, NaN "
        "where softmax runs over minus infinity alone."
    ),
}


def draw() -> None:
    """Draw the tab of a padded batch."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.padding(t)
    kind = next(kind for kind in KINDS if kind == state.get("kind"))
    shown = exhibit(
        PADDING,
        result,
        params=result.params,
        view=PaddingView(kind),
        backend=result.backend_name,
    )
    workspace.draw(
        lambda: numbers(result, kind, decimals, t),
        lambda: workspace.notice(t, *notices(result, kind, t)),
        lambda: figure_view.show(shown, PADDING, decimals=decimals),
    )
    if not result.errs:  # a plot of noughts
        st.markdown(no_error_said(result, decimals, t))
        return
    errors = exhibit(PADDING_ERROR, result, params=result.params, backend=result.backend_name)
    figure_view.show(errors, PADDING_ERROR, decimals=decimals)


def no_error_said(result: PaddingResult, decimals: int, t: Translator) -> str:
    """Return that no mask changes what a real token comes out as."""
    largest = max(map(max, result.errors.values()))
    if largest == 0:
        return t(
            "Under every kind of mask each real token has the output of its sentence alone, to the "
            "last bit."
        )
    return t(
        "Under every kind of mask each real token has the output of its sentence alone; the "
        "largest difference, {size}, is rounding.",
        size=measured_number(largest, decimals),
    )


def controls(t: Translator) -> None:
    """Draw the choice of what the padding mask hides."""
    st.segmented_control(
        t("What the padding mask hides"),
        options=list(KINDS),
        format_func=lambda kind: t(PADDING_NAMES[kind].button),
        key=choices.widget(state.key("kind"), t),
        on_change=choices.taker(state.key("kind"), t),
        required=True,
        label_visibility="collapsed",
    )


def numbers(result: PaddingResult, kind: Kind, decimals: int, t: Translator) -> None:
    """Draw how far real tokens are from themselves without padding."""
    meaning = t(
        "The largest difference of an output of a real token between the batch and its sentence "
        "alone."
    )
    workspace.metric(
        t("Error as chosen"),
        measured_number(max(result.errors[kind]), decimals),
        t(PADDING_NAMES[kind].button),
        help=meaning,
    )
    other: Kind = "none" if kind in ("keys", "both") else "keys"
    workspace.metric(
        t("Error otherwise"),
        measured_number(max(result.errors[other]), decimals),
        t(PADDING_NAMES[other].button),
        help=meaning,
    )
    T = max(result.lengths)
    workspace.metric(
        t("Padding"),
        str(sum(T - length for length in result.lengths)),
        t("of {count} positions", count=T * len(result.lengths)),
    )


def notices(result: PaddingResult, kind: Kind, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this batch."""
    T = max(result.lengths)
    if all(length == T for length in result.lengths):
        return [
            t("The sentences are equally long, so there is no padding and every mask is right.")
        ]
    said = [t(SAID[kind])]
    if result.params.causal and kind in ("none", "queries"):
        said = [
            t(
                "The causal mask hides the padding from every real token, since padding comes "
                "after them: here it needs no mask of its own."
            )
        ]
    return said

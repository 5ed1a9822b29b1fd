"""The inspector of this page: only the controls of the present tab."""

from __future__ import annotations

from functools import partial

import streamlit as st

from engine.experiments.scaling.components import DISTRIBUTIONS
from engine.experiments.scaling.inputs import MOST_D_K
from engine.experiments.scaling.optimisers import OPTIMISERS
from engine.experiments.scaling.pair import TEMPERATURES
from engine.experiments.scaling.trainable import MOST_RATES, RATES
from pages.figures.numerals import number_in_full
from pages.gallery.scaling import usual_width
from pages.gallery.scaling_head import CURVES as EVERY_CURVE
from pages.text import Translator
from pages.text.scaling_sweep import rate_words
from pages.text.scaling_words import distribution_words, optimiser_words
from pages.ui import choice_fields, choices, settings
from pages.ui.number_lists import text_of
from pages.ui.scaling import rates, state, training

WHOLE = partial(choice_fields.whole, state.STORE)
REAL = partial(choice_fields.real, state.STORE)
TEXT = partial(choice_fields.text, state.STORE)
LIST_HEIGHT = 88
BY_NAME: dict[str, tuple[float, ...]] = {str(name): each for name, each in RATES.items()}
CURVES = {name: title for name, title in EVERY_CURVE.items() if name in state.CURVES}


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    {
        "variance": variance,
        "saturation": saturation,
        "gradient": gradient,
        "training": to_train,
        "rates": to_sweep,
    }[state.word("tab")](t)


def widths(t: Translator) -> None:
    """Draw the list of d_k."""
    TEXT(t("Values of $d_k$"), "d_ks", height=LIST_HEIGHT)
    with st.container(horizontal=True, gap="small"):
        for most in (MOST_D_K // 4, MOST_D_K):
            powers = [2**place for place in range(most.bit_length())]
            st.button(
                t("Powers of 2 to {most}", most=f"{most:,}"),
                key=state.key(f"powers.{most}"),
                type="tertiary",
                on_click=state.put,
                args=("d_ks", text_of(powers)),
            )


def variance(t: Translator) -> None:
    """Draw what dot products are drawn."""
    widths(t)
    left, right = st.columns(2, gap="xsmall")
    with left:
        WHOLE(t("Samples, $N$"), "samples")
    with right:
        WHOLE(t("Seed"), "seed")
    st.selectbox(
        t("Components of q and k"),
        options=list(DISTRIBUTIONS),
        format_func=lambda name: distribution_words(name, t),
        key=choices.widget(state.key("distribution"), t),
        on_change=choices.taker(state.key("distribution"), t),
    )
    shown_width(t)
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{t('Break the assumption')}**")
        columns = st.columns(3, gap="xsmall")
        for column, title, name in zip(
            columns, (r"$\sigma$", t("Mean"), t("Correlation")), _ASSUMED, strict=True
        ):
            with column:
                REAL(title, name)
        st.button(
            t("As the text assumes"),
            key=state.key("assumed"),
            type="tertiary",
            on_click=state.STORE.put_usual,
            args=_ASSUMED,
        )


def shown_width(t: Translator) -> None:
    """Draw the choice of the width whose distribution is shown."""
    have = state.listed_widths()
    if have:
        shown = usual_width(have, int(state.word("width")))
        st.selectbox(
            t("Distribution shown at $d_k$"),
            options=have,
            format_func="{:,}".format,
            key=choice_fields.widget(state.STORE, "width", shown),
            on_change=choice_fields.taker(state.STORE, "width"),
            persist_state=choice_fields.PERSIST,
        )


_ASSUMED = ("sigma", "mean", "correlation")


def saturation(t: Translator) -> None:
    """Draw the keys, the queries, the reader's own rule, and the pair of scores."""
    widths(t)
    columns = st.columns(3, gap="xsmall")
    for column, title, name in zip(
        columns, (t("Keys, $S$"), t("Queries"), t("Seed")), ("keys", "queries", "seed"), strict=True
    ):
        with column:
            WHOLE(title, name)
    REAL(
        t("Your own exponent $c$ of $d_k$"),
        "exponent",
        help=t("Scores are divided by d_k to this power: 0.5 is the usual root, 0 no division."),
    )
    pair(t)


def pair(t: Translator) -> None:
    """Draw two scores and the temperature that divides them."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{t('Two scores')}**")
        left, right = st.columns(2, gap="xsmall")
        with left:
            REAL(t("First"), "first")
        with right:
            REAL(t("Second"), "second")
        with st.container(horizontal=True, gap="small"):
            for first, second in ((5.0, 4.0), (50.0, 40.0)):
                st.button(
                    f"({first:g}, {second:g})",
                    key=state.key(f"pair.{first:g}"),
                    type="tertiary",
                    on_click=partial(state.STORE.put_usual, first=first, second=second),
                )
        shown = float(state.word("temperature"))
        st.select_slider(
            t("Temperature"),
            options=sorted({*TEMPERATURES, shown}),
            format_func=number_in_full,
            key=choice_fields.widget(state.STORE, "temperature", shown),
            on_change=choice_fields.taker(state.STORE, "temperature"),
            persist_state=choice_fields.PERSIST,
        )


def gradient(t: Translator) -> None:
    """Draw the head whose gradients are measured."""
    TEXT(t("Values of $d_k$"), "head_d_ks", height=LIST_HEIGHT)
    columns = st.columns(3, gap="xsmall")
    for column, title, name in zip(
        columns, (t("Tokens, $T$"), t("Heads"), t("Seed")), ("T", "repeats", "seed"), strict=True
    ):
        with column:
            WHOLE(title, name)
    shown_row(t)
    st.caption(
        t("A head at its start: x and the gradient of its output are standard normal, d_v = d_k.")
    )


def shown_row(t: Translator) -> None:
    """Draw the choice of the row whose Jacobian is shown."""
    have = state.listed_rows()
    if have:
        shown = int(state.word("row"))
        st.selectbox(
            t("Jacobian shown of row"),
            options=have,
            key=choice_fields.widget(state.STORE, "row", shown if shown in have else have[0]),
            on_change=choice_fields.taker(state.STORE, "row"),
            persist_state=choice_fields.PERSIST,
        )


def to_train(t: Translator) -> None:
    """Draw what is trained."""
    task(t)
    left, right = st.columns(2, gap="xsmall")
    with left:
        REAL(t("Learning rate"), "rate")
    with right:
        WHOLE(t("Steps"), "steps")
    TEXT(t("Seeds"), "seeds", help=t("Each is one start and one stream of examples for both ways."))
    training.controls(t)
    st.segmented_control(
        t("Curve beside the loss"),
        options=list(CURVES),
        format_func=lambda name: t(CURVES[name]),
        key=choices.widget(state.key("curve"), t),
        on_change=choices.taker(state.key("curve"), t),
        required=True,
    )


def to_sweep(t: Translator) -> None:
    """Draw what is trained at every learning rate."""
    task(t)
    WHOLE(t("Steps"), "steps")
    TEXT(t("Seeds"), "sweep_seeds")
    usual = ", ".join(map(rate_words, BY_NAME[state.word("optimiser")]))
    TEXT(
        t("Learning rates"),
        "rates",
        height=LIST_HEIGHT,
        placeholder=usual,
        help=t(
            "1 to {most} of them; an empty field takes those of the optimiser.", most=MOST_RATES
        ),
    )
    rates.controls(t)


def task(t: Translator) -> None:
    """Draw the sizes of the task and the optimiser."""
    left, right = st.columns(2, gap="xsmall")
    with left:
        WHOLE("$d_k$", "d_k")
    with right:
        WHOLE(t("Pairs, $S$"), "pairs")
    st.segmented_control(
        t("Optimiser"),
        options=list(OPTIMISERS),
        format_func=optimiser_words,
        key=choices.widget(state.key("optimiser"), t),
        on_change=choices.taker(state.key("optimiser"), t),
        required=True,
    )

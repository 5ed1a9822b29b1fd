"""The inspector of this page: only the controls of the present tab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from engine.experiments.properties import graph, order
from engine.experiments.properties.smoothing import HEADS
from pages.text import Translator
from pages.ui import choice_fields, settings, token_source
from pages.ui.properties import state

WHOLE = partial(choice_fields.whole, state.STORE)
REAL = partial(choice_fields.real, state.STORE)
TEXT = partial(choice_fields.text, state.STORE)
WHOLE_NUMBERS = partial(choice_fields.whole_numbers, state.STORE)
SWITCH = partial(choice_fields.switch, state.STORE)


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    {
        "order": orders,
        "reach": reach,
        "depth": depth,
        "influence": influence,
        "graph": edges,
    }[state.word("tab")](t)


def orders(t: Translator) -> None:
    """Draw the tokens, their other order, and which of them is moved."""
    token_source.draw(state.STORE, order.MOST_TOKENS, t)
    TEXT(
        t("Other order"),
        "permutation",
        help=t("Which token stands in each place, such as 3 1 2; empty is reversed."),
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("Shuffle"),
            key=state.key("shuffle"),
            icon=":material/shuffle:",
            on_click=state.shuffle,
            disabled=len(state.tokens()) < 2,
        )
        st.button(
            t("Reverse"),
            key=state.key("reverse"),
            type="tertiary",
            on_click=state.put,
            args=("permutation", ""),
        )
    SWITCH(
        t("Add positions to the vectors"),
        "positions",
        t,
        t("Sinusoids, as in Vaswani et al. (2017), section 3.5."),
    )
    tokens = state.tokens()
    token(t("Query"), "query", tokens, t("the last"))
    token(t("Moved token"), "moved", tokens, t("the most watched"))


def token(title: str, name: str, tokens: Sequence[str], usual: str) -> None:
    """Draw the choice of a token; ``usual`` says which one the figure chooses by itself."""
    st.selectbox(
        title,
        options=list(range(len(tokens) + 1)),
        format_func=lambda place: f"{place}. {tokens[place - 1]}" if place else usual,
        key=choice_fields.widget(state.STORE, name, state.place(name)),
        on_change=choice_fields.taker(state.STORE, name),
        persist_state=choice_fields.PERSIST,
    )


def reach(t: Translator) -> None:
    """Draw the length of the sequence, and how far one layer looks."""
    WHOLE_NUMBERS(("$T$", "paths_T"), (t("Steps drawn"), "steps"))
    WHOLE_NUMBERS((t("Kernel"), "kernel"), (t("Window"), "window"))
    st.caption(
        t(
            "A convolution reads so many neighbouring positions, itself among them; windowed "
            "attention sees so many besides itself, half on each side."
        )
    )


def depth(t: Translator) -> None:
    """Draw the stacks of random layers."""
    WHOLE_NUMBERS(("$T$", "depth_T"), (r"$d_{\text{model}}$", "d_model"), (t("Layers"), "layers"))
    TEXT(
        t("Heads, $H$"),
        "heads",
        help=t("One or more of {heads}, each dividing d_model.", heads=t.listing(map(str, HEADS))),
    )
    TEXT(t("Seeds"), "seeds", help=t("One stack is drawn from each."))
    SWITCH(
        t("Layer normalisation"),
        "norm",
        t,
        t(
            "With the residual connection of what attention reads, without it of what attention "
            "gives."
        ),
    )


def influence(t: Translator) -> None:
    """Draw the tokens, and which of them changes."""
    token_source.draw(state.STORE, order.MOST_TOKENS, t, state.HEAD)
    tokens = state.tokens(state.HEAD)
    if tokens:
        options = list(range(1, len(tokens) + 1))
        chosen = state.get("changed")
        st.selectbox(
            t("Token that changes"),
            options=options,
            format_func=lambda place: f"{place}. {tokens[place - 1]}",
            key=choice_fields.widget(
                state.STORE, "changed", chosen if chosen in options else options[-1]
            ),
            on_change=choice_fields.taker(state.STORE, "changed"),
            persist_state=choice_fields.PERSIST,
        )
        st.caption(t("1 is added to every component of its vector."))


def edges(t: Translator) -> None:
    """Draw the tokens, the mask, and which edges are shown."""
    token_source.draw(state.STORE, graph.MOST_TOKENS, t, state.HEAD)
    SWITCH(t("Causal mask"), "causal", t, t("A token hears only of itself and of those before it."))
    REAL(t("Threshold"), "threshold", help=t("Arrows are drawn for weights of at least this."))

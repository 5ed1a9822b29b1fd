"""The inspector of this page: only the controls of the present tab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.text import Translator, mark
from pages.text.markup import inline
from pages.ui import choice_fields, settings
from pages.ui.context import model_source, state

WHOLE = partial(choice_fields.whole, state.STORE)
REAL = partial(choice_fields.real, state.STORE)
WHOLE_NUMBERS = partial(choice_fields.whole_numbers, state.STORE)
SWITCH = partial(choice_fields.switch, state.STORE)
ONE_OF = partial(choice_fields.one_of, state.STORE)
SPECIALS = {
    "shown": mark("Visible"),
    "hidden": mark("Left out"),
    "renormalised": mark("Renormalised"),
}
SCOPES = {
    "head": mark("Head"),
    "layer": mark("Layer"),
    "everywhere": mark("Everywhere"),
}
ROWS = {"token": mark("Its own row"), "all": mark("Every row")}
ENDINGS = {"tired": mark("too tired"), "wide": mark("too wide")}


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    {
        "picture": picture,
        "one-layer": one_layer,
        "two-layers": two_layers,
        "heads": heads,
        "endings": endings,
        "layers": layers,
        "cause": cause,
    }[state.word("tab")](t)


def picture(t: Translator) -> None:
    """Say that there is nothing to choose: the picture is drawn by hand."""
    st.caption(
        t(
            "Nothing is computed here: the weights are those that the source text draws by "
            "hand for the one sentence, and ours for the other."
        )
    )


def one_layer(t: Translator) -> None:
    """Draw the sizes of the random heads, and which of them is looked at."""
    WHOLE_NUMBERS((r"$d_{\text{model}}$", "single_d_model"), ("$d_k$", "single_d_k"))
    WHOLE_NUMBERS((t("Heads, $H$"), "single_heads"), (t("Seed"), "single_seed"))
    number(t("Head shown"), "single_head", state.single_count())
    SWITCH(
        t("Add positions to the vectors"),
        "positions",
        t,
        t("Sinusoids, as in Vaswani et al. (2017), section 3.5."),
    )


def two_layers(t: Translator) -> None:
    """Draw how sharp the scores are, and which matrices are shown."""
    REAL(
        t("Strength of the scores"),
        "strength",
        help=t("W_Q of both layers is multiplied by it: 0 gives even weights."),
    )
    SWITCH(
        t("Residual connection"),
        "residual",
        t,
        t("Each layer adds what it reads to what it gives; without it a token forgets what it is."),
    )
    ONE_OF(t("Sentence shown below"), "ending", ENDINGS, t)
    number(t("Matrices of layer"), "matrices", 2)


def heads(t: Translator) -> None:
    """Draw whose attention is shown, and which layer, head and token."""
    model_source.draw(t)
    looked_at(t)
    specials(t)


def endings(t: Translator) -> None:
    """Draw which two texts are compared, and which head and tokens."""
    model_source.draw(t, both=True)
    looked_at(t)
    tokens = state.tokens()
    left, right = st.columns(2, gap="xsmall")
    with left:
        token(t("First candidate"), "one", tokens)
    with right:
        token(t("Second candidate"), "other", tokens)
    specials(t)


def layers(t: Translator) -> None:
    """Draw whose attention is shown, and which layer is taken apart."""
    model_source.draw(t)
    number(t("Layer"), "layer", state.sizes()[0], state.chosen_layer())
    token(t("Token that looks"), "query", state.tokens())
    specials(t)


def cause(t: Translator) -> None:
    """Draw whose keys are cut, and where."""
    model_source.draw(t)
    ONE_OF(t("A key is cut in"), "scope", SCOPES, t)
    if state.word("scope") == "head":
        looked_at(t)
    else:
        if state.word("scope") == "layer":
            number(t("Layer"), "layer", state.sizes()[0], state.chosen_layer())
        token(t("Token that looks"), "query", state.tokens())
    ONE_OF(
        t("For whom"),
        "rows",
        ROWS,
        t,
        t(
            "Its own row: only the token that looks loses the key; the others still see it, and "
            "may pass it on in later layers. Every row: no token sees the key there."
        ),
    )


def looked_at(t: Translator) -> None:
    """Draw the choice of a head and of a token that looks."""
    most_layer, most_head = state.sizes()
    left, right = st.columns(2, gap="xsmall")
    with left:
        number(t("Layer"), "layer", most_layer, state.chosen_layer())
    with right:
        number(t("Head"), "head", most_head, state.chosen_head())
    token(t("Token that looks"), "query", state.tokens())


def number(title: str, name: str, most: int, chosen: int | None = None) -> None:
    """Draw the choice of one of some numbered things, counted from 1."""
    shown = min(state.whole(name), most) if chosen is None else chosen
    st.selectbox(
        title,
        options=list(range(1, most + 1)),
        key=choice_fields.widget(state.STORE, name, shown),
        on_change=choice_fields.taker(state.STORE, name),
        persist_state=choice_fields.PERSIST,
    )


def token(title: str, name: str, tokens: Sequence[str]) -> None:
    """Draw the choice of a token by its place; the first choice leaves it to the figure."""
    t = settings.translate()
    st.selectbox(
        title,
        options=list(range(len(tokens) + 1)),
        format_func=lambda place: (
            f"{place}. {inline(tokens[place - 1])}" if place else t("automatic")
        ),
        key=choice_fields.widget(state.STORE, name, state.place(name)),
        on_change=choice_fields.taker(state.STORE, name),
        persist_state=choice_fields.PERSIST,
    )


def specials(t: Translator) -> None:
    """Draw what becomes of the tokens that the tokenizer adds by itself."""
    ONE_OF(
        t("Special tokens"),
        "specials",
        SPECIALS,
        t,
        t(
            "Those that the tokenizer adds, such as [CLS] and [SEP]. Left out: the rows no longer "
            "sum to 1. Renormalised: what is left of each row is divided by its sum."
        ),
    )

"""The inspector of the masks page: only the controls of the present tab."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.alignment import MOST_SIDE
from engine.experiments.masks.inputs import LEAST_RANDOM, MOST_SEED, MOST_TOKENS, MOST_WIDTH
from engine.experiments.masks.mistakes import DTYPES, dtypes_of
from engine.experiments.masks.spec import MOST_DRAWN
from pages.text import Translator
from pages.text.mask_words import family_words
from pages.ui import choices, settings, token_source
from pages.ui.masks import drawing, fields, state
from pages.ui.masks.state import SideName


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    tab = str(state.get("tab"))
    if tab == "padding":
        batch(t)
    elif tab == "alignment":
        unequal(t)
    elif tab == "mistakes":
        source(t)
        mask("b", t("The mask that is meant"), t)
        dtype(t)
    else:
        source(t)
        mask("a", t("Mask A"), t)
        mask("b", t("Mask B"), t)
    fields.slider(t("Decimals shown"), "decimals", *state.DECIMALS)


def source(t: Translator) -> None:
    """Draw what the scores come from."""
    chosen = token_source.choose(state.STORE, t("Scores from"), MOST_TOKENS, t)
    if chosen == "sentence":
        fields.text(t("Sentence"), "sentence", height=88)
        st.caption(t("Each word becomes a token; equal words get equal vectors from the seed."))
    if chosen != "textbook":
        sizes(with_length=chosen == "random", t=t)


def sizes(*, with_length: bool, t: Translator) -> None:
    """Draw the sizes and the seed of an input that is drawn."""
    columns = st.columns([1.2, 1, 1] if with_length else 2, gap="xsmall")
    if with_length:
        with columns[0]:
            fields.whole("$T$", "T", LEAST_RANDOM, MOST_TOKENS)
    with columns[-2]:
        fields.whole("$d_k$", "d_k", 1, MOST_WIDTH)
    with columns[-1]:
        fields.whole(t("Seed"), "seed", 0, MOST_SEED)


def mask(side: SideName, title: str, t: Translator) -> None:
    """Draw one mask: its pattern, the numbers that the pattern needs, padding, who uses it."""
    T, pattern = state.length(), str(state.get(f"{side}_pattern"))
    with st.container(border=True, gap="xsmall"):
        st.selectbox(
            title,
            options=list(state.PATTERNS),
            format_func=lambda name: t(state.PATTERNS[name]),
            key=choices.widget(state.key(f"{side}_pattern"), t),
            on_change=take_pattern(side, pattern, T, t),
        )
        if pattern == "window":
            number(t("Window"), f"{side}_window", 1, T, t)
        if pattern == "prefix":
            number(t("Prefix"), f"{side}_prefix", 0, T, t)
        if pattern == state.DRAWN:
            drawing.draw(side, state.tokens(), t)
        padding(side, T, t)
        spec = MaskSpec(**state.mask_fields(side, T))
        if family_words(spec, t) and pattern != state.DRAWN:
            st.caption(family_words(spec, t))


def take_pattern(side: SideName, before: str, T: int, t: Translator) -> Callable[[], None]:
    """Return the callback of another pattern; the first drawing starts from the one before."""

    def start() -> None:
        chosen = state.get(f"{side}_pattern")
        if chosen == state.DRAWN and not state.get(f"{side}_drawn") and T <= MOST_DRAWN:
            state.start_drawing(side, before, T)

    return choices.taker(state.key(f"{side}_pattern"), t, start)


def number(title: str, name: str, least: int, most: int, t: Translator) -> None:
    """Draw a number of a pattern; say when it is cut to the tokens there are."""
    fields.slider(title, name, least, most)
    fields.say_cut(name, least, most, t)


def padding(side: SideName, T: int, t: Translator) -> None:
    """Draw the switch for padding and how many tokens are real."""
    fields.switch(
        t("Padding"),
        f"{side}_padded",
        help=t("Hides the keys after the real tokens from every query, whatever the pattern."),
    )
    if state.get(f"{side}_padded"):
        number(t("Real tokens"), f"{side}_length", 1, T, t)


def batch(t: Translator) -> None:
    """Draw the three sentences of the batch and what their mask hides."""
    for place, name in enumerate(state.SENTENCES, start=1):
        fields.text(t("Sentence {number}", number=place), name, height=68)
    fields.switch(
        t("Causal mask too"),
        "causal",
        help=t("The causal mask and the padding mask together, as in a decoder."),
    )
    sizes(with_length=False, t=t)


def unequal(t: Translator) -> None:
    """Draw how many queries and keys there are."""
    fields.slider(t("Queries, $T$"), "queries", 1, MOST_SIDE)
    fields.slider(t("Keys, $S$"), "keys", 1, MOST_SIDE)
    fields.whole(t("Seed"), "seed", 0, MOST_SEED)


def dtype(t: Translator) -> None:
    """Draw the choice of number format, among those that the backend has."""
    backend = settings.backend().name
    have = dtypes_of(backend)
    shown = state.dtype(backend)
    st.selectbox(
        t("Number format"),
        options=list(have),
        key=fields.widget("dtype", shown),
        on_change=fields.taker("dtype"),
    )
    if len(have) < len(DTYPES):
        st.caption(
            t(
                "{backend} computes in {widest} and below here; choose NumPy as the backend for "
                "{missing}.",
                backend=settings.BACKEND_TITLES[backend],
                widest=have[-1],
                missing=t.listing(name for name in DTYPES if name not in have),
            )
        )

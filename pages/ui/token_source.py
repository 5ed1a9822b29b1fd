"""The choice of the tokens whose attention is computed: the textbook's, a sentence, random ones."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.experiments.masks.inputs import MOST_SEED, MOST_WIDTH, SOURCES
from pages.text import Translator, mark
from pages.ui import choice_fields, choices
from pages.ui.choice_store import ChoiceStore
from pages.ui.link_fields import Kind, LongText, Names, Whole, Word

LONGEST_TEXT = 6_000  # characters of a sentence in a link; longer ones are refused in any case
TITLES = {
    "textbook": mark("Textbook"),
    "sentence": mark("Sentence"),
    "random": mark("Random"),
}
# Source -> the fields that it reads.
READ = {
    "textbook": (),
    "sentence": ("sentence", "seed", "d_k"),
    "random": ("seed", "T", "d_k"),
}
NAMES = ("source", "sentence", "seed", "T", "d_k")


def source_defaults(params: Any, prefix: str = "") -> dict[str, object]:
    """Return the choices of an input with the values that they have in some parameters.

    ``prefix`` begins the names of the choices, so that a page may have several inputs.
    """
    return {prefix + name: getattr(params, name) for name in NAMES}


def source_fields(store: ChoiceStore, prefix: str = "") -> dict[str, Any]:
    """Return an input as fields of parameters; what its source does not read stays usual."""
    source = store.word(prefix + "source")
    return {"source": source} | {
        name: store.get(prefix + name) if name == "sentence" else store.field(prefix + name)
        for name in READ[source]
    }


def link_names(least: int, most: int, prefix: str = "") -> Names:
    """Return how the choices stand in an address, with T from ``least`` to ``most``."""
    kinds: dict[str, Kind] = {
        "source": Word(SOURCES),
        "sentence": LongText(LONGEST_TEXT),
        "seed": Whole(0, MOST_SEED),
        "T": Whole(least, most),
        "d_k": Whole(1, MOST_WIDTH),
    }
    return {prefix + name: (prefix + name, kind) for name, kind in kinds.items()}


def choose(store: ChoiceStore, title: str, most: int, t: Translator, prefix: str = "") -> str:
    """Draw the choice of the source, and return it; ``most`` tokens can be random."""
    name = prefix + "source"
    st.segmented_control(
        title,
        options=list(TITLES),
        format_func=lambda source: t(TITLES[source]),
        key=choices.widget(store.key(name), t),
        on_change=choices.taker(store.key(name), t),
        required=True,
        width="stretch",
        help=t(
            "Textbook: the four tokens of the worked example. Sentence: words of your own, with "
            "vectors drawn from a seed. Random: vectors drawn from a seed, up to {most}.",
            most=most,
        ),
    )
    return store.word(name)


def draw(store: ChoiceStore, most: int, t: Translator, prefix: str = "") -> None:
    """Draw the source of the tokens and the fields that it reads."""
    chosen = choose(store, t("Tokens from"), most, t, prefix)
    if chosen == "sentence":
        choice_fields.text(store, t("Sentence"), prefix + "sentence", height=88)
        st.caption(t("Each word becomes a token; equal words get equal vectors from the seed."))
    titles = {"T": "$T$", "d_k": "$d_k$", "seed": t("Seed")}
    shown = [name for name in ("T", "d_k", "seed") if name in READ[chosen]]
    if shown:
        for name, column in zip(shown, st.columns(len(shown), gap="xsmall"), strict=True):
            with column:
                choice_fields.whole(store, titles[name], prefix + name)

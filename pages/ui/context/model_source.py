"""The choice of the text whose attention is shown, and of the model that reads it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from engine.experiments.context.sentences import CHINESE, PAIRS
from pages.text import Translator, mark
from pages.text.markup import inline
from pages.text.memory_words import bytes_words
from pages.ui import choice_fields
from pages.ui.context import fetching, models, state

SOURCES = {"recorded": mark("Recorded"), "own": mark("Your own text")}
PLACES = {"folder": mark("Folder"), "hub": mark("Hugging Face Hub")}
TITLES = {"first": mark("First text"), "second": mark("Second text")}
BOX = 88  # pixels
ONE_OF = partial(choice_fields.one_of, state.STORE)


def draw(t: Translator, *, both: bool = False) -> None:
    """Draw the source of the attention; ``both`` where two texts are compared."""
    ONE_OF(t("Attention from"), "source", SOURCES, t)
    if state.is_recorded():
        _recorded(t, both)
    else:
        _own(t, both)


def _recorded(t: Translator, both: bool) -> None:
    """Draw the choice of a recorded pair, and of one of its sentences."""
    who = {pair.name: f"{pair.query} → {pair.one} | {pair.other}" for pair in PAIRS}
    if not both:
        who[state.UNPAIRED] = CHINESE
    shown = state.UNPAIRED if state.is_unpaired() else state.pair().name
    st.selectbox(
        t("Sentences"),
        options=list(who),
        format_func=who.__getitem__,
        key=choice_fields.widget(state.STORE, "pair", shown),
        on_change=_take_pair,
        persist_state=choice_fields.PERSIST,
    )
    if both:
        for text in state.texts():
            st.caption(inline(text))
    else:
        if shown != state.UNPAIRED:
            _which(t)
        st.caption(inline(state.text()))
    st.caption(
        t(
            "Attention of all-MiniLM-L6-v2, computed by this product and shipped with it, so that "
            "it shows without the model."
        )
    )


def _take_pair() -> None:
    """Take a pair, and leave its tokens to the figures again: places mean others now."""
    choice_fields.taker(state.STORE, "pair")()
    state.STORE.put_usual("query", "one", "other")


def _which(t: Translator) -> None:
    """Draw the choice of one of the two texts."""
    titles = TITLES
    if state.is_recorded():
        titles = dict(zip(state.TEXTS, endings(*state.texts()), strict=True))
    ONE_OF(t("Text"), "text", titles, t)


def endings(first: str, second: str) -> tuple[str, str]:
    """Return where two texts go apart, from the word before on."""
    same = next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    start = first.rfind(" ", 0, max(first.rfind(" ", 0, same), 0)) + 1 or max(same - 2, 0)
    return tuple(f"… {text[start:]}" for text in (first, second))  # type: ignore[return-value]


def _own(t: Translator, both: bool) -> None:
    """Draw the fields of one's own texts and of the model that reads them."""
    if both:
        for name, title in TITLES.items():
            choice_fields.text(state.STORE, t(title), name, height=BOX)
    else:
        _which(t)
        name = state.word("text")
        choice_fields.text(state.STORE, t(TITLES[name]), name, height=BOX)
    ONE_OF(t("Model from"), "place", PLACES, t)
    if state.word("place") == "folder":
        choice_fields.text(
            state.STORE,
            t("Folder"),
            "folder",
            help=t(
                "Of this computer, with config.json, model.safetensors and tokenizer.json. BERT "
                "encoders and GPT-2 decoders can be loaded."
            ),
        )
    else:
        choice_fields.text(
            state.STORE,
            t("Repository"),
            "repository",
            help=t("Owner and name, as the Hub writes them. Only three files are fetched."),
        )
    _load(t)


def _load(t: Translator) -> None:
    """Draw the button that loads the model, and what is loaded."""
    model = models.named(state.reference())
    st.button(
        t("Load") if state.word("place") == "folder" else t("Fetch and load"),
        key=state.key("load"),
        icon=":material/download:",
        type="secondary" if model else "primary",
        shortcut="Mod+Enter",
        width="stretch",
        on_click=fetching.want,
    )
    if model is not None:
        st.caption(
            t(
                "{name}: {layers} layers of {heads} heads, up to {positions} tokens, {size}; "
                "loaded in {seconds} s.",
                name=inline(model.name),
                layers=model.config.layers,
                heads=model.config.heads,
                positions=f"{model.config.positions:,}",
                size=bytes_words(model.bytes, t),
                seconds=f"{model.seconds:.1f}",
            )
        )

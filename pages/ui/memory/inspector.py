"""The inspector of this page: only the controls of the present tab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from engine.experiments.memory.budgets import GPUS, MACS
from engine.experiments.memory.measured import DTYPES as MEASURED_DTYPES
from engine.experiments.memory.predicted import MODES, MOST_BUDGETS
from engine.experiments.memory.presets import PRESETS
from engine.experiments.memory.shape import DTYPES
from pages.text import Translator, mark
from pages.ui import choice_fields, choices, settings
from pages.ui.choice_fields import Field
from pages.ui.memory import heads_tab, measured_tab, state
from pages.ui.number_lists import text_of

WHOLE = partial(choice_fields.whole, state.STORE)
REAL = partial(choice_fields.real, state.STORE)
TEXT = partial(choice_fields.text, state.STORE)
WHOLE_NUMBERS = partial(choice_fields.whole_numbers, state.STORE)
SWITCH = partial(choice_fields.switch, state.STORE)
LIST_HEIGHT = 68
OWN = "own"
MODE_TITLES = {"inference": mark("Inference"), "training": mark("Training")}


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    tab = state.word("tab")
    if tab == "measured":
        measured(t)
    elif tab == "heads":
        head_sizes(t)
    else:
        predicted(tab, t)


def predicted(tab: str, t: Translator) -> None:
    """Draw the model, its input, and what holds it: what the present tab depends on."""
    preset(t)
    length = Field(t("Tokens, $T$"), "T", t("The length of each sequence."))
    batch = Field(t("Batch, $B$"), "batch", t("How many sequences are computed at once."))
    WHOLE_NUMBERS(*((batch,) if tab == "fits" else (length, batch)))
    if tab != "work":
        use(t)
    shape(t)
    if tab != "work":
        methods(t)
        budgets(t)


def preset(t: Translator) -> None:
    """Draw the choice among published models; a shape of the reader's own is one more."""
    titles = {each.name: each.title for each in PRESETS}
    chosen = state.preset()
    if chosen is None:
        titles[OWN] = t("Your own shape")
    place = f"{state.key('preset')}@{t.language}"
    st.session_state[place] = OWN if chosen is None else chosen.name
    st.selectbox(
        t("Model"),
        options=list(titles),
        format_func=titles.__getitem__,
        key=place,
        on_change=_take_preset,
        args=(place,),
    )
    if chosen is not None:
        source = f"[{chosen.source}]({chosen.address})"
        st.caption(t("Its shape is from {source}.", source=source))
    st.button(
        t("The 144 GiB of GPT-3"),
        key=state.key("trap"),
        type="tertiary",
        icon=":material/warning:",
        help=t("GPT-3 at the length of its paper, float32, training."),
        on_click=state.show_trap,
    )


def _take_preset(place: str) -> None:
    if st.session_state[place] != OWN:
        state.take_preset(st.session_state[place])


def use(t: Translator) -> None:
    """Draw what is done with the model, and in which numbers."""
    left, right = st.columns(2, gap="xsmall")
    with left:
        titles = {name: t(MODE_TITLES[name]) for name in MODES}
        about = t("Inference passes a prompt once; training has the backward pass too.")
        word(t("Use"), "mode", titles, t, help=about)
    with right:
        word(t("Numbers"), "dtype", {name: name for name in DTYPES}, t)
    if state.word("mode") == "inference":
        about = t("So that the next tokens need not compute them again.")
        SWITCH(t("Keep K and V of every layer (cache)"), "cache", t, help=about)
    SWITCH(
        t("Count the model's weights"),
        "weights",
        t,
        help=t(
            "The matrices of attention and feed-forward layers; embeddings are left out, and in "
            "training the gradients of the weights and the state of the optimiser too."
        ),
    )


def shape(t: Translator) -> None:
    """Draw the sizes of the model."""
    with st.expander(t("Shape of the model"), expanded=state.preset() is None):
        WHOLE_NUMBERS(
            Field(t("Layers"), "layers"),
            Field(t("Heads, $H$"), "heads", t("Heads of queries in each layer.")),
            Field(t("KV heads"), "kv_heads", _kv_help(t)),
        )
        WHOLE_NUMBERS(
            Field("$d_k$", "d_k", t("Components of each query, key and value.")),
            Field(r"$d_{\text{model}}$", "d_model", t("Components of a token between layers.")),
            Field(
                r"$d_{\text{ff}}$",
                "d_ff",
                t("Width of the hidden layer of the feed-forward part; 0 leaves it out."),
            ),
        )
        about = t("As in Llama (SwiGLU); a feed-forward part without a gate has two matrices.")
        SWITCH(t("Gated feed-forward (three matrices)"), "gated", t, help=about)


def _kv_help(t: Translator) -> str:
    return t(
        "Heads of keys and values. If they are fewer than the heads of queries, several of those "
        "share one (grouped-query attention)."
    )


def methods(t: Translator) -> None:
    """Draw the sizes that some methods have."""
    block = t("The blocked method computes so many queries with so many keys at a time.")
    window = t("With a sliding window each query sees so many keys, W.")
    WHOLE_NUMBERS(
        Field(t("Block, tokens"), "block", block), Field(t("Window, tokens"), "window", window)
    )


def budgets(t: Translator) -> None:
    """Draw how much memory there is."""
    left, right = st.columns(2, gap="xsmall")
    with left:
        REAL(t("Budget, GiB"), "budget", help=t("The largest T is that for it; 0 is this machine."))
    with right:
        WHOLE(t("Devices, $N$"), "devices", help=t("Each holds T/N of the sequence."))
    TEXT(
        t("Budgets drawn, GiB"),
        "budgets",
        help=t("1 to {most} of them; this machine is always one more.", most=MOST_BUDGETS),
    )
    with st.container(horizontal=True, gap="small"):
        for title, sizes in (
            (t("Macs"), MACS),
            (t("GPUs"), GPUS),
        ):
            st.button(
                title,
                key=state.key(f"budgets.{title}"),
                type="tertiary",
                on_click=state.put,
                args=("budgets", text_of(_some(sizes))),
            )


def _some(sizes: Sequence[int]) -> list[int]:
    """Return as many sizes as can be drawn, from the smallest to the largest."""
    if len(sizes) <= MOST_BUDGETS:
        return list(sizes)
    last = len(sizes) - 1
    return [sizes[round(place * last / (MOST_BUDGETS - 1))] for place in range(MOST_BUDGETS)]


def measured(t: Translator) -> None:
    """Draw what is measured against T."""
    TEXT(t("Tokens, $T$"), "Ts", height=LIST_HEIGHT)
    common(Field("$d_k$", "measured_d_k"), t)
    measured_tab.controls(t)


def head_sizes(t: Translator) -> None:
    """Draw what is measured against the head size."""
    TEXT(t("Values of $d_k$"), "d_ks", height=LIST_HEIGHT)
    common(Field(t("Tokens, $T$"), "swept_T"), t)
    heads_tab.controls(t)


def common(own: Field, t: Translator) -> None:
    """Draw what both measurements share, and a field of the present one."""
    heads = Field(t("Heads, $H$"), "measured_heads")
    WHOLE_NUMBERS(heads, own, Field(t("Batch, $B$"), "measured_batch"))
    WHOLE_NUMBERS(Field(t("Repeats"), "repeats"), Field(t("Seed"), "seed"))
    word(t("Numbers"), "measured_dtype", {name: name for name in MEASURED_DTYPES}, t)
    SWITCH(t("Causal mask"), "causal", t)


def word(
    title: str, name: str, titles: dict[str, str], t: Translator, help: str | None = None
) -> None:
    """Draw the choice of a word."""
    st.selectbox(
        title,
        options=list(titles),
        format_func=titles.__getitem__,
        key=choices.widget(state.key(name), t),
        on_change=choices.taker(state.key(name), t),
        help=help,
    )

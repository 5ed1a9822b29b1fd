"""The parts of the overview page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import engine
from pages.figures.palette import theme
from pages.gallery import exhibit
from pages.text import Translator, mark
from pages.text.formulas import attention_formula
from pages.ui import figure_view, frame, settings
from pages.ui.maths import typeset

NEW_LINE = "\n"
IN_A_ROW = 4
SYMBOLS = (
    ("query", "Q = X W_Q", mark("queries: what each token asks")),
    ("key", "K = X W_K", mark("keys: how each token can be found")),
    ("value", "V = X W_V", mark("values: what each token hands over")),
    ("scores", r"S = Q K^{\top}", mark("scores: one dot product for each pair")),
    ("weights", r"A = \mathrm{softmax}(S'')", mark("weights: each row sums to 1")),
    ("output", "O = A V", mark("output: a weighted mean of the values")),
)
SIZES = (
    ("$T$", mark("positions: how many tokens")),
    ("$d_k$", mark("width of queries and keys")),
    ("$d_v$", mark("width of values and outputs")),
    ("$d_{\\mathrm{model}}$", mark("width of the input")),
)


def legend(t: Translator) -> None:
    """Draw what each symbol and colour means, and what computes on this machine."""
    st.markdown(f"**{t('Symbols and their colours')}**")
    colours = theme(settings.theme()).roles
    for role, symbol, meaning in SYMBOLS:
        st.markdown(rf"$\textcolor{{{colours[role]}}}{{{symbol}}}$  {NEW_LINE}{t(meaning)}")
    st.markdown(f"**{t('Sizes')}**")
    st.markdown("  \n".join(f"{symbol} · {t(meaning)}" for symbol, meaning in SIZES))
    st.markdown(f"**{t('What computes here')}**")
    for backend in engine.backend_statuses():
        icon = "check_circle" if backend.available else "block"
        name = settings.BACKEND_TITLES[backend.name]
        st.markdown(f":material/{icon}: **{name}** · {frame.describe(backend, t)}")


def formula(t: Translator) -> None:
    """Draw scaled dot-product attention, every symbol in the colour of its role."""
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        st.latex(attention_formula(theme(settings.theme())), width="content")
        st.caption(
            t(
                "Scaled dot-product attention (Vaswani et al., 2017, equation 1). "
                "A colour means the same thing on every page and in every exported figure."
            ),
            width=440,
        )


def six_steps() -> None:
    """Draw the six steps with their shapes."""
    figure_view.show(exhibit("attention-in-six-steps"), "overview.steps")


@dataclass(frozen=True)
class Way:
    """A link to one view of a page.

    Attributes
    ----------
    title : str
        A marked text.
    view : dict
        What stands in the address.
    page : str
        A name in ``WAY_PAGES``.
    """

    title: str
    view: dict[str, str]
    page: str = "example"


# Page name -> script, icon, title, its question.
WAY_PAGES = {
    "lookup": (
        "pages/lookup.py",
        ":material/manage_search:",
        mark("Soft lookup"),
        mark("What is found?"),
    ),
    "example": (
        "pages/worked_example.py",
        ":material/calculate:",
        mark("Worked example"),
        mark("Number by number"),
    ),
    "masks": (
        "pages/masks.py",
        ":material/visibility_off:",
        mark("Masks"),
        mark("Who may look at whom?"),
    ),
    "scaling": (
        "pages/scaling.py",
        ":material/square_foot:",
        "√d_k",
        mark("Why divide the scores?"),
    ),
    "properties": (
        "pages/properties.py",
        ":material/hub:",
        mark("Properties"),
        mark("What does it see?"),
    ),
    "memory": (
        "pages/memory.py",
        ":material/database:",
        mark("Memory"),
        mark("What does T cost?"),
    ),
    "context": (
        "pages/context.py",
        ":material/person_search:",
        mark("Who is it?"),
        mark("What do weights explain?"),
    ),
    "claims": (
        "pages/claims.py",
        ":material/fact_check:",
        mark("Claims"),
        mark("What is so?"),
    ),
}
WAYS: dict[str, tuple[Way, ...]] = {
    mark("To learn it"): (
        Way(mark("From a dictionary to attention"), {"tab": "lookup"}, "lookup"),
        Way(
            mark("The textbook, cell by cell"),
            {"example": "textbook", "tab": "steps", "step": "score"},
        ),
        Way(mark("Scores become weights"), {"tab": "steps", "step": "softmax"}),
        Way(mark("Practise a row by hand"), {"tab": "practice"}),
        Way(
            mark("Causal against bidirectional"),
            {"tab": "compare", "source": "textbook", "a": "none", "b": "causal"},
            "masks",
        ),
        Way(mark("Change a token, see what moves"), {"tab": "influence"}, "masks"),
        Way(mark("How far dot products spread"), {"tab": "variance"}, "scaling"),
        Way(mark("Tokens in another order"), {"tab": "order"}, "properties"),
        Way(mark("What T × T matrices need"), {"tab": "bytes"}, "memory"),
        Way(mark("How ‘it’ finds its noun in two layers"), {"tab": "two-layers"}, "context"),
    ),
    mark("To teach it"): (
        Way(mark("The flow of shapes"), {"tab": "shapes"}),
        Way(mark("What the causal mask hides"), {"tab": "steps", "mask": "causal", "step": "mask"}),
        Way(mark("What the texts print"), {"tab": "printed"}),
        Way(mark("Mask mistakes, measured"), {"tab": "mistakes"}, "masks"),
        Way(mark("Why a KV cache is allowed"), {"tab": "growth"}, "masks"),
        Way(mark("Softmax saturates without √d_k"), {"tab": "saturation"}, "scaling"),
        Way(mark("Attention as a graph"), {"tab": "graph"}, "properties"),
        Way(mark("Too tired, too wide: a real model"), {"tab": "endings"}, "context"),
        Way(mark("Every claim, with its verdict"), {}, "claims"),
        Way(
            mark("The 144 GiB of GPT-3"),
            {
                "tab": "bytes",
                "T": "2048",
                "layers": "96",
                "heads": "96",
                "kv_heads": "96",
                "d_model": "12288",
                "d_ff": "49152",
                "gated": "off",
                "dtype": "float32",
                "use": "training",
            },
            "memory",
        ),
    ),
    mark("To build it"): (
        Way(mark("The same as NumPy code"), {"tab": "copy"}),
        Way(mark("Scores that are not square"), {"tab": "steps", "S": "6", "step": "score"}),
        Way(
            mark("Twelve tokens, no scale"),
            {
                "example": "random",
                "T": "12",
                "d_k": "8",
                "scale": "off",
                "tab": "steps",
                "step": "softmax",
            },
        ),
        Way(mark("Padding in a batch"), {"tab": "padding"}, "masks"),
        Way(mark("Fewer queries than keys"), {"tab": "alignment"}, "masks"),
        Way(mark("Train with and without √d_k"), {"tab": "training"}, "scaling"),
        Way(mark("What depth does to differences"), {"tab": "depth"}, "properties"),
        Way(mark("Which T fits in which memory"), {"tab": "fits"}, "memory"),
        Way(mark("Measure attention on this machine"), {"tab": "measured"}, "memory"),
        Way(mark("Cut a key, measure what moves"), {"tab": "cause"}, "context"),
    ),
}


def ways(t: Translator) -> None:
    """Draw links into the pages, by what the reader came for."""
    pages = list(WAY_PAGES.values())
    for first in range(0, len(pages), IN_A_ROW):
        row = pages[first : first + IN_A_ROW]
        for column, (_, icon, title, question) in zip(st.columns(IN_A_ROW), row, strict=False):
            column.markdown(f"{icon} **{typeset(t(title))}** · {t(question)}")
    for column, (purpose, links) in zip(st.columns(len(WAYS)), WAYS.items(), strict=True):
        with column.container(border=True, height="stretch", gap="xxsmall"):
            st.markdown(f"**{t(purpose)}**")
            for way in links:
                script, icon, *_ = WAY_PAGES[way.page]
                view = settings.with_choices(way.view)
                st.page_link(script, label=t(way.title), icon=icon, query_params=view)

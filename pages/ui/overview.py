"""The parts of the overview page."""

from __future__ import annotations

import streamlit as st

import engine
from pages.figures.palette import theme
from pages.gallery import exhibit
from pages.text import Translator, mark
from pages.text.formulas import attention_formula
from pages.ui import figure_view, frame, settings

NEW_LINE = "\n"
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


WAYS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    mark("To learn it"): (
        (
            mark("The textbook, cell by cell"),
            {"example": "textbook", "tab": "steps", "step": "score"},
        ),
        (mark("Scores become weights"), {"tab": "steps", "step": "softmax"}),
        (mark("Practise a row by hand"), {"tab": "practice"}),
    ),
    mark("To teach it"): (
        (mark("The flow of shapes"), {"tab": "shapes"}),
        (mark("What the causal mask hides"), {"tab": "steps", "mask": "causal", "step": "mask"}),
        (mark("What the texts print"), {"tab": "printed"}),
    ),
    mark("To build it"): (
        (mark("The same as NumPy code"), {"tab": "copy"}),
        (
            mark("Scores that are not square"),
            {"tab": "steps", "S": "6", "step": "score"},
        ),
        (
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
    ),
}


def ways(t: Translator) -> None:
    """Draw links into the worked example, by what the reader came for."""
    st.markdown(f"**{t('Worked example')}** · {t('What happens to every number?')}")
    for column, (purpose, links) in zip(st.columns(len(WAYS)), WAYS.items(), strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{t(purpose)}**")
            for title, view in links:
                st.page_link(
                    "pages/worked_example.py",
                    label=t(title),
                    icon=":material/arrow_forward:",
                    query_params=view,
                )

"""Says whose attention is shown, and which pieces its tokenizer does not know."""

from __future__ import annotations

import streamlit as st

from engine.experiments.context.study import Study
from pages.text import Translator
from pages.text.markup import inline

MOST_PIECES = 24  # that are listed


def draw(study: Study, t: Translator) -> None:
    """Draw the text in its pieces where some of it is unknown to the tokenizer."""
    if not study.unknown.any():
        return
    lost = [study.text[start:end] for (start, end), unknown in _pieces(study) if unknown]
    shown = [f"“{inline(text)}”" for text in lost[:MOST_PIECES]]
    st.warning(
        t(
            "The tokenizer of {model} does not know {count} of {total} pieces of this text: "
            "{pieces}. Each of them reaches the model as the same vector, that of [UNK], so that "
            "its weights cannot tell them apart.",
            model=inline(study.model_name),
            count=len(lost),
            total=int((~study.special).sum()),
            pieces=t.listing(shown) + (" …" if len(lost) > MOST_PIECES else ""),
        ),
        icon=":material/help:",
    )


def _pieces(study: Study) -> list[tuple[tuple[int, int], bool]]:
    return list(zip(study.spans, map(bool, study.unknown), strict=True))

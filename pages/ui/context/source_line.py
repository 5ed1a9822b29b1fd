"""Says which pieces of the texts the tokenizer does not know."""

from __future__ import annotations

import streamlit as st

from engine.experiments.context.study import Study
from pages.text import Translator
from pages.text.markup import inline

MOST_PIECES = 24  # that are listed


def draw(t: Translator, *studies: Study) -> None:
    """Draw, once for each text, what of it is unknown to the tokenizer."""
    said = dict.fromkeys(unknown_words(study, t) for study in studies if study.unknown.any())
    for sentence in said:
        st.warning(sentence, icon=":material/help:")


def unknown_words(study: Study, t: Translator) -> str:
    """Return which pieces of a text are unknown, as Markdown; there is at least one."""
    lost = [
        study.text[start:end]
        for (start, end), unknown in zip(study.spans, study.unknown, strict=True)
        if unknown
    ]
    shown = [f"“{inline(text)}”" for text in lost[:MOST_PIECES]]
    values = {
        "model": inline(study.model_name),
        "total": int((~study.special).sum()),
        "pieces": t.listing(shown) + (" …" if len(lost) > MOST_PIECES else ""),
    }
    if len(lost) == 1:
        return t(
            "The tokenizer of {model} does not know a piece of this text, {pieces}: the model "
            "reads its unknown token there.",
            **values,
        )
    return t(
        "The tokenizer of {model} does not know {count} of {total} pieces of this text: {pieces}. "
        "The model reads its unknown token for each, so that only their places tell them apart.",
        count=len(lost),
        **values,
    )

"""What of a study is looked at: what the reader chose, as far as the text has it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.experiments.context.study import Study
from pages.gallery.context_model import ModelView
from pages.text import Translator
from pages.text.markup import inline
from pages.ui.context import state


def view_of(study: Study, t: Translator) -> ModelView:
    """Return what is looked at, and say so where it is not what was chosen.

    A study may be an older one than what is chosen, with fewer layers, heads or tokens.
    """
    chosen = state.model_view()
    view = replace(
        chosen,
        layer=min(chosen.layer, study.layers),
        head=min(chosen.head, study.heads),
        query=chosen.query if chosen.query <= len(study.tokens) else 0,
        specials="shown" if study.special.all() else chosen.specials,
    )
    if view.specials == "shown" or not view.query or not study.special[view.query - 1]:
        return view
    st.info(
        t(
            "{token} is a special token and left out, so another one looks here; show special "
            "tokens to see where it looks.",
            token=inline(study.tokens[view.query - 1]),
        ),
        icon=":material/info:",
    )
    return replace(view, query=0)

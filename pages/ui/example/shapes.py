"""The shape-flow diagram with the real sizes, and the rule for debugging by shapes."""

from __future__ import annotations

import streamlit as st

from engine.experiments.worked_example import Result
from pages.gallery import exhibit
from pages.gallery.worked_example import PREFIX
from pages.ui import figure_view, settings


def draw(result: Result) -> None:
    """Draw the tab of the shapes."""
    t = settings.translate()
    figure_view.show(
        exhibit(f"{PREFIX}-shapes", result, params=result.params, backend=result.backend_name),
        "shapes",
    )
    sizes = result.sizes
    st.markdown(f"**{t('What to notice')}**")
    if result.params.context is None:
        st.markdown(
            t(
                "In self-attention Q and K come from the same tokens, so the score matrix is "
                "{T} × {T}. A score matrix that is not square means that Q and K were made from "
                "different inputs. Switch the inspector to Cross to see that happen.",
                T=sizes.T,
            )
        )
    else:
        st.markdown(
            t(
                "Here Q comes from X ({T} × {d_model}), and K and V from C ({S} × {d_model}), so "
                "the score matrix is {T} × {S}. In self-attention it must be square; the text’s "
                "rule for debugging is to check exactly that.",
                d_model=sizes.d_model,
                T=sizes.T,
                S=sizes.S,
            )
        )

"""What a measurement of this page refused."""

from __future__ import annotations

import streamlit as st

from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.measured import MeasuredResult
from pages.text import Translator
from pages.text.memory_readings import refusals_said
from pages.ui.maths import typeset


def say_refusals(result: MeasuredResult | HeadSizeResult, t: Translator) -> None:
    """Draw why points were refused, in full; nothing where none was."""
    sentences = refusals_said(result, t)
    if sentences:
        st.markdown(f"**{t('What was refused')}**")
        for sentence in sentences:
            st.markdown(typeset(sentence))

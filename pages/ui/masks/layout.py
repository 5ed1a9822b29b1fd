"""Where the parts of a tab stand: numbers and words beside the figure, or above it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.text import Translator
from pages.ui import figure_view

METRIC_WIDTH = 152
# The words on a chosen row keep the height of most of them, so that the table below stays where it
# is while one row after the other is clicked.
# Numbers and words stand above the figure and fill its width, so that all are on screen together;
# where there is room beside the figure, they stand there, one below the other.
STYLE = f"""
<style>
.stMainBlockContainer {{ container: masks / inline-size; padding-top: 4rem; }}
.stMainBlockContainer > .stVerticalBlock {{ row-gap: 0.75rem; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-masks-facts) {{ flex: 1 1 360px; }}
.st-key-masks-chosen {{ min-height: 10.125rem; }}
@container masks (min-width: {figure_view.WIDTH + 80}px) {{
  .st-key-masks-chosen {{ min-height: 6.875rem; }}
}}
@container masks (min-width: {figure_view.WIDTH + 440}px) {{
  [data-testid="stLayoutWrapper"]:has(> .st-key-masks-facts) {{ order: 1; }}
  .st-key-masks-facts > [data-testid="stLayoutWrapper"] {{ flex: 1 1 100%; width: 100%; }}
  .st-key-masks-facts [data-testid="stMetric"] > div {{
    display: grid; grid-template-columns: max-content 1fr; align-items: center;
    column-gap: 0.75rem;
  }}
  .st-key-masks-facts [data-testid="stMetricLabel"] {{ grid-column: 1 / -1; }}
}}
</style>
"""


def dress() -> None:
    """Give the page its layout; once a page."""
    st.html(STYLE)


def workspace(
    numbers: Callable[[], None], words: Callable[[], None], figure: Callable[[], None]
) -> None:
    """Draw the measured numbers, what to notice, and the main figure.

    Parameters
    ----------
    numbers, words, figure : callable
        Draw their part where they are called.
    """
    with st.container(horizontal=True, gap="medium", key="masks.workspace"):
        with st.container(horizontal=True, gap="small", key="masks.facts"):
            numbers()
            with st.container(width="stretch", gap="xsmall", key="masks.notice"):
                words()
        with st.container(width=figure_view.WIDTH, key="masks.figure"):
            figure()


def metric(title: str, value: str, about: str = "", *, help: str | None = None) -> None:
    """Draw one measured number, and where it was found."""
    with st.container(width=METRIC_WIDTH):
        st.metric(
            title,
            value,
            delta=about or None,
            delta_color="off",
            delta_arrow="off",
            help=help,
        )


def notice(t: Translator, *sentences: str) -> None:
    """Draw what to notice."""
    st.markdown(f"**{t('What to notice')}**")
    st.markdown(t.sentences(*sentences))

"""Where the parts of a tab stand: numbers and words beside the figures, or above them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.text import Translator
from pages.ui import figure_view

METRIC_WIDTH = 152
WIDE = 204  # of a number whose title or place is longer: four stand beside each other at 1280
HALF = 424  # pixels: two figures beside each other
# Numbers and words stand above the figures and fill their width, so that all are on screen
# together; where there is room beside the figures, they stand there, one below the other.
STYLE = f"""
<style>
.stMainBlockContainer {{ container: workspace / inline-size; padding-top: 4rem; }}
.stMainBlockContainer > .stVerticalBlock {{ row-gap: 0.75rem; }}
.st-key-workspace-all {{ row-gap: 0.5rem; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-workspace-facts) {{ flex: 1 1 360px; }}
@container workspace (min-width: {figure_view.WIDTH + 440}px) {{
  [data-testid="stLayoutWrapper"]:has(> .st-key-workspace-facts) {{ order: 1; }}
  .st-key-workspace-facts > [data-testid="stLayoutWrapper"] {{ flex: 1 1 100%; width: 100%; }}
  .st-key-workspace-facts [data-testid="stMetric"] > div {{
    display: grid; grid-template-columns: max-content 1fr; align-items: center;
    column-gap: 0.75rem;
  }}
  .st-key-workspace-facts [data-testid="stMetricLabel"] {{ grid-column: 1 / -1; }}
}}
</style>
"""


NOTICE = 400  # pixels
# With less room beside the numbers, sentences stand below them and fill the width: for a page
# that has many of both.
NOTICE_BELOW = f"""
<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-workspace-notice) {{ flex: 1 1 {NOTICE}px; }}
</style>
"""


def dress(more: str = "") -> None:
    """Give the page its layout, and a style of its own; once a page."""
    st.html(STYLE + more)


def draw(
    numbers: Callable[[], None], words: Callable[[], None], figures: Callable[[], None]
) -> None:
    """Draw the measured numbers, what to notice, and the main figures.

    Parameters
    ----------
    numbers, words, figures : callable
        Draw their part where they are called.
    """
    with st.container(horizontal=True, gap="medium", key="workspace.all"):
        with st.container(horizontal=True, gap="small", key="workspace.facts"):
            numbers()
            with st.container(width="stretch", gap="xsmall", key="workspace.notice"):
                words()
        with st.container(width=figure_view.WIDTH, key="workspace.figures"):
            figures()


def side_by_side(*figures: Callable[[], None]) -> None:
    """Draw figures of half the width beside each other."""
    with st.container(horizontal=True, gap="small"):
        for figure in figures:
            with st.container(width=HALF, gap="xsmall"):
                figure()


def metric(
    title: str, value: str, about: str = "", *, help: str = "", width: int = METRIC_WIDTH
) -> None:
    """Draw one measured number, and where it was found."""
    fill(metric_place(width), title, value, about, help)


def wide_metric(title: str, value: str, about: str, help: str) -> None:
    """Draw a number whose title or place is longer than usual, so that nothing is cut off."""
    metric(title, value, about, help=help, width=WIDE)


def metric_place(width: int = METRIC_WIDTH) -> Any:
    """Return the place of a number that may change while the view stands."""
    with st.container(width=width):
        return st.empty()


def fill(place: Any, title: str, value: str, about: str = "", help: str = "") -> None:
    """Draw a measured number in its place."""
    place.metric(
        title,
        value,
        delta=about or None,
        delta_color="off",
        delta_arrow="off",
        help=help or None,
    )


def notice(t: Translator, *sentences: str) -> None:
    """Draw what to notice."""
    st.markdown(f"**{t('What to notice')}**")
    st.markdown(t.sentences(*sentences))

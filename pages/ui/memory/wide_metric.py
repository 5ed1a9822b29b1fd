"""A number whose title or place is longer than usual, so that nothing of it is cut off."""

from __future__ import annotations

import streamlit as st

from pages.ui import workspace

WIDTH = 204  # pixels: four of them stand beside each other on a small screen


def draw(title: str, value: str, about: str, help: str) -> None:
    """Draw a number, where it holds, and what it means."""
    with st.container(width=WIDTH):
        workspace.fill(st.empty(), title, value, about, help)

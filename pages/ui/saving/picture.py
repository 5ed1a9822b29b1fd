"""The picture of a slide inside the page: the very drawing that its SVG file holds."""

from __future__ import annotations

import base64
import html
import json
from hashlib import sha256

import streamlit as st

from pages.export import Slide, to_bytes
from pages.figures.figure import Figure, Style

# Squares behind a transparent drawing, in the tones of the ground that its ink is made for.
_SQUARES = {"light": ("#FFFFFF", "#DDE2EA"), "dark": ("#14181F", "#2A323E")}
_SQUARE = 20  # pixels
EDGE = "box-shadow: 0 0 0 1px color-mix(in srgb, currentColor 22%, transparent)"


def fingerprint(figure: Figure) -> str:
    """Return a text that two figures share only when they show the same."""
    content = json.dumps([figure.title, figure.spec], sort_keys=True, default=str)
    return sha256(content.encode("utf-8", "replace")).hexdigest()


def drawing(figure: Figure, known_as: str | None = None) -> str:
    """Return a figure's SVG as an address for ``<img>``; ``known_as`` is its fingerprint.

    Raises
    ------
    ExportError
        When the figure cannot be drawn.
    """
    return _drawing(known_as or fingerprint(figure), figure)


@st.cache_data(max_entries=300, show_spinner=False)
def _drawing(known_as: str, _figure: Figure) -> str:  # noqa: ARG001 - it is the key of the cache
    encoded = base64.b64encode(to_bytes(_figure, "svg")).decode("ascii")
    return f"data:image/svg+xml;base64,{encoded}"


def framed(address: str, slide: Slide, height: str) -> str:
    """Return the HTML of a drawing, fitted into the width there is and a height in CSS."""
    alt = html.escape(slide.figure.alt or slide.title, quote=True)
    fit = f"max-width: 100%; max-height: {height}; {EDGE}; {ground(slide.style)}"
    return (
        f'<div style="display: grid; place-items: center">'
        f'<img src="{address}" alt="{alt}" style="{fit}"></div>'
    )


def ground(style: Style) -> str:
    """Return what lies behind a drawing, as CSS: squares where it is transparent."""
    if not style.transparent:
        return ""
    light, dark = _SQUARES[style.theme]
    squares = f"repeating-conic-gradient({dark} 0% 25%, {light} 0% 50%)"
    return f"background: {squares} 0 0 / {_SQUARE}px {_SQUARE}px"

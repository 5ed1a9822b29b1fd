"""The picture of a slide inside the page: the very drawing of its SVG file, or a small copy."""

from __future__ import annotations

import base64
import html
import io
import json
from hashlib import sha256

import streamlit as st
from PIL import Image

from pages.export import Slide, refusal, to_bytes
from pages.export.convert import to_png
from pages.figures.figure import Figure, Style

# Squares behind a transparent drawing, in the tones of the ground that its ink is made for.
_SQUARES = {"light": ("#FFFFFF", "#DDE2EA"), "dark": ("#14181F", "#2A323E")}
_SQUARE = 20  # pixels
_THUMBNAIL = (416, 234)  # pixels at most: twice what a card shows, for screens with fine pixels
_FILE_SCALE = 300 / 96  # of a PNG file beside its figure
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


def thumbnail(figure: Figure, known_as: str) -> str:
    """Return a small copy of a figure as an address for ``<img>``; ``known_as`` as in ``drawing``.

    A page of the deck shows many: as drawings they are some megabytes that every rerun would have
    to copy and to compare.

    Raises
    ------
    ExportError
        When the figure cannot be drawn, or no font here has a character of it.
    """
    return _thumbnail(known_as, figure)


@st.cache_data(max_entries=300, show_spinner=False)
def _thumbnail(known_as: str, _figure: Figure) -> str:  # noqa: ARG001 - it is the key of the cache
    width, height = _figure.spec["width"], _figure.spec["height"]
    scale = min(_THUMBNAIL[0] / width, _THUMBNAIL[1] / height) / _FILE_SCALE
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(to_png(_figure, scale))) as picture:
        picture.save(buffer, "WEBP", lossless=True)
    encoded = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f"data:image/webp;base64,{encoded}"


def make(figure: Figure) -> None:
    """Draw what a deck shows of a figure now, so that it is at hand; raises ExportError."""
    known_as = fingerprint(figure)
    drawing(figure, known_as)
    if refusal(figure, "png") is None:
        thumbnail(figure, known_as)


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

"""Turns figures and slides into files: PNG, SVG, PDF, CSV and PPTX, alone and as a deck.

Everything here is a function of its arguments: the same input gives the same bytes. A conversion
takes some tenths of a second, so a page asks for it when a person wants the file, not on every
rerun. ``python -m pages.export`` does the same without a page.

A name is loaded when it is first asked for: Python imports this file before anything of the
command, which has to be ready for a stop before it loads the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.export.convert import refusal, to_bytes
    from pages.export.deck import (
        DECK_FORMATS,
        FORMATS,
        MEDIA_TYPES,
        deck_bytes,
        slide_bytes,
    )
    from pages.export.deck_json import deck_from_json
    from pages.export.errors import ExportError
    from pages.export.fonts import missing_font
    from pages.export.limits import MOST_SLIDES
    from pages.export.names import file_name
    from pages.export.slides import Deck, Slide, slide_of

__all__ = [
    "DECK_FORMATS",
    "FORMATS",
    "MEDIA_TYPES",
    "MOST_SLIDES",
    "Deck",
    "ExportError",
    "Slide",
    "deck_bytes",
    "deck_from_json",
    "file_name",
    "missing_font",
    "refusal",
    "slide_bytes",
    "slide_of",
    "to_bytes",
]

_PLACES = {
    "convert": ("refusal", "to_bytes"),
    "deck": ("DECK_FORMATS", "FORMATS", "MEDIA_TYPES", "deck_bytes", "slide_bytes"),
    "deck_json": ("deck_from_json",),
    "errors": ("ExportError",),
    "fonts": ("missing_font",),
    "limits": ("MOST_SLIDES",),
    "names": ("file_name",),
    "slides": ("Deck", "Slide", "slide_of"),
}


def __getattr__(name: str) -> object:
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{place}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Small words that several tabs of the masks page use."""

from __future__ import annotations

from engine.experiments.masks import Params
from engine.experiments.masks.inputs import Head
from pages.text import Translator
from pages.text.mask_words import spec_words


def token(head: Head, index: int) -> str:
    """Return ``2 · street`` for the second token; a name that is only its number once."""
    name, place = head.tokens[index], str(index + 1)
    return place if name == place else f"{place} · {name}"


def mask(params: Params, name: str, t: Translator) -> str:
    """Return mask ``"A"`` or ``"B"`` in a few words."""
    return spec_words(params.a if name == "A" else params.b, t)

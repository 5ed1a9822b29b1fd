"""Small words that several tabs of the masks page use."""

from __future__ import annotations

from engine.experiments.masks import Params
from engine.experiments.masks.inputs import Head
from pages.text import Translator
from pages.text.mask_words import spec_words


def token(head: Head, index: int) -> str:
    """Return a token, with its position before it where another token has the same name."""
    name = head.tokens[index]
    return name if head.tokens.count(name) == 1 else f"{index + 1} · {name}"


def mask(params: Params, name: str, t: Translator) -> str:
    """Return mask ``"A"`` or ``"B"`` in a few words."""
    return spec_words(params.a if name == "A" else params.b, t)

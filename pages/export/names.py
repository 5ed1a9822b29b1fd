"""The name under which a figure is saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.figures.figure import Figure, Style

_LONGEST = 120  # characters of a stem; file systems take 255 bytes for the whole name
# What is usual goes without a word: English, light, a slide.
_USUAL = ("en", "light", "slide")


def file_name(figure: Figure, format: str, style: Style) -> str:
    """Return a file name such as ``worked-example-scores-T4-zh-dark-half.png``.

    English, light and a whole slide are the usual case and go without a suffix. Whatever a file
    system might refuse becomes a hyphen.
    """
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", figure.name)[:_LONGEST].strip("-.") or "figure"
    chosen = (str(style.language), str(style.theme), str(style.size))
    words = [word for word in chosen if word not in _USUAL]
    words += ["transparent"] if style.transparent else []
    return "-".join([stem, *words]) + f".{format}"

"""The name under which a figure is saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pages.figures.figure import Style

if TYPE_CHECKING:
    from pages.figures.figure import Figure

_LONGEST = 120  # characters of a stem; file systems take 255 bytes for the whole name
# What is usual goes without a word.
_USUAL = Style(size="slide")


def file_name(figure: Figure, format: str, style: Style) -> str:
    """Return a file name such as ``worked-example-scores-T4-zh-dark-half.png``.

    English, light, a whole slide and three decimals are the usual case and go without a suffix. A
    CSV file has no look, so only its language counts. Whatever a file system might refuse becomes
    a hyphen.
    """
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", figure.name)[:_LONGEST].strip("-.") or "figure"
    words: list[str] = [style.language] if style.language != _USUAL.language else []
    if format != "csv":
        words += _look(style)
    return "-".join([stem, *words]) + f".{format}"


def _look(style: Style) -> list[str]:
    """Return a word for everything in which a drawing differs from the usual."""
    words: list[str] = [style.theme] if style.theme != _USUAL.theme else []
    words += [style.size] if style.size != _USUAL.size else []
    words += [f"{style.decimals}-decimals"] if style.decimals != _USUAL.decimals else []
    return [*words, *(["transparent"] if style.transparent else [])]

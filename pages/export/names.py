"""The name under which a figure is saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.figures.figure import Figure, Style


def file_name(figure: Figure, format: str, style: Style) -> str:
    """Return a file name such as ``worked-example-scores-T4-zh-dark.png``.

    English and light are the usual case and go without a suffix. Whatever a file system might
    refuse becomes a hyphen.
    """
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", figure.name).strip("-.") or "figure"
    language = "" if style.language == "en" else f"-{style.language}"
    theme = "" if style.theme == "light" else f"-{style.theme}"
    return f"{stem}{language}{theme}.{format}"

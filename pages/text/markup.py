"""Keeps a reader's own words from being read as Markdown."""

from __future__ import annotations

import re

# What Streamlit's Markdown could take for emphasis, code, a link, a formula, a colour or an icon.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#+\-.!|$~:&()])")


def quoted(text: str) -> str:
    """Return ``text`` so that Markdown shows it as it stands."""
    return _SPECIAL.sub(r"\\\1", text)


# Within a line; a colon only where it may begin a colour or an icon.
_INLINE = re.compile(r"([\\`*_~$\[\]<>#|&]|:(?=\S))")


def inline(text: str) -> str:
    """Return ``text`` so that Markdown shows it as it stands within a line."""
    return _INLINE.sub(r"\\\1", text)

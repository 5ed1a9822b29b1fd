"""Symbols of plain sentences as they are set in print."""

from __future__ import annotations

import re

_SYMBOL = re.compile(r"√d_k|\bd_[kv]\b|\bW_[QK]\b|√\(([\d,]+)/([\d,]+)\)")


def typeset(text: str) -> str:
    """Return a sentence as Markdown with its symbols as formulas."""
    return _SYMBOL.sub(_formula, text)


def _formula(found: re.Match[str]) -> str:
    symbol = found.group()
    if symbol == "√d_k":
        return r"$\sqrt{d_k}$"
    if found.group(1):
        return rf"$\sqrt{{{found.group(1)}/{found.group(2)}}}$"
    return f"${symbol}$"

"""Tuples of numbers, which no line may break: ``(0.73, 0.27)``."""

from __future__ import annotations

import re

_TUPLE = re.compile(r"\([−\d.,]+(?:,\s[−\d.,]+)+\)")
_FIXED = "\N{NO-BREAK SPACE}"


def tied(text: str) -> str:
    """Return a text whose tuples of numbers stay in one line each."""
    return _TUPLE.sub(lambda found: re.sub(r"\s", _FIXED, found.group()), text)

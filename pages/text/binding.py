"""What no line may break: an equation, a number with its unit, a product of two symbols."""

from __future__ import annotations

import re

_FIXED = "\N{NO-BREAK SPACE}"
_EQUATION = re.compile(r"(?<=\w) ([=≥≤]) (?=[\d$≥])")
_UNIT = re.compile(r"(?<=\d) (?=(?:%|[KMGTPEZY]?i?B|[kMGTPE]?FLOP)(?!\w))")
_PRODUCT = re.compile(r"(?<=\b[A-Z]) × (?=[A-Z]\b)")


def bound(text: str) -> str:
    """Return a text in which ``T = 8,192``, ``88 %``, ``24 GiB`` and ``T × T`` stay in one line."""
    text = _EQUATION.sub(rf"{_FIXED}\1{_FIXED}", text)
    return _PRODUCT.sub(f"{_FIXED}×{_FIXED}", _UNIT.sub(_FIXED, text))

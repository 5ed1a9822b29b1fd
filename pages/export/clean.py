"""Text as XML can hold it: titles and token labels come from people, and XML forbids some of it."""

from __future__ import annotations

import re

# XML 1.0 allows tab and line feed of the control characters; a lone surrogate has no UTF-8.
_FORBIDDEN = re.compile(r"[^\t\n\u0020-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
_LINE_END = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")


def clean(text: str) -> str:
    """Return ``text`` without what XML forbids; every kind of line end becomes a line feed."""
    return _FORBIDDEN.sub("", _LINE_END.sub("\n", text))


def one_line(text: str) -> str:
    """Return ``text`` as one clean line with single spaces."""
    return " ".join(clean(text).split())

"""Symbols of plain sentences as they are set in print."""

from __future__ import annotations

import re

from pages.text.binding import bound
from pages.text.markup import inline

# Chinese has no spaces around a symbol, so that only letters of its own alphabet count as its
# neighbours. What is a formula already stays as it is.
_SYMBOLS = (
    r"(?:÷|1/)?√d_k"
    r"|√?d_model(?![A-Za-z0-9_])"
    r"|(?:÷|(?<![A-Za-z0-9_]))(?:d_k\^c|d_[kv]|W_[QKVO])(?![A-Za-z0-9_])"
    r"|√\((?P<over>[\d,]+)/(?P<under>[\d,]+)\)"
    r"|√(?P<root>\d[\d,]*\d|\d)"
)
_SYMBOL = re.compile(r"\$[^$]*\$|" + _SYMBOLS)
_IN_PLAIN = re.compile(_SYMBOLS)


# A browser lets a line begin with these after a formula, unless the two are joined.
_JOINED = re.compile(r"(?<=\$)(?=[：；，。、:;,.)])")
_JOINER = "\N{WORD JOINER}"
_MODEL = r"d_{\text{model}}"


def typeset(text: str) -> str:
    """Return a sentence as Markdown with its symbols as formulas."""
    return _JOINED.sub(_JOINER, _SYMBOL.sub(_formula, text))


def set_plain(text: str) -> str:
    """Return plain text as Markdown: its symbols as formulas, all else as it stands.

    For text with words of the reader's own, such as a figure's note; no line is broken inside an
    equation or an amount.
    """
    text = bound(text)
    found = list(_IN_PLAIN.finditer(text))
    ends = [0, *(symbol.end() for symbol in found)]
    starts = [*(symbol.start() for symbol in found), len(text)]
    between = [inline(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    formulas = [*map(_formula, found), ""]
    said = "".join(part + formula for part, formula in zip(between, formulas, strict=True))
    return _JOINED.sub(_JOINER, said)


def set_bound(text: str) -> str:
    """Return a sentence as `typeset` does, with no line broken inside an equation or an amount."""
    return typeset(bound(text))


def _formula(found: re.Match[str]) -> str:
    symbol = found.group()
    if symbol.startswith("$"):
        return symbol
    over, under, root = (_grouped(found.group(name)) for name in ("over", "under", "root"))
    if over:
        return rf"$\sqrt{{{over}/{under}}}$"
    if root:
        return rf"$\sqrt{{{root}}}$"
    if symbol.endswith("d_model"):
        return rf"$\sqrt{{{_MODEL}}}$" if symbol.startswith("√") else f"${_MODEL}$"
    # With what is in front inside, no line ends between the two.
    return "$" + symbol.replace("÷", r"\div ").replace("√d_k", r"\sqrt{d_k}") + "$"


def _grouped(digits: str | None) -> str:
    """Return a number whose commas take no space after them in a formula."""
    return (digits or "").replace(",", "{,}")

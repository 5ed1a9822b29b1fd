"""Text widths without a font: an estimate on the safe side of the fonts in the palette."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
# Widths in em, the larger of Arial (Helvetica, Liberation Sans) and Noto Sans.
_NARROW = dict.fromkeys("iIjl!'.,:;·`", 0.35) | dict.fromkeys('ftr()[]{}/\\- \u2032"', 0.42)
_WIDE = (
    dict.fromkeys("mMWwOQG@%—…→", 1.02)
    | dict.fromkeys("∞√ΣNDHU&", 0.82)
    | dict.fromkeys("#|°", 0.66)
    | dict.fromkeys("⟨⟩", 0.5)
)
_EXACT = dict.fromkeys("0123456789+×÷−=<>~", 0.6) | {
    " ": 0.29,
    "\N{NO-BREAK SPACE}": 0.29,
    ".": 0.29,
    ",": 0.29,
}
_EM = _NARROW | _WIDE | _EXACT
_BOLD = 1.1


@lru_cache(maxsize=4096)
def _em(character: str) -> float:
    if character in _EM:
        return _EM[character]
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.0
    if character.isascii():
        return 0.74 if character.isupper() else 0.63
    return 1.0


def has_wide(text: str) -> bool:
    """Return whether ``text`` holds a Chinese, Japanese or Korean character."""
    return any(unicodedata.east_asian_width(character) in ("W", "F") for character in text)


@lru_cache(maxsize=8192)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of ``text`` in pixels at a font ``size`` in pixels, estimated generously."""
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def fit_text(text: str, size: float, room: float, bold: bool = False) -> str:
    """Return ``text``, shortened with an ellipsis when it is wider than ``room`` pixels."""
    if text_width(text, size, bold) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        shorter = text[:length].rstrip() + ELLIPSIS
        if text_width(shorter, size, bold) <= room:
            return shorter
    return text[:1] if text_width(text[:1], size, bold) <= room else ""


def _pieces(text: str) -> list[str]:
    """Split where a line may break: after a space, and around each wide (Chinese) character."""
    pieces: list[str] = []
    for character in text:
        wide = unicodedata.east_asian_width(character) in ("W", "F")
        closing = unicodedata.category(character) in ("Po", "Pe", "Pf")
        joins = pieces and not pieces[-1].endswith(" ") and (closing or not wide)
        if joins and (closing or not _ends_wide(pieces[-1])):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _ends_wide(piece: str) -> bool:
    return unicodedata.east_asian_width(piece[-1]) in ("W", "F")


def _short_pieces(text: str, size: float, room: float, bold: bool) -> list[str]:
    """Return the pieces of ``text``; one that is wider than a line is broken where it has to be."""
    short: list[str] = []
    for piece in _pieces(text):
        if text_width(piece.rstrip(), size, bold) <= room:
            short.append(piece)
            continue
        short.append("")
        for character in piece:
            if short[-1] and text_width((short[-1] + character).rstrip(), size, bold) > room:
                short.append("")
            short[-1] += character
    return short


def wrap_text(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """Return ``text`` as lines no wider than ``room`` pixels; nothing of it is lost."""
    lines = [""]
    for piece in _short_pieces(text, size, room, bold):
        if lines[-1] and text_width((lines[-1] + piece).rstrip(), size, bold) > room:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines if line.strip()]


def balance_text(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """Wrap ``text`` into as many lines as `wrap_text`, but about equally long ones."""
    best = wrap_text(text, size, room, bold)
    narrow, wide = room / 2, room
    while len(best) > 1 and wide - narrow > size / 2:
        middle = (narrow + wide) / 2
        lines = wrap_text(text, size, middle, bold)
        # A narrower column that must break a word is no gain.
        if len(lines) > len(best) or widest_word(text, size, bold) > middle:
            narrow = middle
        else:
            best, wide = lines, middle
    return best


def widest_word(text: str, size: float, bold: bool = False) -> float:
    """Return the width of the widest piece of ``text`` that no line may break."""
    return max((text_width(piece.rstrip(), size, bold) for piece in _pieces(text)), default=0.0)

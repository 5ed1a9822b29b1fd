"""Which characters a token label can show."""

from __future__ import annotations

import unicodedata

_REFUSED_CATEGORIES = ("Cc", "Co", "Cs", "Zl", "Zp")
# Letters and signs that leave no ink, beside the invisible format characters (category Cf).
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_blank(character: str) -> bool:
    """Say whether a character leaves no ink of its own."""
    return character in _BLANKS or unicodedata.category(character) in ("Cf", "Mn", "Zs")


def is_refused(character: str) -> bool:
    """Say whether a character cannot be shown, or would disturb the text around it."""
    category = unicodedata.category(character)
    noncharacter = ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF
    return category in _REFUSED_CATEGORIES or noncharacter or character in _DIRECTION_MARKS


def named(character: str) -> str:
    """Return a character as a sentence can show it: itself, or its number such as U+200B."""
    shown = character.isprintable() and not is_blank(character)
    return character if shown else f"U+{ord(character):04X}"

"""Splits a sentence into tokens that a label can show."""

from __future__ import annotations

import unicodedata
from itertools import islice

import regex

from engine.errors import OptionError
from engine.experiments.characters import is_blank, is_refused
from engine.experiments.number_text import shortened
from engine.experiments.text_given import require_text

MOST_TOKENS = 256
LONGEST_TOKEN = 40  # characters
# So much holds a token too many, or one that is too long: the rest need not be looked at.
_MOST_READ = (MOST_TOKENS + 1) * (LONGEST_TOKEN + 1)

# A space, to which no mark clings; one Han character; a keycap; a word, which may hold apostrophes,
# hyphens and joiners between its letters; else one sign or emoji, with all that belongs to it.
_TOKEN = regex.compile(
    r"""
    [ ]
    | \p{Han}\p{M}*+
    | [0-9\#*]\uFE0F?\u20E3
    | {letter}\p{M}*+ (?: (?: ['’\-‐‑] | [\u200C\u200D]++ )? {letter}\p{M}*+ )*+
    | \X
    """.replace("{letter}", r"[[\p{L}\p{N}]--\p{Han}]"),
    regex.VERBOSE | regex.VERSION1,
)
_SPACES = regex.compile(r"[\s\u200B\uFEFF]+")  # a zero-width space parts words as well


def tokens_of(sentence: str, most: int = MOST_TOKENS) -> tuple[str, ...]:
    """Split a sentence into words, Chinese characters, emoji and signs.

    White space parts tokens and is none. Characters that Unicode holds equal become the same, so
    that a word has one spelling; upper and lower case stay apart.

    Raises
    ------
    OptionError
        When it is no text, there is no token, there are more than ``most`` (at most
        ``MOST_TOKENS``), or one of them is too long or cannot be shown.
    """
    require_text("sentence", sentence)
    spaced = _SPACES.sub(" ", unicodedata.normalize("NFC", sentence))[:_MOST_READ]
    found = (match[0] for match in _TOKEN.finditer(spaced) if match[0] != " ")
    tokens = tuple(_usable(token) for token in islice(found, most + 1))
    if not tokens:
        raise OptionError(
            "The sentence is empty; write at least one word, up to {most}.", most=most
        )
    if len(tokens) > most:
        raise OptionError(
            "The sentence has more than {most} tokens; words, Chinese characters, signs and emoji "
            "each count as one.",
            most=most,
        )
    return tokens


def _usable(token: str) -> str:
    if len(token) > LONGEST_TOKEN:
        raise OptionError(
            "The word {word} is too long; a word may have at most {most} characters, "
            "and spaces part words.",
            word=shortened(token),
            most=LONGEST_TOKEN,
        )
    # A mark needs a letter before it, and a token needs ink.
    alone = unicodedata.category(token[0]).startswith("M") or all(map(is_blank, token))
    unusable = token[0] if alone else next(filter(is_refused, token), None)
    if unusable is not None:
        raise OptionError(
            "The sentence holds the character {character}, which cannot be shown as a token; "
            "use letters, digits, signs and emoji.",
            character=f"U+{ord(unusable):04X}",
        )
    return token

"""Which token is looked at: a pronoun, found in the text; and which tokens a word is."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from engine.experiments.context.sentences import pair_of
from engine.experiments.context.study import Study
from engine.experiments.scaling.inputs import require_count

PRONOUNS = frozenset(
    (
        *("it", "its", "itself", "they", "them", "their", "theirs", "themselves"),
        *("he", "him", "his", "himself", "she", "her", "hers", "herself"),
    )
)
CHINESE_PRONOUNS = frozenset("它他她牠祂")  # 们 may follow: the plural begins with one of these
# What holds one of these characters and is no pronoun: other, guitar, vitamin, exclusive, ...
NO_PRONOUNS = (
    *("其它", "其他", "其她", "吉他", "维他", "維他", "排他", "利他"),
    *("他人", "他乡", "他鄉", "他国", "他國", "他日", "他杀", "他殺"),
)
# Scripts that put no spaces between words: the letters beside a word are another word's.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def usual_query(study: Study) -> int:
    """Return the token, from 0, that a reader looks at first.

    The pronoun of a recorded pair; in other text the first pronoun; without one the first word,
    or the first token that is not special. In a causal model the last of these: the first token
    sees nothing but itself, so that it is no usual one there, not even a pronoun.
    """
    return usual_among(study, range(study.length))


def usual_among(study: Study, places: range | tuple[int, ...]) -> int:
    """Return the same among some tokens only, of which there is at least one."""
    pair = pair_of(study.text)
    named = None if pair is None else word_place(study, pair.query)
    if named is not None and named in places:
        return named
    seeing = [place for place in places if place or not study.causal] or list(places)
    pronouns = (place for place in seeing if _is_pronoun(study, place))
    if study.causal:  # the later, the more it sees
        seeing.reverse()
    plain = [place for place in seeing if not study.special[place]]
    words = (place for place in plain if is_word(study, place))
    return next(pronouns, next(words, next(iter(plain), seeing[0])))


def query_of(study: Study, query: int) -> int:
    """Return the token, from 0, that a position from 1 names; 0 names the usual one.

    Raises
    ------
    OptionError
        When it is no whole number from 0 to the number of tokens.
    """
    require_count("query", query, 0, study.length)
    return int(query) - 1 if query else usual_query(study)


def word_place(study: Study, word: str) -> int | None:
    """Return the first piece, from 0, of a word where it first stands in the text, or None.

    Letters and digits beside it make it another word: "it" does not stand in "fit" or "it2".
    """
    starts = (found.start() for found in re.finditer(re.escape(word), study.text))
    whole = ((at, at + len(word)) for at in starts)
    found = next((each for each in whole if _widened(study.text, *each) == each), None)
    if found is None:
        return None
    spans = np.array(study.spans).reshape(-1, 2)
    covers = (spans[:, 0] < found[1]) & (spans[:, 1] > found[0])
    inside = np.flatnonzero(covers & ~study.special)
    return int(inside[0]) if inside.size else None


def is_word(study: Study, place: int) -> bool:
    """Say whether a token has a letter or a digit; punctuation and special tokens have none."""
    start, end = study.spans[place]
    return not study.special[place] and any(map(str.isalnum, study.text[start:end]))


def _is_pronoun(study: Study, place: int) -> bool:
    """Say whether a token is a pronoun, or the first piece of one."""
    start, end = _trimmed(study.text, *study.spans[place])
    if study.text[start:end] in CHINESE_PRONOUNS:
        return not any(_stands(study.text, word, start) for word in NO_PRONOUNS)
    first, last = _widened(study.text, start, end)
    return first == start and study.text[first:last].lower() in PRONOUNS


def _stands(text: str, word: str, place: int) -> bool:
    """Say whether a word of two characters stands where one of them is at a place."""
    return word in text[max(place - 1, 0) : place + 2]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch of the text without the white space around it."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch with the letters and digits that join it on either side."""
    while 0 < start < end and _joined(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and _joined(text[end - 1], text[end]):
        end += 1
    return start, end


def _joined(one: str, other: str) -> bool:
    """Say whether two characters side by side belong to one word."""
    return _in_word(one) and _in_word(other)


def _in_word(character: str) -> bool:
    """Say whether a character is part of a word that spaces set apart; marks on letters are."""
    letter = character.isalnum() or character == "_" or unicodedata.combining(character) > 0
    return letter and not _UNSPACED.match(character)

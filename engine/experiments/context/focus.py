"""Which token is looked at: a pronoun, found in the text; and which tokens a word is."""

from __future__ import annotations

import re

import numpy as np

from engine.experiments.context.sentences import pair_of
from engine.experiments.context.study import Study
from engine.experiments.scaling.inputs import require_count

# A Chinese pronoun of two characters begins with one of these.
PRONOUNS = frozenset(
    (
        *("it", "its", "itself", "they", "them", "their", "themselves"),
        *("he", "him", "his", "himself", "she", "her", "herself"),
        *("它", "他", "她", "牠", "祂"),
    )
)


def usual_query(study: Study) -> int:
    """Return the token, from 0, that a reader looks at first.

    The pronoun of a recorded pair; in other text the first pronoun; without one the first token
    that is not special.
    """
    return usual_among(study, range(study.length))


def usual_among(study: Study, places: range | tuple[int, ...]) -> int:
    """Return the same among some tokens only, of which there is at least one."""
    pair = pair_of(study.text)
    named = None if pair is None else word_place(study, pair.query)
    if named is not None and named in places:
        return named
    pronouns = (place for place in places if _word(study, place) in PRONOUNS)
    plain = (place for place in places if not study.special[place])
    return next(pronouns, next(plain, places[0]))


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

    Letters beside it make it another word: "it" does not stand in "fit".
    """
    found = re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", study.text)
    if found is None:
        return None
    spans = np.array(study.spans).reshape(-1, 2)
    covers = (spans[:, 0] < found.end()) & (spans[:, 1] > found.start())
    inside = np.flatnonzero(covers & ~study.special)
    return int(inside[0]) if inside.size else None


def _word(study: Study, place: int) -> str:
    start, end = study.spans[place]
    return study.text[start:end].strip().lower()

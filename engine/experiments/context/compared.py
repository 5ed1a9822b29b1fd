"""Two texts side by side: the tokens they share, and which of these are compared.

Shape legend: L layers, H heads, S tokens that both texts share.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.context.focus import is_word, usual_among, word_place
from engine.experiments.context.sentences import PAIRS, pair_of
from engine.experiments.context.specials import Specials, kept_places
from engine.experiments.context.study import Study
from engine.experiments.scaling.inputs import require_count
from engine.shapes import Array

Places = tuple[int, int]  # of one token, from 0: in the first text and in the second


@dataclass(frozen=True)
class EndingsParams:
    """Two texts, and what is compared.

    Attributes
    ----------
    model, version : str
        As in `StudyParams`.
    first, second : str
        The texts.
    query : int
        The token whose row is compared: its position in the first text, from 1; 0 = automatic.
    one, other : int
        The two tokens it may mean: positions in the first text, from 1; 0 = automatic.
    specials : str
        What becomes of special tokens in the rows.
    """

    model: str = ""
    version: str = ""
    first: str = PAIRS[0].first
    second: str = PAIRS[0].second
    query: int = 0
    one: int = 0
    other: int = 0
    specials: Specials = "shown"


def shared_places(first: Study, second: Study, specials: Specials) -> tuple[Places, ...]:
    """Return the tokens of the common beginning and the common end, S of them.

    Raises
    ------
    OptionError
        When there is nothing else, or when there is nothing that can be compared.
    """
    if first.tokens == second.tokens:
        raise OptionError(
            "The model reads the same pieces in both texts, so that nothing can differ; change a "
            "word that its vocabulary has."
        )
    begun = _alike(first.tokens, second.tokens)
    # The end is sought in what the beginning leaves, so that no token is in both.
    ended = _alike(first.tokens[begun:][::-1], second.tokens[begun:][::-1])
    places = [(place, place) for place in range(begun)]
    places += [(first.length - back, second.length - back) for back in range(ended, 0, -1)]
    seen = set(kept_places(first, specials).tolist())
    return tuple(each for each in places if each[0] in seen)


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return how many tokens at the beginning are the same."""
    differ = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))


def query_place(params: EndingsParams, first: Study, shared: tuple[Places, ...]) -> Places:
    """Return the token whose rows are compared.

    Raises
    ------
    OptionError
        When no token is shared, or the one that is named is not.
    """
    if not shared:
        raise OptionError(
            "The two texts share no token at their beginning or end; let them differ in a word or "
            "two."
        )
    named = _named("query", params.query, first, shared)
    if named is not None:
        return named
    place = usual_among(first, tuple(i for i, _ in shared))
    return next(each for each in shared if each[0] == place)


def chosen_places(
    params: EndingsParams,
    first: Study,
    query: Places,
    shared: tuple[Places, ...],
    rows: Array,
) -> tuple[Places, Places, bool]:
    """Return the two tokens that the query may mean, and whether weights chose one of them.

    Those that are named; else those of a pair that is known; else the token whose weight, a mean
    over all ``rows`` (2, L, H, S), falls most from the first text to the second, and the one
    whose weight rises most; punctuation only where there are too few words.

    Raises
    ------
    OptionError
        When both are one token, the query does not see one, or there are not enough tokens.
    """
    one = _named("one", params.one, first, shared)
    other = _named("other", params.other, first, shared)
    pair = pair_of(params.first.strip(), params.second.strip())
    if pair is not None:
        one = one or _of_word(first, pair.one, shared, other)
        other = other or _of_word(first, pair.other, shared, one)
    automatic = one is None or other is None
    if one is None or other is None:
        one, other = _by_weight(first, query, shared, rows, one, other)
    _require_two(first, query, one, other)
    return one, other, automatic


def _named(name: str, position: object, first: Study, shared: tuple[Places, ...]) -> Places | None:
    """Return the shared token that a position from 1 names; None for 0."""
    require_count(name, position, 0, first.length)
    if position == 0:
        return None
    found = next((each for each in shared if each[0] + 1 == position), None)
    if found is None:
        raise OptionError(
            "{name} must be the position of a token that both texts share at their beginning or "
            "end and that is not hidden, got {position}.",
            name=name,
            position=position,
        )
    return found


def _of_word(
    first: Study, word: str, shared: tuple[Places, ...], taken: Places | None
) -> Places | None:
    """Return the shared token that a word is; None where it is taken."""
    place = word_place(first, word)
    return next((each for each in shared if each[0] == place and each != taken), None)


def _by_weight(
    first: Study,
    query: Places,
    shared: tuple[Places, ...],
    rows: Array,
    one: Places | None,
    other: Places | None,
) -> tuple[Places, Places]:
    """Return the tokens whose weights fall and rise most; one that is given stays.

    Words and numbers go before punctuation, where there are enough of them.
    """
    left = [
        place
        for place, each in enumerate(shared)
        if each not in (query, one, other)
        and not first.special[each[0]]
        and _sees(first, query, each)
    ]
    needed = (one is None) + (other is None)
    if len(left) < needed:
        raise OptionError(
            "The texts must share two more tokens at their beginning or end that the token sees, "
            "special ones aside; let the texts differ in a word or two."
        )
    rising = (rows[1] - rows[0]).mean(axis=(0, 1))
    by_rise = sorted(left, key=lambda place: float(rising[place]))
    if len(words := [place for place in by_rise if is_word(first, shared[place][0])]) >= needed:
        by_rise = words
    return one or shared[by_rise[0]], other or shared[by_rise[-1]]


def _require_two(first: Study, query: Places, one: Places, other: Places) -> None:
    if one == other:
        raise OptionError("The two candidates must be two tokens; choose another one.")
    if not (_sees(first, query, one) and _sees(first, query, other)):
        raise OptionError(
            "In this model a token sees only itself and those before it; choose candidates that "
            "stand before the token."
        )


def _sees(first: Study, query: Places, key: Places) -> bool:
    return not first.causal or key[0] <= query[0]

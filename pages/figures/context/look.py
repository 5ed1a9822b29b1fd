"""A view of a study, checked and counted from 0: which tokens are kept, which of them looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import OptionError
from engine.experiments.context.focus import query_of
from engine.experiments.context.specials import Specials, kept_places, keys_kept
from engine.experiments.context.study import Study
from engine.experiments.scaling.inputs import require_count
from engine.shapes import Array
from pages.figures.context.model_view import ModelView

_SHORT = 2  # characters of a text that stand beside an unknown piece


@dataclass(frozen=True)
class Look:
    """What is looked at.

    Parameters
    ----------
    study : Study
    way : {"shown", "hidden", "renormalised"}
    layer, head : int
        From 0.
    query : int
        Position in the full text, from 0; it may be a token that is not kept.
    places : np.ndarray, (t,)
        The tokens that are kept, rising, as positions in the full text from 0.
    """

    study: Study
    way: Specials
    layer: int
    head: int
    query: int
    places: Array

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that are kept, as they are drawn."""
        return tuple(drawn_token(self.study, place) for place in self.places.tolist())

    @cached_property
    def row(self) -> int | None:
        """Where the query stands among the tokens that are kept; None where it is not kept."""
        found = np.flatnonzero(self.places == self.query)
        return int(found[0]) if found.size else None

    @cached_property
    def hidden(self) -> Array:
        """Which keys, (t, t), a query cannot see; nothing in an encoder."""
        size = len(self.places)
        return np.triu(np.full((size, size), self.study.causal), 1)

    @cached_property
    def weights(self) -> Array:
        """The weights of the head, (t, t)."""
        rows = self.study.attention[self.layer, self.head][self.places]
        return keys_kept(rows, self.places, self.way)

    @cached_property
    def rows(self) -> Array:
        """The weights of the query in every head of the layer, (H, t).

        Raises
        ------
        OptionError
            When the query is a special token that is not kept.
        """
        self.require_row()
        return keys_kept(self.study.attention[self.layer, :, self.query], self.places, self.way)

    @property
    def seen(self) -> Array:
        """Which of the kept tokens, (t,), the query sees."""
        return np.asarray(self.places <= self.query) | (not self.study.causal)

    def require_row(self) -> int:
        """Return where the query stands among the kept tokens.

        Raises
        ------
        OptionError
            When it is not kept.
        """
        if self.row is None:
            raise OptionError(
                "Token {position} ({token}) is a special token; show special tokens to see where "
                "it looks, or choose another one.",
                position=self.query + 1,
                token=drawn_token(self.study, self.query),
            )
        return self.row


def drawn_token(study: Study, place: int) -> str:
    """Return a token, from 0, as it is drawn.

    Few fonts have the sign of a space that words begin with. A piece that the vocabulary lacks has
    what it stands for before it, where that is short: the model reads all of them alike, and where
    there is little room a reader should not.
    """
    token = study.tokens[place].replace("\N{OPEN BOX}", "·")
    start, end = study.spans[place]
    meant = study.text[start:end].strip()
    return f"{meant} {token}" if study.unknown[place] and 0 < len(meant) <= _SHORT else token


def look_at(study: Study, view: ModelView) -> Look:
    """Return what a view shows of a study.

    Raises
    ------
    OptionError
        When the study has no such layer, head or token, or no token would be left.
    """
    require_count("layer", view.layer, 1, study.layers)
    require_count("head", view.head, 1, study.heads)
    query, places = query_of(study, view.query), kept_places(study, view.specials)
    return Look(study, view.specials, view.layer - 1, view.head - 1, query, places)


def strongest(weights: Array, most: int, always: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return at most so many places of the largest weights, rising, certain ones among them."""
    size = len(weights)
    if size <= most:
        return tuple(range(size))
    order = [*always, *np.argsort(-weights, kind="stable").tolist()]
    return tuple(sorted(list(dict.fromkeys(order))[:most]))

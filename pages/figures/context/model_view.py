"""Which part of a model's attention is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.context.specials import Specials


@dataclass(frozen=True)
class ModelView:
    """A head, a token, and what happens to special tokens.

    Parameters
    ----------
    layer, head : int
        Counted from 1.
    query : int
        Position of the token that looks, counted from 1; 0 is the pronoun, or else the first token
        that is not special.
    specials : {"shown", "hidden", "renormalised"}
        Whether special tokens are shown; left out; or left out with the rest of each row divided by
        what is left of it.
    """

    layer: int = 5
    head: int = 1
    query: int = 0
    specials: Specials = "shown"

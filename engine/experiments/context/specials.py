"""What becomes of the special tokens, such as [CLS], when attention is looked at.

Shape legend: L layers, H heads, T tokens, t of them kept.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from engine.errors import OptionError
from engine.experiments.context.study import Study
from engine.experiments.number_text import shortened
from engine.experiments.read_only import read_only
from engine.shapes import Array

Specials = Literal["shown", "hidden", "renormalised"]
WAYS: tuple[Specials, ...] = get_args(Specials)


def kept_places(study: Study, way: Specials) -> Array:
    """Return the tokens (t,) that are kept, from 0, rising.

    Raises
    ------
    OptionError
        When the way is none of these; when a text has no other tokens, and they shall go.
    """
    require_way(way)
    places = np.arange(study.length) if way == "shown" else np.flatnonzero(~study.special)
    if not places.size:
        raise OptionError("The text has special tokens only; show them.")
    return read_only(places)[0]


def require_way(way: object) -> None:
    """Refuse what is no way to treat special tokens."""
    if way not in WAYS:
        raise OptionError(
            "Special tokens are shown, hidden or renormalised, got {way}.", way=shortened(str(way))
        )


def keys_kept(rows: Array, places: Array, way: Specials) -> Array:
    """Return rows (..., t) of weights on the kept tokens, of rows (..., T) on all.

    Hidden: rows sum to less than 1 by what the special tokens get. Renormalised: rows are divided
    by what is left; one with nothing left stays 0.
    """
    if way == "shown":
        return rows
    left = rows[..., places]
    return read_only(renormalised(left) if way == "renormalised" else left)[0]


def renormalised(rows: Array) -> Array:
    """Return rows (..., n) divided by their sums; one that sums to 0 stays."""
    total = rows.sum(axis=-1, keepdims=True, dtype=np.float64)
    return (rows / np.where(total == 0, 1, total)).astype(rows.dtype)

"""Which key is taken away from which query, in which layer and head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import ModelError
from engine.experiments.number_text import shortened
from engine.experiments.whole_number import is_whole
from engine.models.config import ModelConfig
from engine.shapes import Array


@dataclass(frozen=True)
class Cut:
    """One key that a query may no longer look at; everything is counted from 0.

    Attributes
    ----------
    key : int
        The position of the key.
    query : int or None
        The position of the query; None is every query.
    layer : int or None
        None is every layer.
    head : int or None
        None is every head.
    """

    key: int
    query: int | None = None
    layer: int | None = None
    head: int | None = None


def first_layer(cut: Cut) -> int:
    """Return the layer in which a cut takes effect first, counted from 0."""
    return 0 if cut.layer is None else cut.layer


def visible_with(visible: Array, cuts: Sequence[Cut], layer: int, heads: int) -> Array:
    """Return what each run may see in a layer.

    Parameters
    ----------
    visible : np.ndarray of bool, (1, 1, T, T)
        What every head may see without cuts.
    cuts : sequence of Cut
        One for each run.
    layer : int
        Counted from 0.
    heads : int
        How many there are.

    Returns
    -------
    np.ndarray of bool
        (len(cuts), heads, T, T); ``visible`` itself where no cut concerns this layer.
    """
    concerned = [cut.layer in (None, layer) for cut in cuts]
    if not any(concerned):
        return visible
    seen = np.repeat(np.repeat(visible, len(cuts), axis=0), heads, axis=1)
    for run, cut in enumerate(cuts):
        if concerned[run]:
            # None would add an axis; a full slice is every one.
            head = slice(None) if cut.head is None else cut.head
            query = slice(None) if cut.query is None else cut.query
            seen[run, head, query, cut.key] = False
    return seen


def require_cuts(config: ModelConfig, T: int, cuts: Sequence[Cut]) -> None:
    """Refuse cuts of what a text of T tokens does not have, or that leave a query no key.

    Raises
    ------
    ModelError
        Everything is counted from 1 in its sentence.
    """
    for cut in cuts:
        _require_places(config, T, cut)
        _require_other_key(config, T, cut)


def _require_places(config: ModelConfig, T: int, cut: Cut) -> None:
    counts = {"query": T, "layer": config.layers, "head": config.heads}
    named = {name: getattr(cut, name) for name in counts}
    inside = (
        value is None or is_whole(value, 0, counts[name] - 1) for name, value in named.items()
    )
    if not is_whole(cut.key, 0, T - 1) or not all(inside):
        raise ModelError(
            "A key is cut by naming a key and a query from 1 to {T}, a layer from 1 to "
            "{layers} and a head from 1 to {heads}, got {key}, {query}, {layer}, {head} "
            "(– is every one).",
            T=T,
            layers=config.layers,
            heads=config.heads,
            key=_from_one(cut.key),
            **{name: _from_one(value) for name, value in named.items()},
        )


def _from_one(value: object) -> object:
    if value is None:
        return "–"
    if isinstance(value, int) and not isinstance(value, bool):
        return value + 1
    return shortened(str(value))


def _require_other_key(config: ModelConfig, T: int, cut: Cut) -> None:
    """Refuse to take the only key away: of a single token, or of the first one under a mask."""
    only = T == 1 or (config.family == "gpt2" and cut.key == 0 and cut.query in (None, 0))
    if only:
        raise ModelError(
            "Key {key} is the only one that token {query} can see, and cannot be cut; a "
            "row of weights needs a key.",
            key=cut.key + 1,
            query=1,
        )

"""Which key is taken away from which query, in which layer and head."""

from __future__ import annotations

from dataclasses import dataclass


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

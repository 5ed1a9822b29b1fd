"""What counts as a whole number within bounds."""

from __future__ import annotations


def is_whole(value: object, least: int, most: int) -> bool:
    """Say whether a value is a whole number from ``least`` to ``most``; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

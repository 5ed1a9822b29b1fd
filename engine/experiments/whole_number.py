"""What counts as a whole number within bounds."""

from __future__ import annotations

from engine.errors import OptionError


def is_whole(value: object, least: int, most: int) -> bool:
    """Say whether a value is a whole number from ``least`` to ``most``; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def require_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number from ``least`` to ``most``."""
    if not is_whole(value, least, most):
        raise OptionError(
            "{name} must be a whole number from {least} to {most}, got {size}.",
            name=name,
            least=least,
            most=most,
            size=value,
        )

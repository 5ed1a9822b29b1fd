"""What counts as a whole number within bounds."""

from __future__ import annotations

import numpy as np

from engine.errors import OptionError
from engine.experiments.number_text import shortened


def is_whole(value: object, least: int, most: int) -> bool:
    """Say whether a value is a whole number from ``least`` to ``most``; true and false are none.

    Those of NumPy are whole numbers too.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return False
    return least <= int(value) <= most


def require_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number from ``least`` to ``most``."""
    if not is_whole(value, least, most):
        raise OptionError(
            "{name} must be a whole number from {least} to {most}, got {size}.",
            name=name,
            least=least,
            most=most,
            size=shortened(value) if isinstance(value, str) else value,
        )

"""What the checks of several claims decide by."""

from __future__ import annotations

import math

SURE = 3.0  # standard errors: chance alone goes as far in 3 of 1,000 cases


def surely_above(difference: float, *errors: float) -> bool:
    """Return whether a difference is above 0 by more than chance.

    Parameters
    ----------
    difference : float
    *errors : float
        Independent standard errors of its parts.
    """
    return difference > SURE * math.hypot(*errors)


def case_of(*facts: str) -> str:
    """Return the name of a case in which some facts hold; an empty one does not."""
    return " ".join(fact for fact in facts if fact)

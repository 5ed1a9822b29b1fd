"""A number in a few digits, for a sentence: never with a power of ten."""

from __future__ import annotations


def digits(value: float, count: int = 3) -> str:
    """Return a number in so many digits, or in more where its whole part has more.

    ``1.5``, ``0.00012``, ``1,000`` (of 999.6) and ``7,060``; no decimals that say nothing.

    Parameters
    ----------
    value : float
        Finite.
    count : int
        Digits, 1 or more.
    """
    # The exponent after rounding: 9.996 has that of 10.0.
    exponent = int(f"{value:.{count - 1}e}".partition("e")[2])
    text = f"{value:,.{max(0, count - 1 - exponent)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

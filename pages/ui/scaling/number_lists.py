"""Lists of whole numbers as a person types them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.errors import OptionError
from engine.experiments.number_text import shortened

_BETWEEN = re.compile(r"[\s,;，；、]+")
_LONGEST = 9  # digits; more is beyond every range and is refused as it stands


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the whole numbers of a text, in its order.

    Raises
    ------
    OptionError
        When a part of it is no whole number.
    """
    return tuple(map(_number, filter(None, _BETWEEN.split(text))))


def _number(part: str) -> int:
    digits = part.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST:
        return int(part)
    raise OptionError(
        "A list such as 1, 2, 4 has whole numbers only, got {text}.", text=shortened(part)
    )


def text_of(numbers: Iterable[int]) -> str:
    """Return numbers as a text that `numbers_of` reads."""
    return ", ".join(map(str, numbers))

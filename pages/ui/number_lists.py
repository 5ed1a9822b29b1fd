"""Lists of numbers as a person types them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from engine.errors import OptionError
from engine.experiments.number_text import is_lost, is_number, plain_number_text, shortened
from pages.ui.link_fields import LONGEST_TEXT

_BETWEEN = re.compile(r"[\s,;、]+")
_LONGEST = 9  # digits; more is beyond every range and is refused as it stands
CUT = "…"  # ends a list that was too long for a link


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the whole numbers of a text, in its order; digits and commas may be full-width.

    Raises
    ------
    OptionError
        When a part of it is no whole number.
    """
    return tuple(map(_number, _parts(text)))


def no_number(part: str) -> OptionError:
    """Return what is said of a part of a list that is no number."""
    return OptionError("A list such as 0.001, 0.01 has numbers only, got {text}.", text=part)


def reals_of(text: str, refused: Callable[[str], OptionError] = no_number) -> tuple[float, ...]:
    """Return the numbers of a text as `numbers_of` does the whole ones; none of an empty one.

    ``refused`` returns what is said of a part that is no number, with an example of such a list.
    """
    return tuple(_real(part, refused) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    if text.endswith(CUT) and len(text) == LONGEST_TEXT + len(CUT):
        raise OptionError(
            "This list was too long for a link, which holds its first {count} characters; "
            "shorten it.",
            count=LONGEST_TEXT,
        )
    return filter(None, _BETWEEN.split(plain_number_text(text)))


def different(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return numbers in their order, each once."""
    return tuple(dict.fromkeys(numbers))


def link_text(text: str, longest: int) -> str:
    """Return a list as text for a link: as it stands, or as much of it as a link holds."""
    return text if len(text) <= longest else text[:longest] + CUT


def link_text_once(text: str, longest: int) -> str:
    """Return as `link_text` does a list in which a number twice says no more than once."""
    if len(text) > longest:
        with suppress(OptionError):
            text = text_of(different(numbers_of(text)))
    return link_text(text, longest)


def _number(part: str) -> int:
    digits = part.removeprefix("-")
    if _is_after_comma(digits):
        raise OptionError(
            "In a list a comma ends a number, so write 1024 and not 1,024; got {text}.",
            text=shortened(part),
        )
    if digits.isascii() and digits.isdigit():
        if len(digits) <= _LONGEST:
            return int(part)
        raise OptionError(
            "In a list a whole number has at most {most} digits, got {text}.",
            most=_LONGEST,
            text=shortened(part),
        )
    raise OptionError(
        "A list such as 1, 2, 4 has whole numbers only, got {text}.", text=shortened(part)
    )


def _real(part: str, refused: Callable[[str], OptionError]) -> float:
    if _is_after_comma(part):
        raise OptionError(
            "In a list a comma ends a number, so write 0.001 and not 0,001; got {text}.",
            text=shortened(part),
        )
    if not is_number(part) or is_lost(part) or not math.isfinite(float(part)):
        raise refused(shortened(part))
    return float(part)


def _is_after_comma(digits: str) -> bool:
    """Say whether a part looks like what stands after the comma of a single number."""
    return len(digits) > 1 and digits.startswith("0") and digits.isdigit()


def text_of(numbers: Iterable[int]) -> str:
    """Return numbers as a text that `numbers_of` reads."""
    return ", ".join(map(str, numbers))

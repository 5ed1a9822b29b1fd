"""What one field of a saved slide may be. Each function returns the value, or raises `Refusal`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args

from pages.export.clean import clean
from pages.export.limits import LONGEST_NAME, LONGEST_TEXT, LONGEST_TITLE, MOST_DECIMALS
from pages.figures.figure import LanguageCode, SizeName, ThemeName

LARGEST = 1e100  # of a number on a chart or a drawing; axes and Office go wrong far beyond
_APART = 1e-9  # of the larger end of an axis: closer ends have no ticks between them
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


class Refusal(Exception):  # noqa: N818 - it is caught and said as an ExportError
    """A field that is not what this program writes; its message is the name of the field."""


def members(value: object, part: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Require an object with exactly these members."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise Refusal(part)
    return value


def sequence(value: object, part: str) -> list[Any]:
    """Require a list."""
    if not isinstance(value, list):
        raise Refusal(part)
    return value


def text(value: object, part: str, longest: int = LONGEST_TEXT) -> str:
    """Require a text of a sane length that a drawing and a slide can hold."""
    if not isinstance(value, str) or len(value) > longest or not _is_clean(value):
        raise Refusal(part)
    return value


def name(value: object) -> str:
    """Require a file stem."""
    stem = text(value, "name", LONGEST_NAME)
    if not _NAME.fullmatch(stem):
        raise Refusal("name")
    return stem


def title(value: object) -> str:
    """Require a title."""
    return text(value, "title", LONGEST_TITLE)


def switch(value: object, part: str) -> bool:
    """Require true or false."""
    if not isinstance(value, bool):
        raise Refusal(part)
    return value


def texts(value: object, part: str) -> tuple[str, ...]:
    """Require a list of texts."""
    return tuple(text(each, part) for each in sequence(value, part))


def number(value: object, part: str) -> float:
    """Require a finite number that is no switch, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal(part)
    # Also false for a NaN, and for a whole number that no float can hold.
    if not abs(value) <= LARGEST:
        raise Refusal(part)
    return value


def whole(value: object, part: str, most: int) -> int:
    """Require a whole number from 0 to ``most``."""
    if type(value) is not int or not 0 <= value <= most:
        raise Refusal(part)
    return value


def floats(value: object, part: str) -> tuple[float, ...]:
    """Require a list of finite numbers."""
    return tuple(number(each, part) for each in sequence(value, part))


def pair(value: object, part: str) -> tuple[float, float]:
    """Require two finite numbers, the first one smaller by more than rounding."""
    both = floats(value, part)
    if len(both) != 2 or both[1] - both[0] <= max(1 / LARGEST, _APART * max(map(abs, both))):
        raise Refusal(part)
    return both[0], both[1]


def choice(value: object, allowed: Sequence[str], part: str) -> str:
    """Require one of the allowed texts."""
    if not isinstance(value, str) or value not in allowed:
        raise Refusal(part)
    return value


def colour(value: object, part: str) -> str:
    """Require ``#rrggbb``."""
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise Refusal(part)
    return value


def style(parts: dict[str, Any]) -> None:
    """Require the fields of a style."""
    choice(parts["theme"], get_args(ThemeName), "style")
    choice(parts["language"], get_args(LanguageCode), "style")
    choice(parts["size"], get_args(SizeName), "style")
    switch(parts["transparent"], "style")
    whole(parts["decimals"], "style", MOST_DECIMALS)


def _is_clean(value: str) -> bool:
    """Return whether XML can hold a text; what it cannot hold stops the converter's process."""
    return clean(value) == value

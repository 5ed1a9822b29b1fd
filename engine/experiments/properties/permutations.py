"""What is a permutation, as people count: positions from 1."""

from __future__ import annotations

import re

from engine.errors import OptionError
from engine.experiments.number_text import plain_number_text, shortened
from engine.experiments.whole_number import is_whole

_BETWEEN = re.compile(r"[\s,;、]+")


def read_permutation(text: object) -> tuple[int, ...]:
    """Return the numbers of a text such as ``3 1 2`` or ``3, 1, 2``; an empty one has none.

    Raises
    ------
    OptionError
        When something in it is no position at any length. Whether they are a permutation is left to
        `permutation_of`.
    """
    parts = [part for part in _BETWEEN.split(plain_number_text(str(text))) if part]
    for part in parts:
        if not re.fullmatch(r"\d{1,9}", part, re.ASCII):
            raise OptionError(
                "A permutation is written as positions with spaces or commas between them, such "
                "as 3 1 2; {part} is no position.",
                part=shortened(part),
            )
    return tuple(int(part) for part in parts)


def permutation_of(numbers: object, T: int) -> tuple[int, ...]:
    """Return which row stands in each place, counted from 0; of no numbers, the rows reversed.

    Parameters
    ----------
    numbers : tuple of int
        Positions counted from 1, each of the T once.

    Raises
    ------
    OptionError
        When a number is no position, is there more than once, or is missing.
    """
    if not isinstance(numbers, tuple | list):
        raise OptionError(
            "A permutation must be a list of positions such as 3 1 2, got {value}.",
            value=shortened(str(numbers)),
        )
    if not numbers:
        return tuple(reversed(range(T)))
    _require_positions(numbers, T)
    _require_each_once(numbers, T)
    return tuple(int(number) - 1 for number in numbers)


def _require_positions(numbers: tuple[object, ...] | list[object], T: int) -> None:
    for number in numbers:
        if not is_whole(number, 1, T):
            raise OptionError(
                "A permutation must hold each position from 1 to {T} once; {value} is no such "
                "position.",
                T=T,
                value=shortened(str(number)),
            )


def _require_each_once(numbers: tuple[object, ...] | list[object], T: int) -> None:
    for position in range(1, T + 1):
        count = sum(number == position for number in numbers)
        if count > 1:
            raise OptionError(
                "A permutation must hold each position from 1 to {T} once; {position} is there "
                "{count} times.",
                T=T,
                position=position,
                count=count,
            )
    missing = next((p for p in range(1, T + 1) if p not in numbers), None)
    if missing is not None:
        raise OptionError(
            "A permutation must hold each position from 1 to {T} once; {position} is missing.",
            T=T,
            position=missing,
        )

"""Reads a number as people type it: any digits, any minus sign, spaces around it."""

from __future__ import annotations

import re
import unicodedata

from engine.errors import EngineError, NumberError

LONGEST_NUMBER = 64
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+", re.ASCII)
_NOT_A_NUMBER = re.compile(r"[+-]?nan", re.ASCII | re.IGNORECASE)
_INFINITY = re.compile(r"[+-]?(inf|infinity|∞)", re.IGNORECASE)
_SIGNS = str.maketrans({"\u2212": "-", "\u2012": "-", "\u2013": "-", "\u2044": "/", "\u2215": "/"})


def plain_number_text(text: str) -> str:
    """Return ``text`` with ASCII digits and signs, and without spaces around it.

    Full-width forms and the digits of every script become ASCII; the Unicode minus and the
    dashes that word processors put in its place become ``-``; the fraction slash becomes ``/``.
    """
    normal = "".join(map(_plain_form, text)).translate(_SIGNS).strip()
    return "".join(_ascii_digit(character) for character in normal)


def _plain_form(character: str) -> str:
    """Return the compatibility form; a superscript 2 is no 2 and stays what it is."""
    if unicodedata.decomposition(character).startswith(("<super>", "<sub>")):
        return character
    return unicodedata.normalize("NFKC", character)


def _ascii_digit(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def is_number(plain: str) -> bool:
    """Say whether ``plain`` is written as one finite decimal number, such as -1.5e-3."""
    return len(plain) <= LONGEST_NUMBER and _NUMBER.fullmatch(plain) is not None


def is_lost(plain: str) -> bool:
    """Say whether a number other than zero is so small that no float holds it."""
    mantissa = plain.lower().partition("e")[0]
    return float(plain) == 0 and any(digit in "123456789" for digit in mantissa)


def is_infinity(plain: str) -> bool:
    """Say whether ``plain`` is written as an infinity, with or without a sign."""
    return _INFINITY.fullmatch(plain) is not None


def refusal(text: str, place: str, row: int, column: int) -> EngineError:
    """Return the sentence that says why ``text`` is no number.

    Parameters
    ----------
    text : str
        What stands in the cell, as typed.
    place : str
        The name of the matrix, such as ``"W_Q"``.
    row, column : int
        Where it stands, counted from 1.
    """
    where: dict[str, object] = {"place": place, "row": row, "column": column}
    plain = plain_number_text(text)
    if not plain:
        return NumberError(
            "{place}, row {row}, column {column} is empty; every cell needs a number such as 0.5.",
            **where,
        )
    if _NOT_A_NUMBER.fullmatch(plain):
        return NumberError(
            "{place}, row {row}, column {column} is NaN, which is not a number; "
            "every cell needs a number such as 0.5.",
            **where,
        )
    if is_infinity(plain):
        return NumberError(
            "{place}, row {row}, column {column} is infinite; every cell needs a finite number.",
            **where,
        )
    if _COMMA_NUMBER.fullmatch(plain):
        return NumberError(
            "{place}, row {row}, column {column} holds {text}; "
            "write decimals with a point, such as {remedy}.",
            text=shortened(text),
            remedy=shortened(plain.replace(",", ".")),
            **where,
        )
    if len(plain) > LONGEST_NUMBER:
        return NumberError(
            "{place}, row {row}, column {column} has {length} characters; "
            "a number has at most {longest}.",
            length=len(plain),
            longest=LONGEST_NUMBER,
            **where,
        )
    return NumberError(
        "{place}, row {row}, column {column} holds {text}, which is not a number; "
        "every cell needs a number such as 0.5.",
        text=shortened(text),
        **where,
    )


def shortened(text: str, longest: int = 20) -> str:
    """Return ``text`` on one line, cut where it is too long for a sentence."""
    line = " ".join(text.split())
    printable = "".join(character if character.isprintable() else "?" for character in line)
    return printable if len(printable) <= longest else printable[:longest] + "…"

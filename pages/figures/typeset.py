"""Lines of text as they are set: powers raised, the indices of formula symbols lowered.

Widths are those of Helvetica and of the fonts made to its measure (Arial, Liberation Sans), the
first ones of the palette, so that what follows a symbol begins where the symbol really ends.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from pages.figures.measure import has_wide, text_width

# Thousandths of an em of the characters from the space to the tilde (Helvetica's metrics file).
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_OTHERS = {"\N{NO-BREAK SPACE}": 278, "−": 584, "–": 556, "·": 278, "×": 584, "±": 549, "√": 660,
           "≤": 549, "≥": 549, "’": 222, "‘": 222}  # fmt: skip
_BOLD = 1.08
WIDER = 1.06  # what the widest of the usual fonts takes of these widths
_FULL = "×√≤≥±·’‘“”"  # as wide as a Chinese character in a font of these
_CHINESE_SPACE, _SPACE = 0.224, 0.31  # em, in such a font and in others
_LOOSE = 1.03  # so that even a long word in a wider font keeps off the next
_SMALL = 0.68  # of the font: an index or an exponent, as in `symbols`
_SHIFT = {"": 0.0, "_": 0.24, "^": -0.34}  # of the font, downwards
_WORD = re.compile(r"\S+|\s+")
_RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_RAISED, "−0123456789")
# Few fonts have raised digits beyond ³, and a line with one of them falls into another font.
_RARE = "⁻⁰⁴⁵⁶⁷⁸⁹"
_POWER = re.compile(f"([{_RAISED}]*[{_RARE}][{_RAISED}]*)")
# The symbols of the formulas, whole: a reader's own a_b is none, and d_key is none either.
_SYMBOL = re.compile(
    r"((?<![A-Za-z0-9_])√?(?:d_(?:model|ff|k|v|h)|W_[QKVO]|(?:Q ?)?K\^T)(?![A-Za-z0-9_]))"
)
_INDEX = re.compile(r"([_^])([A-Za-z0-9−]+)")

Piece = tuple[str, str]  # "", "_" or "^", and what stands there


@dataclass(frozen=True)
class Run:
    """A stretch of a line: how far to the right and down it stands, its font, its text."""

    along: float
    down: float
    size: float
    text: str


@lru_cache(maxsize=4096)
def line_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line without symbols is, in pixels at a font size in pixels."""
    latin = WIDER if has_wide(text) else 1.0  # a Chinese font has letters of its own
    width = sum(_of(each) * (latin if each.isascii() else 1.0) for each in text) * size
    return width * _BOLD if bold else width


def _of(character: str) -> float:
    place = ord(character) - ord(" ")
    if 0 <= place < len(_WIDTHS):
        return _WIDTHS[place] / 1000
    return _OTHERS[character] / 1000 if character in _OTHERS else text_width(character, 1.0)


def _advance(text: str, size: float, bold: bool, wide: bool) -> float:
    """Return how far a text of a line with symbols reaches; ``wide`` is set in a Chinese font."""
    return size * sum(_em(each, bold, wide) for each in text)


@lru_cache(maxsize=2048)
def _em(character: str, bold: bool, wide: bool) -> float:
    if has_wide(character) or (wide and character in _FULL):
        return 1.0  # in either weight
    if character == " ":
        return _CHINESE_SPACE if wide else _SPACE
    if not character.isalpha():
        return _of(character)
    small = character.islower()
    heavy = (1.06 if small else 1.02) if bold else 1.0
    if wide:  # its small letters are wider than those of other fonts, its capitals narrower
        return _of(character) * (WIDER if small else 0.96) * math.sqrt(heavy)
    return _of(character) * heavy * _LOOSE


@lru_cache(maxsize=1024)
def pieces(text: str, *, symbols: bool = False) -> tuple[Piece, ...]:
    """Split a line where a power is raised and, with ``symbols``, where an index is lowered.

    ``"W_Q is 10⁻⁷"`` becomes ``(("", "W"), ("_", "Q"), ("", " is 10"), ("^", "−7"))``.
    """
    found: list[Piece] = []
    for place, part in enumerate(_SYMBOL.split(text) if symbols else [text]):
        found += _of_symbol(part) if place % 2 else _of_words(part)
    whole = groupby((piece for piece in found if piece[1]), key=lambda piece: piece[0])
    return tuple((place, "".join(text for _, text in group)) for place, group in whole)


def _of_symbol(symbol: str) -> list[Piece]:
    parts = _INDEX.split(symbol)
    found = [("", parts[0])]
    for place, index, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        found += [(place, index), ("", after)]
    return found


def _of_words(words: str) -> list[Piece]:
    parts = _POWER.split(words)
    return [("^", part.translate(_DIGITS)) if place % 2 else ("", part)
            for place, part in enumerate(parts)]  # fmt: skip


def runs_of(
    line: tuple[Piece, ...], size: float, *, smallest: float, bold: bool = False, wide: bool = False
) -> tuple[list[Run], float]:
    """Return the runs of a line from its left edge, and its width.

    Up to its last index each word has its own place, so that a font of other widths changes the
    gaps between words, and no word runs into a symbol.

    Parameters
    ----------
    line : tuple of (str, str)
        As `pieces` returns it.
    size : float
        Font in pixels.
    smallest : float
        No index is smaller than this many pixels.
    bold, wide : bool
        Whether the line is bold, and whether it is set in a Chinese font.
    """
    found: list[Run] = []
    along = 0.0
    for number, (place, text) in enumerate(line):
        font = max(size * _SMALL, min(size, smallest)) if place else size
        last = number + 1 == len(line)
        for word in [text] if place or last else _WORD.findall(text):
            shown = word.lstrip()
            lead = _advance(word[: len(word) - len(shown)], font, bold, wide)
            if shown:
                found.append(Run(along + lead, _SHIFT[place] * size, font, shown.rstrip()))
            along += _advance(word, font, bold, wide)
    return found, along

"""Whether the fonts of this machine can draw a text, found out by drawing it.

A font that lacks a character draws a box in its place, the same box for every character. So a
character that comes out like one that no font has is missing, and so is one that leaves no ink.
"""

from __future__ import annotations

import io
import math
import platform
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape

import vl_convert
from PIL import Image

_SIDE = 40  # pixels of the square that a character is drawn into
_COLUMNS = 32
_AT_ONCE = 1024
_MOST_KNOWN = 20_000
# Whether each character met so far is drawn; fonts do not change while the program runs.
_known: dict[str, bool] = {}
_LOCK = threading.Lock()
_UNASSIGNED = "\u0378"  # Unicode gives this place to no character, so every font draws its box.
# Left to itself the converter sets a text in any font that has all its characters, be it a
# Japanese serif. These lead every text with Chinese in it.
CHINESE_FAMILIES = ("PingFang SC", "Hiragino Sans GB", "Noto Sans CJK SC", "Microsoft YaHei")
# Chinese characters in common use, their punctuation, and the full-width forms: one font has all.
_CHINESE_BLOCKS = ((0x3000, 0x303F), (0x4E00, 0x9FFF), (0xFF00, 0xFFEF))


@lru_cache(maxsize=2)
def missing_font(language: str) -> str | None:
    """Return the font to install so that text in ``language`` can be drawn, or None.

    The answer is found once per process: a new font is seen after the app is started again.

    Parameters
    ----------
    language : str
        ``"en"`` or ``"zh"``.

    Returns
    -------
    str or None
        A name that fits into a sentence such as "install {font}".
    """
    if language != "zh" or (is_drawn("注") and len(set(_pictures(["注", "意"]))) == 2):
        return None
    return _font_to_install()


def first_missing(text: str) -> str | None:
    """Return the first character of ``text`` that no font here can draw, or None."""
    wanted = dict.fromkeys(character for character in text if not character.isascii())
    chinese = [character for character in wanted if is_chinese(character)]
    others = [character for character in wanted if not is_chinese(character)]
    if chinese and missing_font("zh"):
        return chinese[0]
    return next(iter(_undrawn(others)), None)


def is_chinese(character: str) -> bool:
    """Return whether a character belongs to what every Chinese font holds."""
    if not character:
        return False
    return any(first <= ord(character) <= last for first, last in _CHINESE_BLOCKS)


def is_drawn(character: str) -> bool:
    """Return whether one character comes out as itself."""
    return not _undrawn([character])


def _undrawn(characters: Iterable[str]) -> list[str]:
    """Return those of the characters that come out as a box or not at all, in their order."""
    with _LOCK:
        new = [each for each in characters if each not in _known and _has_ink(each)]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            box, nothing, *pictures = _pictures([_UNASSIGNED, " ", *some])
            for character, picture in zip(some, pictures, strict=True):
                _known[character] = picture not in (box, nothing)
        found = [each for each in characters if not _known.get(each, True)]
        if len(_known) > _MOST_KNOWN:
            _known.clear()
    return found


def _has_ink(character: str) -> bool:
    """Return whether a character has a shape of its own: spaces, controls and marks have none."""
    category = unicodedata.category(character)
    return not (category[0] in "ZM" or category in ("Cc", "Cf"))


def _pictures(characters: list[str]) -> list[bytes]:
    """Return a small picture of each character, all drawn at once, since each drawing is slow."""
    rows = math.ceil(len(characters) / _COLUMNS)
    cells = "".join(map(_cell, range(len(characters)), characters))
    size = f'width="{_COLUMNS * _SIDE}" height="{rows * _SIDE}"'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{cells}</svg>'
    sheet = Image.open(io.BytesIO(vl_convert.svg_to_png(drawing))).convert("RGBA")
    return [sheet.crop(_box(place)).tobytes() for place in range(len(characters))]


def _cell(place: int, character: str) -> str:
    """Return one character in a square that cuts off what reaches out of it."""
    families = (*CHINESE_FAMILIES, "sans-serif") if is_chinese(character) else ("sans-serif",)
    left, top, _, _ = _box(place)
    text = f'<text x="4" y="30" font-size="28" font-family="{", ".join(families)}">'
    square = f'<svg x="{left}" y="{top}" width="{_SIDE}" height="{_SIDE}" overflow="hidden">'
    return f"{square}{text}{escape(character)}</text></svg>"


def _box(place: int) -> tuple[int, int, int, int]:
    row, column = divmod(place, _COLUMNS)
    left, top = column * _SIDE, row * _SIDE
    return left, top, left + _SIDE, top + _SIDE


def _font_to_install() -> str:
    """Return the name of a Chinese font where this machine's owner would look for it."""
    if platform.system() == "Linux":
        return "Noto Sans CJK (Debian, Ubuntu: fonts-noto-cjk)"
    return "Noto Sans CJK SC"

"""Whether the fonts of this machine can draw a text, found out by drawing it.

A font that lacks a character draws a box in its place, the same box for every character. So a
character that comes out like one that no font has is missing, and so is one that leaves no ink.
"""

from __future__ import annotations

import platform
import unicodedata
from functools import lru_cache
from xml.sax.saxutils import escape

import vl_convert

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
    if language != "zh" or (is_drawn("注") and _draw("注") != _draw("意")):
        return None
    return _font_to_install()


def first_missing(text: str) -> str | None:
    """Return the first character of ``text`` that no font here can draw, or None."""
    wanted = dict.fromkeys(character for character in text if not character.isascii())
    chinese = [character for character in wanted if is_chinese(character)]
    others = [character for character in wanted if not is_chinese(character)]
    if chinese and missing_font("zh"):
        return chinese[0]
    return next((character for character in others if not is_drawn(character)), None)


def is_chinese(character: str) -> bool:
    """Return whether a character belongs to what every Chinese font holds."""
    if not character:
        return False
    return any(first <= ord(character) <= last for first, last in _CHINESE_BLOCKS)


@lru_cache(maxsize=1024)
def is_drawn(character: str) -> bool:
    """Return whether one character comes out as itself."""
    category = unicodedata.category(character)
    # Spaces and controls have no ink, and a combining mark has no shape of its own.
    if category[0] in "ZM" or category in ("Cc", "Cf"):
        return True
    return _draw(character) not in (_draw(_UNASSIGNED), _draw(""))


def _draw(character: str) -> bytes:
    """Return a small picture of one character, in the families that every figure falls back to."""
    families = (*CHINESE_FAMILIES, "sans-serif") if is_chinese(character) else ("sans-serif",)
    text = f'<text x="4" y="30" font-size="28" font-family="{", ".join(families)}">'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}'
    return vl_convert.svg_to_png(f"{start}{escape(character)}</text></svg>")


def _font_to_install() -> str:
    """Return the name of a Chinese font where this machine's owner would look for it."""
    if platform.system() == "Linux":
        return "Noto Sans CJK (Debian, Ubuntu: fonts-noto-cjk)"
    return "Noto Sans CJK SC"

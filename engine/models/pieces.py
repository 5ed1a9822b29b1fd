"""A tokenizer's pieces as a person can read them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from engine.experiments.characters import is_blank, is_refused

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# The dot for a space, as editors show it, is in every font; rarer signs would change the font
# of the whole piece.
_MARKS = {" ": "·", "\n": "↵", "\t": "⇥"}


def reader_of(tokenizer: Tokenizer) -> Callable[[str], str]:
    """Return the function that turns a piece of this tokenizer into what a person reads.

    Pieces are left as the tokenizer writes them (``##men``), with one exception: a byte-level
    tokenizer, such as GPT-2's, writes a letter for each byte, and its pieces are turned back into
    the text they stand for, with visible signs for space, line break and tabulator. Bytes that
    are no whole character are written in hexadecimal: ``<E5 8F>``.
    """
    # The decoder says how pieces become text again; printed, it names all of its steps.
    return _from_bytes if "ByteLevel" in repr(tokenizer.decoder) else visible


def visible(text: str) -> str:
    """Return a text in which nothing is invisible or disturbs the text around it."""
    blank = all(map(is_blank, text))
    return "".join(_shown(character, blank) for character in text)


def _shown(character: str, blank: bool) -> str:
    if character in _MARKS:
        return _MARKS[character]
    return f"<U+{ord(character):04X}>" if blank or is_refused(character) else character


def _from_bytes(piece: str) -> str:
    """Return the text of a byte-level piece; added ones (<|endoftext|>) are text already."""
    letters = _byte_of_letter()
    if not all(letter in letters for letter in piece):
        return visible(piece)
    return _decoded(bytes(letters[letter] for letter in piece))


def _decoded(data: bytes) -> str:
    shown = ""
    while data:
        try:
            return shown + visible(data.decode())
        except UnicodeDecodeError as error:
            broken = " ".join(f"{byte:02X}" for byte in data[error.start : error.end])
            shown += visible(data[: error.start].decode()) + f"<{broken}>"
            data = data[error.end :]
    return shown


@cache
def _byte_of_letter() -> dict[str, int]:
    """Return the byte that each letter of a byte-level tokenizer stands for.

    Printable bytes of Latin-1 stand for themselves; the others follow from U+0100 on.
    (Radford et al. 2019, Language Models are Unsupervised Multitask Learners: encoder.py.)
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    alone = {chr(byte): byte for byte in printable}
    return alone | {chr(256 + place): byte for place, byte in enumerate(others)}

"""A worked example as short text for an address: exact, and bounded when it is read back."""

from __future__ import annotations

import base64
import binascii
import json
import zlib

from engine.errors import EngineError
from engine.experiments.worked_example import Params
from pages.documents.json_document import from_plain, to_plain

LONGEST_LINK = 16_384  # characters; the largest example of random doubles takes about 9,000
_LARGEST_CONTENT = 65_536  # bytes after decompression
_VERSION = "1"
_TEXTBOOK = to_plain(Params())


def encode(params: Params) -> str:
    """Return URL-safe text (letters, digits, ``-`` and ``_``) from which ``decode`` rebuilds all.

    Members that equal the textbook's are left out, so the textbook itself is shortest.
    """
    members = {name: v for name, v in to_plain(params).items() if not _same(v, _TEXTBOOK[name])}
    content = json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")
    return _VERSION + packed


def _same(value: object, other: object) -> bool:
    return repr(value) == repr(other)  # tells 0.0 from -0.0


def decode(text: str) -> Params:
    """Rebuild what ``encode`` wrote.

    Raises
    ------
    EngineError
        When the text is damaged, too long, or of a later version; and whenever its content
        is refused.
    """
    members = _unpack(text.strip())
    return from_plain({**_TEXTBOOK, **members})


def _unpack(text: str) -> dict[str, object]:
    if len(text) > LONGEST_LINK:
        raise EngineError("The link is too long to be one of this program.")
    if not text:
        raise _damaged()
    if text[:1] != _VERSION:
        raise EngineError("The link was not made by this version of the program.")
    try:
        members = json.loads(_decompress(text[1:]))
    except (ValueError, RecursionError, zlib.error, binascii.Error):
        raise _damaged() from None
    if not isinstance(members, dict):
        raise _damaged()
    return members


def _decompress(packed: str) -> bytes:
    """Decompress at most ``_LARGEST_CONTENT`` bytes, whatever the text claims to hold."""
    padded = packed + "=" * (-len(packed) % 4)
    data = base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
    decompressor = zlib.decompressobj()
    content = decompressor.decompress(data, _LARGEST_CONTENT)
    if not decompressor.eof or decompressor.unused_data:
        raise _damaged()
    return content


def _damaged() -> EngineError:
    return EngineError("The link is damaged; copy it again in full.")

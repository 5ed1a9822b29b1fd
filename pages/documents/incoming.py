"""The first look at a text or a file from outside: its size and its encoding."""

from __future__ import annotations

from engine.errors import EngineError

LARGEST_TEXT = 256 * 1024  # characters or bytes; the largest example takes about 20,000
_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK": "ZIP (an .xlsx workbook is one)",
    b"\xd0\xcf": "XLS",
    b"%PDF": "PDF",
}


def read_text(source: str | bytes) -> str:
    """Return pasted text, or the text of an uploaded file, without its byte-order mark.

    Raises
    ------
    EngineError
        When it is too large or no UTF-8 text.
    """
    if len(source) > LARGEST_TEXT:
        raise EngineError(
            "The file or text is too large: {size} characters, at most {largest} are read.",
            size=len(source),
            largest=LARGEST_TEXT,
        )
    text = _decode(source) if isinstance(source, bytes) else source
    return text.removeprefix("\ufeff")


def _decode(data: bytes) -> str:
    for mark, kind in _MARKS.items():
        if data.startswith(mark):
            raise EngineError(
                "The file must be plain text in UTF-8, and this one is {kind}; "
                "save it as UTF-8 text and try again.",
                kind=kind,
            )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EngineError(
            "The file must be text in UTF-8, and byte {position} of this one is not; "
            "save it as UTF-8 and try again.",
            position=error.start + 1,
        ) from None

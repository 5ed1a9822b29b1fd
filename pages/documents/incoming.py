"""The first look at a text or a file from outside: its size and its encoding."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NoReturn

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


def parse_json(text: str, refuse_constant: Callable[[str], NoReturn]) -> object:
    """Return what a JSON document holds.

    Parameters
    ----------
    text : str
        The document.
    refuse_constant : callable
        Called with ``NaN``, ``Infinity`` or ``-Infinity``, which JSON does not know; it raises.

    Raises
    ------
    EngineError
        When the text is no JSON, nested too deeply, or holds a number of thousands of digits.
    """
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise EngineError(
            "This is not a JSON document; reading stops at line {line}, column {column}.",
            line=error.lineno,
            column=error.colno,
        ) from None
    except EngineError:
        raise
    except RecursionError:
        raise EngineError("This JSON document is nested too deeply to be read.") from None
    except ValueError:  # an integer of thousands of digits
        raise EngineError("This JSON document holds a number too long to be read.") from None


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

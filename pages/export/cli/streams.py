"""The two streams of a command, whatever state its shell left them in."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO


def prepare() -> None:
    """Give a closed stream a place, and let none of them stop at a character it does not know."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # Else the next file that is opened would get the number, and what is meant for the
            # terminal would land in it.
            os.open(os.devnull, os.O_RDWR)
    sys.stdout, sys.stderr = _usable(sys.stdout), _usable(sys.stderr)


def _usable(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")  # a terminal that knows only ASCII shows a "?"
    return stream


def tell(stream: TextIO | None, text: str) -> None:
    """Write a text and see it off; a reader who has gone away is no failure.

    Raises
    ------
    OSError
        When the stream takes no more, as a full disk does.
    """
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _silence(stream)
    except OSError:
        _silence(stream)
        raise


def complain(text: str) -> None:
    """Write a line of a failure, if anybody can be told."""
    with suppress(OSError):
        tell(sys.stderr, text + "\n")


def _silence(stream: TextIO) -> None:
    """Let what the stream still holds go nowhere, or Python would fail over it at its end."""
    with suppress(OSError):  # a stream in memory has no number
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)

"""What goes wrong on the command line, as one sentence and an exit code."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable
from typing import Self

from engine.errors import EngineError
from pages.export.cli.showing import escaped, shown
from pages.text import Translator

DONE, NOT_WRITTEN, BAD_REQUEST, INTERRUPTED = 0, 1, 2, 130
_NAMES = ("name", "idea", "format", "option")  # values of an error that a person has typed
_OURS = ("allowed", "formats")  # values that the program lists, however long


class RequestError(EngineError):
    """A request that cannot be met as it is written."""

    def among(self, allowed: Iterable[str]) -> Self:
        """Return the same sentence, which may go on to name the closest of ``allowed``."""
        return self.with_values({**self.values, "allowed": ", ".join(allowed)})


class WriteError(EngineError):
    """A file or folder that could not be written."""


def unwritable(path: object, error: OSError | ValueError) -> WriteError:
    """Return what kept ``path`` from being written."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return WriteError("{path} could not be written: the disk is full.", path=str(path))
    return WriteError(
        "{path} could not be written: {reason}.", path=str(path), reason=reason_of(error)
    )


def reason_of(error: BaseException) -> str:
    """Return what happened on one line: what the system says, or the fault and its kind."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return ": ".join([type(error).__name__, *lines[:1]]).rstrip(".")


def sentence(error: EngineError, t: Translator) -> str:
    """Return an error in the reader's language, with the close match of a mistyped name."""
    allowed = str(error.values.get("allowed", "")).split(", ")
    typed = next((str(error.values[name]) for name in _NAMES if name in error.values), "")
    values = {
        name: shown(value) if isinstance(value, str) and name not in _OURS else value
        for name, value in error.values.items()
    }
    said = t.error(error.with_values(values), each=escaped)
    return t.sentences(said, did_you_mean(typed, allowed, t))


def did_you_mean(typed: str, allowed: Iterable[str], t: Translator) -> str:
    """Return the question that names the closest of ``allowed``, or nothing."""
    close = difflib.get_close_matches(typed, list(allowed), n=1)
    return t("Did you mean {match}?", match=close[0]) if close and typed != close[0] else ""

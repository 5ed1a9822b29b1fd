"""What tests let another process do: it imports this file, so it is small."""

from __future__ import annotations

import os
import time
from multiprocessing import parent_process


def who(number: int, text: str) -> tuple[int, str, int]:
    """Return what came, and which process it came to."""
    return number, text, os.getpid()


def fail_at_three(number: int) -> tuple[int, int]:
    """Return the number and the process; refuse the third."""
    if number == 3:
        raise PermissionError(13, "three")
    return number, os.getpid()


def later(seconds: float) -> float:
    """Return what came after so many seconds."""
    time.sleep(seconds)
    return seconds


def panic_apart(number: int) -> int:
    """Raise what no Exception is and no pickle holds, but only in a process of its own."""
    if parent_process() is not None:

        class PanicError(BaseException):
            pass

        raise PanicError
    return number


def die_apart(number: int) -> int:
    """Go away without a word, but only in a process of its own."""
    if parent_process() is not None:
        os._exit(1)
    return number

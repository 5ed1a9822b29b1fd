"""Threads that wait for each other: so that a computation holds at once all that it can hold.

How many threads share a computation is decided by how soon they wake: on a busy machine a helper
may come when all is done, and the memory that it would have taken is never seen. Who measures the
most that is held therefore lets every thread take its memory and a part of the work before one
begins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Part = TypeVar("Part")
PATIENCE = 0.25  # seconds: a helper that does not come by then works for somebody else


class Gathering:
    """What is told of the threads of a computation; ``complete`` unless one of them was missing."""

    def __init__(self) -> None:
        self.complete = True

    def wait(self, missing: list[None]) -> None:
        """Take one off, and wait until none is left; go on without those who do not come.

        The threads look again and again: a sleeping one would wake when the others are done.
        """
        missing.pop()
        until = time.monotonic() + PATIENCE
        while missing:
            if time.monotonic() > until:
                self.complete = False
                return
            time.sleep(0)


@contextmanager
def gathered() -> Iterator[Gathering]:
    """Let the threads of what the calling thread computes begin together."""
    gathering = Gathering()
    before = _gathering.set(gathering)
    try:
        yield gathering
    finally:
        _gathering.reset(before)


def gate(threads: int) -> Callable[[Iterator[Part]], Iterator[Part]]:
    """Return what so many threads pass their parts through; it holds none up unless asked to.

    There must be a part for each of them.
    """
    gathering = _gathering.get()
    if gathering is None:
        return lambda parts: parts
    missing = [None] * threads

    def passed(parts: Iterator[Part]) -> Iterator[Part]:
        for place, part in enumerate(parts):
            if place == 0:
                gathering.wait(missing)
            yield part

    return passed


_gathering: ContextVar[Gathering | None] = ContextVar("gathering", default=None)

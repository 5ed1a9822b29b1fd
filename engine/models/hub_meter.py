"""Counts what has come of a download, and ends it when it is told to."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any, Self

MOST_STARTS = 3  # times a file begins anew; the library itself would begin again without end


class Stopped(Exception):  # noqa: N818 - not an error
    """Ends a download from inside; whoever asked for it has gone."""


class Meter:
    """Counts the bytes of several files, on the thread that fetches them."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._done: dict[str, int] = {}

    @property
    def done(self) -> int:
        """Bytes of all files so far."""
        return sum(self._done.copy().values())

    def stop(self) -> None:
        """End the download at its next step."""
        self._stopped.set()

    def finish(self, name: str, size: int) -> None:
        """Count a file as a whole: it may have been there before."""
        self._go_on()
        self._done[name] = size

    def bar_of(self, name: str, size: int, broken: Exception) -> Any:
        """Return what the hub's library takes for the class of its progress bar.

        Parameters
        ----------
        name : str
            Of the file.
        size : int
            In bytes.
        broken : Exception
            Raised when more arrive, or when the file begins anew too often.
        """
        return partial(_Bar, self, name, size, broken)

    def count(self, name: str, size: int, amount: int) -> bool:
        """Add bytes of a file and say whether it is still within its size."""
        self._go_on()
        self._done[name] = self._done.get(name, 0) + amount
        return self._done[name] <= size

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise Stopped


class _Bar:
    """As much of a progress bar as the library uses of it."""

    def __init__(
        self,
        meter: Meter,
        name: str,
        size: int,
        broken: Exception,
        *,
        initial: int = 0,
        **_shown: object,
    ) -> None:
        self._meter, self._name, self._size, self._broken = meter, name, size, broken
        self._starts = 1
        self.update(initial)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def update(self, amount: int | float | None = 1) -> None:
        """Count bytes that have come; fewer than none where they have to come again."""
        change = int(amount or 0)
        self._starts += change < 0
        within = self._meter.count(self._name, self._size, change)
        if not within or self._starts > MOST_STARTS:
            raise self._broken

"""How far a run is: told in steps that a screen can follow."""

from __future__ import annotations

from collections.abc import Callable

MOST_REPORTS = 1_000  # a screen that follows each block would take longer than they


class Progress:
    """Tells a listener what share of the work is done, at most ``MOST_REPORTS`` times."""

    def __init__(self, total: int, listener: Callable[[float], None] | None) -> None:
        self._total, self._listener = total, listener
        self._done = self._reported = 0

    def add(self, done: int) -> None:
        """Say that some more of the work is done."""
        self._done += done
        due = (self._done - self._reported) * MOST_REPORTS >= self._total
        if self._listener is not None and (due or self._done == self._total):
            self._reported = self._done
            self._listener(self._done / self._total)

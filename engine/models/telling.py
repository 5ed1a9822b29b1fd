"""Says how far a run is, though several threads work on it."""

from __future__ import annotations

import threading
from collections.abc import Callable

Listener = Callable[[float], None]


class Told:
    """Tells a listener what share is done, on the thread that asked for the run alone.

    A screen can be written on by its own thread only, and a listener that raises stops that one.

    Parameters
    ----------
    listener : callable or None
        Called with a share from 0 to 1, which never falls.
    total : int
        How many steps there are.
    """

    def __init__(self, listener: Listener | None, total: int) -> None:
        self._listener, self._total = listener, total
        self._owner = threading.current_thread()
        self._lock = threading.Lock()
        self._done = self._said = 0

    def add(self, steps: int) -> None:
        """Say that some more steps are done."""
        with self._lock:
            self._done += steps
        if threading.current_thread() is self._owner:
            self.tell()

    def tell(self) -> None:
        """Tell the listener what it does not know yet."""
        done = self._done
        if self._listener is not None and done > self._said:
            self._said = done
            self._listener(done / self._total)

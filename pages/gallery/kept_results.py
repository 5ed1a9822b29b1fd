"""Results that a process keeps, the last few of each kind, so that a rerun computes nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from pages.gallery.model import Listener

_Params = TypeVar("_Params", bound=Hashable)
_Result = TypeVar("_Result")


class Kept(Generic[_Params, _Result]):
    """A computation whose last results are kept by their parameters and backend.

    ``functools.lru_cache`` would take the listener for a parameter.

    Parameters
    ----------
    compute : callable
        Takes parameters, the name of a backend, and a listener who hears the share that is done
        (None: nobody does).
    size : int
        How many results are kept.
    """

    def __init__(
        self, compute: Callable[[_Params, str, Listener | None], _Result], size: int
    ) -> None:
        self._compute, self._size = compute, size
        self._kept: OrderedDict[tuple[_Params, str], _Result] = OrderedDict()
        self._lock = Lock()

    def __call__(self, params: _Params, backend: str, listener: Listener | None = None) -> _Result:
        """Return the result; only one that is not kept is computed."""
        found = self.peek(params, backend)
        if found is None:
            found = self._compute(params, backend, listener)
            self.put(params, backend, found)
        return found

    def put(self, params: _Params, backend: str, result: _Result) -> None:
        """Keep a result that was computed elsewhere."""
        with self._lock:
            self._kept[params, backend] = result
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def peek(self, params: _Params, backend: str) -> _Result | None:
        """Return the result if it is kept."""
        with self._lock:
            found = self._kept.get((params, backend))
            if found is not None:
                self._kept.move_to_end((params, backend))
            return found

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()

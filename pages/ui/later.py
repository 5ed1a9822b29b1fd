"""Long work that goes on once the view stands, and keeps what it has found so far.

A page begins a work, an iterator of results, and asks for it in every run. When all else is drawn,
the frame carries it on. Whatever the reader does meanwhile begins another run: the newest result is
kept, and the work goes on in the run that asks for it. A run that does not, of another tab or page,
ends it.

Streamlit begins the next run in a thread of its own, while the one before may still be computing
towards its next result; so a work lets one thread in at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any

import streamlit as st

from engine import EngineError
from pages.ui import messages

_WORKS, _ASKED = "later.works", "later.asked"
PAUSE = 0.7  # seconds between two drawings


class Work:
    """Results that come one after the other.

    Parameters
    ----------
    results : iterator
        Computes the next result each time it is asked.
    worth : callable
        Says whether a result is worth keeping.
    found : object
        What is kept until the first result comes.
    order : object
        What it was begun for.

    Attributes
    ----------
    fresh : bool
        Whether what is kept is a result of this work.
    latest : object
        The newest result, be it worth keeping or not; None before the first.
    """

    def __init__(
        self,
        results: Iterator[Any],
        worth: Callable[[Any], bool],
        found: Any = None,
        order: Any = None,
    ) -> None:
        self._results: Iterator[Any] | None = results
        self._worth, self.found, self.fresh = worth, found, False
        self.order, self.latest = order, None
        self._lock = Lock()

    @property
    def goes_on(self) -> bool:
        """Whether there may be more results."""
        return self._results is not None

    def next(self) -> Any:
        """Return the next result, kept already; None at the end."""
        with self._lock:
            if self._results is None:
                return None
            try:
                result = next(self._results, None)
            except BaseException:  # whatever it was, nothing more can come
                self._results = None
                raise
            if result is None:
                self._results = None
                return None
            self.latest = result
            if self._worth(result):
                self.found, self.fresh = result, True
            return result

    def stop(self) -> None:
        """End it, once the result that is being computed is kept; twice is harmless."""
        with self._lock:
            self._results = None  # and with it whatever large arrays it holds


@dataclass(frozen=True)
class _Wish:
    """What one run wants of a work: who tells how far it is, and who draws it."""

    tell: Callable[[Any], None]
    draw: Callable[[Any], None]


def everything(_result: Any) -> bool:
    """Say that a result is worth keeping."""
    return True


def begin(
    name: str,
    results: Iterator[Any],
    worth: Callable[[Any], bool] = everything,
    order: Any = None,
) -> None:
    """Begin a work in place of one of the same name; ``order`` is what it is begun for."""
    stop(name)
    _works()[name] = Work(results, worth, found(name), order)


def put(name: str, result: Any) -> None:
    """Put a result in the place of a work that has ended."""
    _works()[name] = Work(iter(()), lambda _result: False, result)
    stop(name)


def stop(name: str) -> None:
    """End a work; what it has found is kept, and stopping again is harmless."""
    if name in _works():
        _works()[name].stop()


def goes_on(name: str) -> bool:
    """Say whether a work is still to be carried on."""
    return name in _works() and _works()[name].goes_on


def fresh(name: str) -> bool:
    """Say whether what is found is of this work, and not of one before it."""
    return name in _works() and _works()[name].fresh


def order(name: str) -> Any:
    """Return what a work was begun for, or None."""
    return _works()[name].order if name in _works() else None


def latest(name: str) -> Any:
    """Return the newest result of a work, worth keeping or not, or None before its first."""
    return _works()[name].latest if name in _works() else None


def begun(name: str) -> bool:
    """Say whether a work was ever begun in this session."""
    return name in _works()


def found(name: str) -> Any:
    """Return the newest result that was worth keeping, or None."""
    return _works()[name].found if name in _works() else None


def ask(name: str, tell: Callable[[Any], None], draw: Callable[[Any], None]) -> None:
    """Ask for a work to be carried on after this run.

    Parameters
    ----------
    name : str
        One that was begun; without it nothing happens.
    tell : callable
        Says in a line how far it is, after every result.
    draw : callable
        Draws a result that is worth keeping, some times a second at most.
    """
    st.session_state.setdefault(_ASKED, {})[name] = _Wish(tell, draw)


def forget_wishes() -> None:
    """Forget what an earlier run asked for; the frame calls this before a page runs."""
    st.session_state[_ASKED] = {}
    messages.forget_shown()


def carry_on() -> None:
    """Carry on what was asked for, and end what was not; the frame's last act."""
    wishes: dict[str, _Wish] = st.session_state.get(_ASKED, {})
    for name in set(_works()) - set(wishes):
        stop(name)
    for name in [name for name in wishes if goes_on(name)]:
        try:
            _follow(_works()[name], wishes[name])
        except EngineError as error:  # such as memory that is used up
            messages.keep(error)
        messages.keep_shown()
        st.rerun()  # now that it is done, the whole view shows it


def _follow(work: Work, wish: _Wish) -> None:
    drawn = time.perf_counter()
    while (result := work.next()) is not None:
        wish.tell(result)
        if work.fresh and time.perf_counter() - drawn > PAUSE:
            wish.draw(work.found)
            drawn = time.perf_counter()


def _works() -> dict[str, Work]:
    works: dict[str, Work] = st.session_state.setdefault(_WORKS, {})
    return works

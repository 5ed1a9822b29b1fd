"""Long work that goes on once the view stands, and keeps what it has found so far.

A page begins a work, an iterator of results, and asks for it in every run. When all else is drawn,
the frame carries it on. Whatever the reader does meanwhile interrupts the run between two results:
the newest is kept, and the work goes on in the next run that asks for it. A run that does not, of
another tab or page, ends it. All of it happens in the session's own thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import streamlit as st

from engine import EngineError
from pages.ui import messages

_WORKS, _ASKED = "later.works", "later.asked"
PAUSE = 0.7  # seconds between two drawings


@dataclass(frozen=True)
class _Wish:
    """What one run wants of a work: who takes each result, who tells of it, who draws it."""

    take: Callable[[Any], None]
    tell: Callable[[Any], None]
    draw: Callable[[Any], None]


def begin(name: str, results: Iterator[Any]) -> None:
    """Begin a work; one of the same name ends."""
    stop(name)
    _works()[name] = results


def stop(name: str) -> None:
    """End a work, if it goes on; what it has found is kept by whoever took it."""
    results = _works().pop(name, None)
    if results is not None and hasattr(results, "close"):
        results.close()


def goes_on(name: str) -> bool:
    """Say whether a work is still to be carried on."""
    return name in _works()


def ask(
    name: str,
    take: Callable[[Any], None],
    tell: Callable[[Any], None],
    draw: Callable[[Any], None],
) -> None:
    """Ask for a work to be carried on after this run.

    Parameters
    ----------
    name : str
        One that was begun; without it nothing happens.
    take : callable
        Keeps a result; must not draw, so that nothing can interrupt it.
    tell : callable
        Says in a line how far it is, after every result.
    draw : callable
        Draws a result, some times a second at most.
    """
    st.session_state.setdefault(_ASKED, {})[name] = _Wish(take, tell, draw)


def forget_wishes() -> None:
    """Forget what an earlier run asked for; the frame calls this before a page runs."""
    st.session_state[_ASKED] = {}


def carry_on() -> None:
    """Carry on what was asked for, and end what was not; the frame's last act."""
    wishes: dict[str, _Wish] = st.session_state.get(_ASKED, {})
    for name in [name for name in _works() if name not in wishes]:
        stop(name)
    for name in [name for name in wishes if goes_on(name)]:
        try:
            _follow(_works()[name], wishes[name])
        except EngineError as error:  # such as memory that is used up
            messages.keep(error)
        stop(name)
        st.rerun()  # now that it is done, the whole view shows it


def _follow(results: Iterator[Any], wish: _Wish) -> None:
    drawn = time.perf_counter()
    for result in results:
        wish.take(result)
        wish.tell(result)
        if time.perf_counter() - drawn > PAUSE:
            wish.draw(result)
            drawn = time.perf_counter()


def _works() -> dict[str, Iterator[Any]]:
    works: dict[str, Iterator[Any]] = st.session_state.setdefault(_WORKS, {})
    return works

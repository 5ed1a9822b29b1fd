"""What ends a command early: Ctrl-C, a batch system, a terminal that closes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has all of them

Handler = Callable[[int, FrameType | None], object]


def take(handler: Handler) -> dict[signal.Signals, Any]:
    """Let ``handler`` take every request to stop, and return what took each before.

    A request that is ignored, as ``nohup`` wants it, stays ignored. Only the main thread may
    decide; in another one nothing changes.
    """
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is not threading.main_thread():
        return before
    for number in _numbers():
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            before[number] = signal.signal(number, handler)
    return before


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def taken(handler: Handler) -> Iterator[None]:
    """Let ``handler`` take every request to stop for a while."""
    before = take(handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def put_off() -> Iterator[None]:
    """Let a request to stop wait for the end, and let none reach processes started meanwhile.

    They would each take Ctrl-C for theirs, and complain; only whoever starts them ends them.
    """
    came: list[int] = []
    masks = hasattr(signal, "pthread_sigmask")
    try:
        with taken(lambda number, _frame: came.append(number)):
            # It is handed down, but holds for this thread alone: another may take the signal.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _numbers()) if masks else set()
            try:
                yield
            finally:
                if masks:
                    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    finally:
        if came:
            signal.raise_signal(came[0])


@contextmanager
def held() -> Iterator[None]:
    """Finish what must not end halfway; it takes an instant, and the command ends soon after."""
    with taken(lambda _number, _frame: None):
        yield

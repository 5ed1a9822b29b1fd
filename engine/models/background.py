"""Long work on another thread, while the caller's thread tells how far it is and may stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

_Result = TypeVar("_Result")

STEP = 0.1  # seconds between two calls of `tell`
_PATIENCE = 2.0  # seconds a stopped work is waited for


def in_background(
    work: Callable[[], _Result], *, tell: Callable[[], None], stop: Callable[[], None]
) -> _Result:
    """Run work on another thread and return what it returns, or raise what it raises.

    Parameters
    ----------
    work : callable
    tell : callable
        Called in the caller's thread again and again until the work is done, and once after. It
        may raise anything, whatever the work is waiting for.
    stop : callable
        Called when ``tell`` has raised; lets the work end at its next step. It is waited for
        shortly, then left to end by itself.
    """
    future: Future[_Result] = Future()
    # A daemon: a program that ends does not wait for a network that does not answer.
    threading.Thread(target=_run, args=(work, future), daemon=True, name="download").start()
    try:
        while not wait([future], timeout=STEP).done:
            tell()
    except BaseException:
        stop()
        wait([future], timeout=_PATIENCE)
        raise
    result = future.result()
    tell()
    return result


def _run(work: Callable[[], _Result], future: Future[_Result]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - it is raised again in the caller
        future.set_exception(error)
    else:
        future.set_result(result)

"""Work spread over the processor's cores, with the library behind NumPy's products held to one.

That library (OpenBLAS, usually) has threads of its own: with ours they would multiply, and waiting
for each other they lose more than they gain on products as small as a block's. Its limit is one
for the whole process, so callers that overlap share one hold, and the last one lifts it. A library
whose limit cannot be set (Accelerate on a Mac) is safe to call from several threads all the same.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, TypeVar

import numpy as np

from engine.backends import gathering

Part = TypeVar("Part")


def available_cores() -> int:
    """Return how many cores this process may use, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):  # not on a Mac
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    parts: Iterable[Part], worker: Callable[[], Callable[[Part], None]], *, threads: int
) -> None:
    """Do every part once, on the calling thread and on helpers.

    Parameters
    ----------
    parts : iterable
        The longest first, so that no thread is left alone with a long one at the end.
    worker : callable
        Called once on each thread; returns what does one part there, with memory of its own.
    threads : int
        How many at most, the calling one included.

    Raises
    ------
    Exception
        What a part raised; the parts that no thread has begun are dropped.
    """
    waiting = deque(parts)
    sharing = min(threads, len(waiting))
    gate = gathering.gate(sharing)

    def work_off() -> None:
        try:
            with np.errstate(all="ignore"):  # this setting is of one thread
                do = worker()
                for part in gate(_taken(waiting)):
                    do(part)
        except BaseException:
            waiting.clear()
            raise

    with one_blas_thread():
        helpers = _asked(work_off, sharing - 1)
        try:
            work_off()
        finally:
            # A helper that never began is not needed: the pool may be busy for somebody else.
            begun = [helper for helper in helpers if not helper.cancel()]
            wait(begun)
    for helper in begun:
        helper.result()


def _asked(work: Callable[[], None], count: int) -> list[Future[None]]:
    """Ask so many helpers, or as many as the system still has threads for."""
    helpers: list[Future[None]] = []
    with suppress(RuntimeError):
        helpers.extend(_pool().submit(work) for _ in range(count))  # those before an error stay
    return helpers


def _taken(waiting: deque[Part]) -> Iterator[Part]:
    """Yield what is left, one at a time; several threads may take from the same."""
    while waiting:
        try:
            yield waiting.popleft()
        except IndexError:  # another thread was faster
            return


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the library behind NumPy's products to the thread that calls it."""
    _hold.begin()
    try:
        yield
    finally:
        _hold.end()


def can_hold_blas() -> bool:
    """Return whether `one_blas_thread` can hold the library behind NumPy's products."""
    return bool(_libraries())


class _Hold:
    """The limit while anybody needs it, and what it was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._before: list[int] = []

    def begin(self) -> None:
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                self._before = [library.get_num_threads() for library in _libraries()]
                self._limit([1] * len(self._before))

    def end(self) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                self._limit(self._before)

    def _limit(self, numbers: list[int]) -> None:
        for library, number in zip(_libraries(), numbers, strict=True):
            library.set_num_threads(number)


@cache
def _libraries() -> list[Any]:
    """Return the BLAS libraries in this process whose threads can be limited."""
    from threadpoolctl import ThreadpoolController  # not needed to start

    libraries: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return libraries


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, available_cores() - 1), thread_name_prefix="attention")


def _forget() -> None:
    """Start anew in a fork, which has none of the threads, and may have a lock held by one."""
    global _hold
    _pool.cache_clear()
    _hold = _Hold()


_hold = _Hold()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

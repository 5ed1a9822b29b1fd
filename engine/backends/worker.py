"""One long-lived thread that runs what others hand to it, one piece at a time."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from engine.errors import BackendError

_Job = tuple[Callable[[], Any], "Future[Any]"]


class Worker:
    """Runs functions on its own thread and hands results and errors back to the caller.

    Parameters
    ----------
    name : str
        Name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._process = os.getpid()
        # A daemon, so that Python reaches its exit functions, one of which calls stop().
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Callable[[], Any]) -> Any:
        """Run ``work`` on the worker's thread and return what it returns, or raise its error.

        Raises
        ------
        BackendError
            If the worker has ended, or this process is a fork of the one that started it.
        """
        if threading.current_thread() is self._thread:
            return work()
        if os.getpid() != self._process:
            raise BackendError(
                "MLX does not survive a fork of the process; start the new process by spawn."
            )
        if not self._thread.is_alive():
            raise BackendError("The MLX worker has ended; restart the program.")
        future: Future[Any] = Future()
        self._jobs.put((work, future))
        return future.result()

    def stop(self, last: Callable[[], Any] | None = None) -> None:
        """Run ``last`` on the worker's thread, then end it and wait."""
        if not self._thread.is_alive():  # it is dead in a fork of the process, too
            return
        if last is not None:
            self.call(last)
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, future = job
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - it is raised again in the caller
                future.set_exception(error)
            del job, work, future  # hold nothing of the last job while waiting for the next

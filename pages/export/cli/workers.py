"""Drawings shared by several processes, since the converter holds the interpreter of one.

What a process cannot do, because it fails or goes away, is done once more here: whatever goes
wrong comes in the order of the figures and in the same words as from one process alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from engine.backends.threads import available_cores
from pages.export.cli.stopping import held, put_off
from pages.export.deck import Each

LEAST = 10  # drawings: for fewer, processes take longer to start than they save
MOST = 4  # processes: each takes a quarter of a gigabyte

Answer = tuple[Any, ...]  # what a function returned, or nothing where it failed


@contextmanager
def shared(drawings: int) -> Iterator[Each]:
    """Give a ``map`` that several processes share, where so many drawings are worth it.

    Functions, arguments and results are pickled. One ``map`` ends before the next begins.
    """
    workers: list[_Worker] = []
    try:
        if drawings >= LEAST:
            _start(workers, min(available_cores(), MOST))
        yield partial(_map, workers) if workers else map
    finally:
        with held():
            for worker in workers:
                worker.end()


def _start(workers: list[_Worker], count: int) -> None:
    """Start processes, or as many as the system allows; one alone would be no help."""
    if count > 1:
        with suppress(OSError):
            resource_tracker.ensure_running()  # it would undo `put_off` when it starts in there
            with put_off():
                while len(workers) < count:
                    workers.append(_Worker())


def _map(
    workers: list[_Worker], function: Callable[..., Any], *columns: Iterable[Any]
) -> Iterator[Any]:
    rows = list(zip(*columns, strict=True))
    waiting = deque(enumerate(rows))
    idle, busy = list(workers), dict[int, _Worker]()
    answers: dict[int, Answer] = {}
    for place, row in enumerate(rows):
        while place not in answers and (idle or busy):
            while idle and waiting:
                number, arguments = waiting.popleft()
                busy[number] = idle.pop()
                busy[number].give(function, arguments)
            idle += _heard(busy, answers)
        answer = answers.pop(place, ())
        yield answer[0] if answer else function(*row)


def _heard(busy: dict[int, _Worker], answers: dict[int, Answer]) -> list[_Worker]:
    """Wait until some of the busy have answered, and return those that are there for more."""
    ready = wait([worker.line for worker in busy.values()])
    done = [number for number, worker in busy.items() if worker.line in ready]
    free = []
    for number in done:
        worker = busy.pop(number)
        answer = worker.answer()
        answers[number] = answer or ()
        if answer is not None:
            free.append(worker)
    return free


class _Worker:
    """A process that does one task after the other.

    Attributes
    ----------
    line : Connection
        Over which tasks go and answers come.
    """

    def __init__(self) -> None:
        context = get_context("spawn")  # a copy of a process that has threads may hang
        self.line, theirs = context.Pipe()
        with theirs:
            self._process = context.Process(target=_serve, args=(theirs,))
            self._process.start()

    def give(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Hand over a task."""
        with suppress(OSError):  # the process is gone, as `answer` will find
            self.line.send((function, arguments))

    def answer(self) -> Answer | None:
        """Return what came of the task; None where the process is gone."""
        try:
            answer: Answer = self.line.recv()
        except (EOFError, OSError):
            return None
        return answer

    def end(self) -> None:
        """End the process at once; it holds nothing."""
        self._process.kill()
        self._process.join()
        self.line.close()


def _serve(line: Connection) -> None:
    """Do what comes over the line, until nobody is at its other end."""
    with suppress(EOFError, OSError):
        while True:
            line.send(_attempt(*line.recv()))


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Answer:
    try:
        return (function(*arguments),)
    except BaseException:  # noqa: BLE001 - a panic of the converter too; who asked will meet it
        return ()

"""Models that are kept in memory, and the room that another one needs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from engine.backends.machine_memory import free_bytes
from engine.errors import OutOfMemoryError
from engine.models.files import Stamp


class Sized(Protocol):
    """What is kept says how large it is, in bytes."""

    @property
    def bytes(self) -> int:
        """Of its weights in memory."""


M = TypeVar("M", bound=Sized)


class Kept(Generic[M]):
    """Keeps the models that were asked for last, one for each folder.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._models: OrderedDict[Path, tuple[Stamp, M]] = OrderedDict()  # least recent first
        self._coming: dict[Path, int] = {}  # bytes of those that are being read
        self._guard = threading.Lock()  # of both; never held while a model is read

    def find(self, folder: Path, stamp: Stamp) -> M | None:
        """Return a folder's model if it is kept and its files are the same."""
        with self._guard:
            found = self._models.get(folder)
            if found is None or found[0] != stamp:
                return None
            self._models.move_to_end(folder)
            return found[1]

    def put(self, folder: Path, stamp: Stamp, model: M) -> None:
        """Keep a model, and let go of the least recently asked for beyond the most."""
        with self._guard:
            self._models[folder] = (stamp, model)
            self._models.move_to_end(folder)
            while len(self._models) > self._most:
                self._models.popitem(last=False)

    def drop(self, folder: Path) -> None:
        """Let go of a folder's model."""
        with self._guard:
            self._models.pop(folder, None)

    def clear(self) -> None:
        """Let go of all models."""
        with self._guard:
            self._models.clear()

    @contextmanager
    def room(self, folder: Path, needed: int) -> Iterator[None]:
        """Hold room for a model as long as it is read; kept ones are let go of where that helps.

        Raises
        ------
        OutOfMemoryError
            If it does not fit into free memory even so; with both sizes.
        """
        with self._guard:
            self._make_room(needed)
            self._coming[folder] = needed
        try:
            yield
        finally:
            with self._guard:
                del self._coming[folder]

    def _make_room(self, needed: int) -> None:
        free = self._free()
        if needed > free + sum(model.bytes for _, model in self._models.values()):
            raise no_room(needed, free)
        while needed > (free := self._free()):
            if not self._models:
                raise no_room(needed, free)
            self._models.popitem(last=False)

    def _free(self) -> int:
        """Return the bytes that no program uses and no model is coming for."""
        return max(0, free_bytes() - sum(self._coming.values()))


def no_room(needed: int, free: int) -> OutOfMemoryError:
    """Return the refusal of a model for which there is too little memory."""
    return OutOfMemoryError(
        "This model needs {needed} MB of memory to load, and {free} MB are free; close other "
        "programs or choose a smaller model.",
        needed=-(-needed // 10**6),
        free=free // 10**6,
    )

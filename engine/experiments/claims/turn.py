"""The turn of a check that measures: one measurement at a time in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.backends.measuring import MEASURING
from engine.errors import EngineError

PATIENCE = 5.0  # seconds: a measurement that was just begun may take minutes


class BusyError(EngineError):
    """Another measurement of this process has its turn."""


@contextmanager
def measuring_turn(patience: float = PATIENCE) -> Iterator[None]:
    """Hold the turn, so that nothing else is measured meanwhile.

    Parameters
    ----------
    patience : float
        Seconds to wait for it.

    Raises
    ------
    BusyError
        If another measurement has its turn for longer.
    """
    if not MEASURING.acquire(timeout=patience):
        raise BusyError(
            "Another measurement has its turn; this claim is measured once that one is over."
        )
    try:
        yield
    finally:
        MEASURING.release()

"""How long something takes, for the benchmark."""

from __future__ import annotations

import time
from collections.abc import Callable


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1e3

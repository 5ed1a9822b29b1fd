"""How much memory is free."""

from __future__ import annotations

import psutil


def free_memory() -> int:
    """Return the bytes that this process can still take."""
    return int(psutil.virtual_memory().available)

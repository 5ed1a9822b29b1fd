"""Bytes and seconds as a person reads them, in a sentence of the engine."""

from __future__ import annotations

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def bytes_text(count: float) -> str:
    """Return an amount of memory in three digits and binary units: ``"12.3 GiB"``."""
    value, unit = float(count), 0
    # 1023.6 would be written as 1024 of the smaller unit.
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    digits = 0 if unit == 0 or value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:,.{digits}f} {_UNITS[unit]}"


def seconds_text(seconds: float) -> str:
    """Return a duration in two digits: ``"140 s"`` is written so up to ten minutes."""
    if seconds < 600:
        return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min"

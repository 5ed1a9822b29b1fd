"""How busy other programs kept the processor while something was measured."""

from __future__ import annotations

import os
import time

import psutil


class Watch:
    """Counts from its making the time that cores worked for somebody else.

    With them competing, a computation on several threads can take many times as long as alone,
    each time alike.
    """

    def __init__(self) -> None:
        self._busy, self._own = _busy_seconds(), time.process_time()

    def others(self) -> float:
        """Return the seconds of all cores, added up, that were not this process's own."""
        own = time.process_time() - self._own
        return max(0.0, _busy_seconds() - self._busy - own)


def _busy_seconds() -> float:
    """Return the seconds that the cores this process may use have worked, in steps of about 0.01.

    What the machine under a virtual one took counts too; the time of guests is in that of users.
    """
    cores = psutil.cpu_times(percpu=True)
    if hasattr(os, "sched_getaffinity"):  # not on a Mac
        cores = [core for place, core in enumerate(cores) if place in os.sched_getaffinity(0)]
    kinds = ("user", "nice", "system", "irq", "softirq", "steal")
    return sum(float(getattr(core, kind, 0.0)) for core in cores for kind in kinds)

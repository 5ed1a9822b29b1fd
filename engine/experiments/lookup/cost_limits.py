"""What may be timed: what fits into the free memory, and takes no longer than a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.backends import Backend
from engine.backends.measuring import runs_of
from engine.errors import EngineError, OptionError, OutOfMemoryError
from engine.experiments.lookup.cost_counts import Way, tanhs_of
from engine.experiments.lookup.cost_params import CostParams, pairs_of
from engine.experiments.lookup.cost_result import CostPoint
from engine.experiments.lookup.cost_scores import BLOCKS
from engine.experiments.memory.amounts import bytes_text, seconds_text
from engine.experiments.memory.guard import LONGEST, USABLE

HELD = 24  # arrays of a block at most at a time: MLX gives each back some steps late
ITEM = np.dtype(np.float32).itemsize
# So many tangents in all are quick on every device: MLX without a GPU takes 20 ns for each.
QUICK = 5e8
TRIAL = (256, 64)  # T and d_k, whose time tells that of more
TRIES = 3  # of which the shortest counts: what disturbed the others need not come again

Timed = Callable[[int, int, Way, CostParams, Backend], CostPoint]


def require_memory(params: CostParams, backend: Backend) -> None:
    """Refuse what would take more of the free memory than may be used."""
    T = max(T for T, _ in pairs_of(params))
    widest = max(d_k for _, d_k in pairs_of(params))
    block = max(BLOCKS[backend.kind], T * widest)  # one row of pairs at the least
    needed = ITEM * (4 * T * widest + 2 * widest**2 + HELD * block + T * T)
    free = backend.free_bytes()
    if needed > USABLE * free:
        raise OutOfMemoryError(
            "This needs {needed}, and {free} of memory is free, of which {share} % may be used; "
            "close other programs, or choose shorter sequences or smaller d_k.",
            needed=bytes_text(needed),
            free=bytes_text(free),
            share=round(100 * USABLE),
        )


def require_time(params: CostParams, backend: Backend, timed: Timed) -> None:
    """Refuse what would take too long all together; a trial by ``timed`` tells of much."""
    tanhs = sum(tanhs_of(T, d_k, "additive") for T, d_k in pairs_of(params))
    tanhs *= runs_of(params.repeats, 1, 0.0)
    if tanhs <= QUICK:
        return
    trial = timed(*TRIAL, "additive", replace(params, repeats=TRIES), backend)
    seconds = tanhs * min(trial.all_seconds) / trial.tanhs
    if seconds > LONGEST:
        raise too_long(seconds)


def too_long(seconds: float) -> EngineError:
    """Return the refusal of what would take so many seconds."""
    return OptionError(
        "This would take about {seconds} on this machine, and {longest} is the most; choose "
        "shorter sequences, smaller d_k or fewer repeats.",
        seconds=seconds_text(seconds),
        longest=seconds_text(LONGEST),
    )

"""One attention head learns key-value recall, scaled and unscaled, from one start and one stream.

Task: S pairs (key vector, value symbol) and one query that is one of the keys; the head must give
the symbol of that pair. Shape legend: B batch, S pairs, D = d_k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.shapes import Array

Optimiser = Literal["sgd", "adam"]
OPTIMISERS: tuple[Optimiser, ...] = ("adam", "sgd")
MOST_STEPS = 5_000
MOST_SEEDS = 10


@dataclass(frozen=True)
class TrainingParams:
    """What is trained.

    Attributes
    ----------
    d_k : int
        4 to 1,024; the model is as wide as its head.
    pairs : int
        S, 2 to 64.
    optimiser : {"adam", "sgd"}
    rate : float
        Learning rate, above 0 and at most 1e9: it may diverge, which is shown.
    steps : int
        1 to 5,000.
    seeds : tuple of int
        1 to 10 different seeds; each is one start and one stream of batches for both ways.
    batch : int
        1 to 256.
    """

    d_k: int = 256
    pairs: int = 16
    optimiser: Optimiser = "adam"
    rate: float = 1e-3
    steps: int = 300
    seeds: tuple[int, ...] = (1, 2, 3)
    batch: int = 32


@dataclass(frozen=True)
class Run:
    """One seed, one way, as far as it went.

    Attributes
    ----------
    steps : np.ndarray
        (M,) steps, from 0, at which something was recorded (every step, or evenly spread).
    loss, accuracy, gradient : np.ndarray
        (M,): cross-entropy in nats and share of right symbols on that step's batch before the
        update, and the norm of the whole gradient; finite up to ``diverged_at``.
    diverged_at : int or None
        First step at which a number was no longer finite; nothing is recorded from it on.
    """

    seed: int
    scaled: bool
    steps: Array
    loss: Array
    accuracy: Array
    gradient: Array
    diverged_at: int | None


@dataclass(frozen=True)
class TrainingResult:
    """All runs so far.

    Attributes
    ----------
    finished : bool
        False where it was stopped before the end; what was done is here all the same.
    """

    params: TrainingParams
    runs: tuple[Run, ...]
    finished: bool
    backend_name: str
    precision: str
    seconds: float

    def of(self, scaled: bool) -> tuple[Run, ...]:
        """Return the runs of one way."""
        return tuple(run for run in self.runs if run.scaled == scaled)


def train(
    params: TrainingParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> TrainingResult:
    """Train to the end, or until ``stop()`` is true."""
    raise NotImplementedError


def training(
    params: TrainingParams, *, backend: Backend | str | None = None, every: int = 25
) -> Iterator[TrainingResult]:
    """Train, and yield what is there after every ``every`` steps; the last result is whole."""
    raise NotImplementedError


@dataclass(frozen=True)
class SweepResult:
    """Final loss for every learning rate.

    Attributes
    ----------
    rates : np.ndarray
        (R,), those that were tried so far.
    scaled, unscaled : np.ndarray
        (R, seeds): mean loss of the last tenth of the steps; NaN where it diverged.
    """

    params: TrainingParams
    rates: Array
    scaled: Array
    unscaled: Array
    finished: bool
    backend_name: str
    precision: str
    seconds: float


def sweep(
    params: TrainingParams,
    rates: tuple[float, ...] = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2),
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> SweepResult:
    """Train once for every rate, so that no one can say that unscaled merely wanted another one."""
    raise NotImplementedError

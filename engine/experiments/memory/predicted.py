"""What T tokens need, predicted: bytes by tensor and method, what fits, and the arithmetic."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.backends import Backend
from engine.experiments.memory.budgets import Budget, budget_of, machine_budget
from engine.experiments.memory.fitting import largest_T
from engine.experiments.memory.ladder import Step, steps_of
from engine.experiments.memory.operations import Operations, operations_of
from engine.experiments.memory.params import (
    MODES,
    MOST_BATCH,
    MOST_BLOCK,
    MOST_BUDGET,
    MOST_BUDGETS,
    MOST_DEVICES,
    MOST_T,
    Params,
    require_params,
    with_preset,
)
from engine.experiments.memory.tensors import METHODS, Tensor, cost_of, tensors_of

__all__ = [
    "DEVICES",
    "LANDMARKS",
    "METHODS",
    "MODES",
    "MOST_BATCH",
    "MOST_BLOCK",
    "MOST_BUDGET",
    "MOST_BUDGETS",
    "MOST_DEVICES",
    "MOST_T",
    "Carried",
    "Curve",
    "Fit",
    "Params",
    "Result",
    "run",
    "with_preset",
]

LANDMARKS = (1_000, 10_000)  # tokens that the text names
LEAST_DRAWN, MOST_DRAWN = 6, 20  # powers of two
DEVICES = tuple(2**power for power in range(11))  # 1 to 1,024


@dataclass(frozen=True)
class Curve:
    """Bytes that one device needs, against T."""

    method: str
    Ts: tuple[int, ...]
    bytes: tuple[int, ...]


@dataclass(frozen=True)
class Fit:
    """The largest T that fits a budget: 0 where none does, at most ``MOST_T``."""

    budget: Budget
    method: str
    T: int


@dataclass(frozen=True)
class Carried:
    """The largest T that so many devices carry together, each within the chosen budget."""

    devices: int
    method: str
    T: int


@dataclass(frozen=True)
class Result:
    """All predictions.

    Attributes
    ----------
    machine, chosen : Budget
        The memory of this machine, and ``params.budget``.
    curves : tuple of Curve
        One a method, at ``params.devices``.
    stacks : dict
        Method -> its tensors on one device, at ``params.T`` and ``params.devices``.
    fits : tuple of Fit
        Every different budget, rising, then this machine, by every method, at ``params.devices``.
    at_budget : tuple of Fit
        The chosen budget by every method, at ``params.devices``: where a curve meets it.
    carried : tuple of Carried
        1 to 1,024 devices by every method, under the chosen budget.
    operations : Operations
        At the T of the curves.
    steps : tuple of Step
        From one matrix of scores to those of all layers.
    """

    params: Params
    machine: Budget
    chosen: Budget
    curves: tuple[Curve, ...]
    stacks: dict[str, tuple[Tensor, ...]]
    fits: tuple[Fit, ...]
    at_budget: tuple[Fit, ...]
    carried: tuple[Carried, ...]
    operations: Operations
    steps: tuple[Step, ...]
    seconds: float


def run(
    params: Params,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Predict; nothing is allocated, and no backend is asked.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its limits; the sentence says what is allowed.
    """
    del backend  # whole numbers only
    started = time.perf_counter()
    require_params(params)
    machine, chosen = machine_budget(), budget_of(params.budget)
    budgets = (*map(budget_of, sorted(set(params.budgets))), machine)
    Ts = _drawn(params.T)
    result = Result(
        params=params,
        machine=machine,
        chosen=chosen,
        curves=tuple(_curve(params, method, Ts) for method in METHODS),
        stacks={method: tensors_of(params, method) for method in METHODS},
        fits=_fits(params, budgets),
        at_budget=_fits(params, (chosen,)),
        carried=_carried(params, chosen),
        operations=operations_of(params, Ts),
        steps=steps_of(params),
        seconds=time.perf_counter() - started,
    )
    if progress is not None:
        progress(1.0)
    return result


def _drawn(T: int) -> tuple[int, ...]:
    """Return the T of a curve: powers of two, the landmarks, and the chosen one."""
    last = max(MOST_DRAWN, (T - 1).bit_length())
    powers = {min(2**power, MOST_T) for power in range(LEAST_DRAWN, last + 1)}
    return tuple(sorted(powers | {*LANDMARKS, T}))


def _curve(params: Params, method: str, Ts: tuple[int, ...]) -> Curve:
    cost = cost_of(params, method)
    return Curve(method, Ts, tuple(map(cost, Ts)))


def _fits(params: Params, budgets: tuple[Budget, ...]) -> tuple[Fit, ...]:
    return tuple(
        Fit(budget, method, largest_T(params, method, budget.bytes, params.devices))
        for budget in budgets
        for method in METHODS
    )


def _carried(params: Params, budget: Budget) -> tuple[Carried, ...]:
    return tuple(
        Carried(devices, method, largest_T(params, method, budget.bytes, devices))
        for devices in DEVICES
        for method in METHODS
    )

"""The largest number of tokens that fits a budget."""

from __future__ import annotations

from bisect import bisect_right

from engine.experiments.memory.params import MOST_T, Params
from engine.experiments.memory.tensors import cost_of


def largest_T(  # noqa: N802 - T is the number of tokens
    params: Params, method: str, budget_bytes: int, devices: int = 1
) -> int:
    """Return the largest T whose tensors fit into the budget of each device, exactly.

    The bytes never fall as T grows (`tensors.cost_of`), so bisection finds it: T fits and T + 1
    does not, unless T is ``MOST_T``. 0 where not even one token fits.
    """
    cost = cost_of(params, method, devices=devices)
    return bisect_right(range(1, MOST_T + 1), budget_bytes, key=cost)

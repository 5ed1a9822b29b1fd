"""Which outputs move when one token's vector changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.experiments.worked_example import Result


@dataclass(frozen=True)
class Movement:
    """One row of X changed; by how much each output row moved.

    Attributes
    ----------
    token : int
        The row of X that changed, counted from 0.
    label : str
        Its token label.
    moves : tuple of float
        For each query position, the largest absolute change in its output row.
    """

    token: int
    label: str
    moves: tuple[float, ...]


def moved_outputs(before: Result, after: Result) -> Movement | None:
    """Compare two results that differ in exactly one row of X.

    Returns
    -------
    Movement or None
        None when no row of X changed, more than one did, or anything else changed too:
        another matrix, a size, a switch, or what computes. Token labels may differ.
    """
    changed = _changed_rows(before, after)
    if len(changed) != 1 or not _same_otherwise(before, after):
        return None
    with np.errstate(over="ignore"):  # two finite outputs may lie further apart than a float
        moves = np.abs(after.trace.output - before.trace.output).max(axis=1)
    token = changed[0]
    return Movement(token, after.params.tokens[token], tuple(moves.tolist()))


def _changed_rows(before: Result, after: Result) -> list[int]:
    old, new = before.params.x, after.params.x
    if len(old) != len(new):
        return []
    return [row for row, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]


def _same_otherwise(before: Result, after: Result) -> bool:
    old, new = before.params, after.params
    as_before = replace(new, x=old.x, tokens=old.tokens, context_tokens=old.context_tokens)
    same_engine = (before.backend_name, before.precision) == (after.backend_name, after.precision)
    return as_before == old and before.sizes == after.sizes and same_engine

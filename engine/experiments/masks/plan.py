"""What the mistakes are made with: which masks are meant and used, which tokens change.

Shape legend: T positions, C changed tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.errors import OptionError
from engine.experiments.masks.spec import MaskSpec, build
from engine.experiments.masks.variants import FAR, VARIANTS
from engine.shapes import Array

FEW_TOKENS = 16  # up to here every token is changed in turn
MOST_CELLS = 2**16  # of the score matrices of all changed passes together


@dataclass(frozen=True)
class Plan:
    """Masks, rows and tokens, the same in every dtype.

    Attributes
    ----------
    visible : np.ndarray
        bool, (T, T): the mask that is meant.
    length : int
        Real tokens in the wrong-axis row.
    raised : tuple of int
        Row and column of the hidden score that the far variants raise.
    changed : tuple of int
        C tokens that are changed in turn.
    intended, used : dict
        Variant -> bool (T, T): what it should have hidden, and the mask it really works with.
    full_row : int
        The row that is hidden whole, as a test.
    full_used : dict
        Variant -> bool (T,): that row of the mask it then works with.
    spans : dict
        Variant -> the widest distance from a row's highest score down to its lowest visible one.
    """

    visible: Array
    length: int
    raised: tuple[int, int]
    changed: tuple[int, ...]
    intended: dict[str, Array]
    used: dict[str, Array]
    full_row: int
    full_used: dict[str, Array]
    spans: dict[str, float]


def plan_of(spec: MaskSpec, scores: Array) -> Plan:
    """Plan the mistakes of a mask.

    Parameters
    ----------
    scores : np.ndarray
        (T, T), scaled.

    Raises
    ------
    OptionError
        When the mask is not well formed, there is one token alone, or no query has both a key it
        sees and a hidden one.
    """
    T = len(scores)
    visible = build(spec, T)
    raised = _raised(visible)
    length = T - 1 if spec.length is None else min(spec.length, T - 1)
    real = np.arange(T) < length
    meant = dict.fromkeys(VARIANTS, visible)
    meant["wrong-axis"] = build(replace(spec, length=None), T)  # the padding is added below
    intended = {name: _intended(name, mask, real) for name, mask in meant.items()}
    row = _full_row(visible, intended["wrong-axis"], scores, raised[0])
    return Plan(
        visible,
        length,
        raised,
        _changed(visible, raised),
        intended,
        {name: _used(name, mask, real) for name, mask in meant.items()},
        row,
        {name: _used(name, _without(mask, row), real)[row] for name, mask in meant.items()},
        {name: _span(mask, scores) + FAR.get(name, 0.0) for name, mask in intended.items()},
    )


def _intended(name: str, mask: Array, real: Array) -> Array:
    """Return what should have been hidden; padding belongs to the keys."""
    return mask & real[None, :] if name == "wrong-axis" else mask


def _used(name: str, mask: Array, real: Array) -> Array:
    """Return the mask as the mistake takes it."""
    if name == "wrong-axis":
        return mask & real[:, None]
    if name == "transposed":
        return mask.T
    return ~mask if name == "inverted" else mask


def _raised(visible: Array) -> tuple[int, int]:
    """Return the first row that sees some keys and not others, and its last hidden key."""
    if len(visible) == 1:
        raise OptionError(
            "One token alone has no other to hide, so there is nothing to do wrong; write a "
            "sentence of 2 tokens or more, or choose another source."
        )
    both = visible.any(axis=1) & ~visible.all(axis=1)
    if not both.any():
        raise OptionError(
            "The mask must hide some keys from a query and leave it others, or there is nothing "
            "to do wrong; choose causal, a window or padding, or draw such a row."
        )
    row = int(np.argmax(both))
    hidden = np.flatnonzero(~visible[row])
    others = hidden[hidden != row]
    return row, int(others[-1] if others.size else hidden[-1])


def _changed(visible: Array, raised: tuple[int, int]) -> tuple[int, ...]:
    """Return the tokens to change: all, or some spread evenly with the last hidden ones."""
    T = len(visible)
    if T <= FEW_TOKENS:
        return tuple(range(T))
    hidden = np.flatnonzero(~visible.all(axis=0))
    count = max(2, MOST_CELLS // T**2)
    spread = np.linspace(0, hidden.size - 1, min(count, hidden.size)).round().astype(int)
    return tuple(sorted({*hidden[spread].tolist(), raised[1]}))


def _full_row(visible: Array, padded: Array, scores: Array, raised: int) -> int:
    """Return the first row with something to see that is fit for a test.

    Where there are such rows: one with unequal scores, or equal weights would say nothing; not the
    one with a raised score; one that padding, too, leaves something to see.
    """
    fit = visible.any(axis=1)
    others = np.arange(len(visible)) != raised
    wishes = (np.ptp(scores, axis=1) > 0, others, padded.any(axis=1))
    for wish in wishes:
        fit = fit & wish if (fit & wish).any() else fit
    return int(np.argmax(fit))


def _span(intended: Array, scores: Array) -> float:
    lowest = np.where(intended, scores, np.inf).min(axis=1)  # infinite where nothing is visible
    return float((scores.max(axis=1) - lowest).max(initial=0.0))


def _without(mask: Array, row: int) -> Array:
    hidden = mask.copy()
    hidden[row] = False
    return hidden

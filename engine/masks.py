"""Boolean masks, True = may look. Free functions of two ranges and a comparison.

T queries sit at the end of S keys (lower-right aligned), as when the last T tokens of a
sequence are computed and the earlier keys are remembered.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.errors import OptionError, ShapeError
from engine.shapes import Array, as_mask, as_size


def causal_mask(T: int, S: int | None = None, *, align: str = "lower-right") -> Array:
    """Let query i see the keys up to its own position.

    Parameters
    ----------
    T, S : int
        Query and key positions; S is T when not given.
    align : {"lower-right", "upper-left"}
        Whether the last query sees the last key (S - T keys were there before) or the first
        query sees the first key only (PyTorch's ``is_causal``). They agree when T = S.

    Returns
    -------
    np.ndarray
        bool, (T, S). With T > S and lower-right alignment the first T - S rows see nothing.

    Raises
    ------
    OptionError
        If a size is below 1 or the alignment is unknown.
    """
    T, S = _sizes(T, S)
    if align not in ("lower-right", "upper-left"):
        raise OptionError(
            "`align` must be lower-right or upper-left, got {align}.", align=repr(align)
        )
    offset = S - T if align == "lower-right" else 0
    return _keys(S) <= _queries(T, offset)


def padding_mask(lengths: int | Sequence[int] | ArrayLike, S: int) -> Array:
    """Hide the keys past the end of each sequence.

    Parameters
    ----------
    lengths : int or sequence of B ints
        How many keys are real, 0 to S.
    S : int
        Key positions.

    Returns
    -------
    np.ndarray
        bool, (1, S) for one length, (B, 1, 1, S) for a sequence of them, so that it
        broadcasts against scores (T, S) or (B, H, T, S).

    Raises
    ------
    OptionError
        If a length is not a whole number from 0 to S.
    """
    S = as_size(S, "S")
    counts = np.asarray(lengths)
    if counts.dtype.kind not in "iu" or counts.ndim > 1 or counts.size == 0:
        raise OptionError(
            "`lengths` must be a whole number or a list of them, got {lengths}.",
            lengths=repr(lengths),
        )
    wrong = (counts < 0) | (counts > S)
    if wrong.any():
        raise OptionError(
            "`lengths` must lie between 0 and S = {S}, got {length}.",
            S=S,
            length=int(counts[wrong].flat[0]),
        )
    if counts.ndim == 0:
        return _keys(S) < counts
    return np.arange(S) < counts[:, None, None, None]


def sliding_window_mask(T: int, window: int, S: int | None = None) -> Array:
    """Let query i see itself and the ``window`` - 1 keys before it, as in Mistral 7B.

    Returns
    -------
    np.ndarray
        bool, (T, S), causal and lower-right aligned.

    Raises
    ------
    OptionError
        If a size is below 1.
    """
    T, S = _sizes(T, S)
    window = as_size(window, "window")
    behind = _queries(T, S - T) - _keys(S)
    return (behind >= 0) & (behind < window)


def prefix_mask(T: int, prefix: int, S: int | None = None) -> Array:
    """Let every query see the first ``prefix`` keys, and the rest causally (a prefix LM).

    Returns
    -------
    np.ndarray
        bool, (T, S), lower-right aligned.

    Raises
    ------
    OptionError
        If a size is below 1 or ``prefix`` is not between 0 and S.
    """
    T, S = _sizes(T, S)
    prefix = as_size(prefix, "prefix", least=0)
    if prefix > S:
        raise OptionError(
            "`prefix` must lie between 0 and S = {S}, got {prefix}.", S=S, prefix=prefix
        )
    return causal_mask(T, S) | (_keys(S) < prefix)


def combine_masks(*masks: ArrayLike) -> Array:
    """Let a query look only where every mask lets it.

    Raises
    ------
    OptionError
        If no mask is given.
    ShapeError
        If the masks do not broadcast together.
    NumberError
        If one of them is not boolean.
    """
    if not masks:
        raise OptionError("`combine_masks` needs at least one mask, got none.")
    arrays = [as_mask(mask, f"mask {number}") for number, mask in enumerate(masks, start=1)]
    try:
        return np.array(np.logical_and.reduce(np.broadcast_arrays(*arrays)))
    except ValueError:
        raise ShapeError(
            "The masks must broadcast together, got shapes {shapes}.",
            shapes=", ".join(str(array.shape) for array in arrays),
        ) from None


def _sizes(T: int, S: int | None) -> tuple[int, int]:
    T = as_size(T, "T")
    return T, T if S is None else as_size(S, "S")


def _queries(T: int, offset: int) -> Array:
    return np.arange(T)[:, None] + offset


def _keys(S: int) -> Array:
    return np.arange(S)[None, :]

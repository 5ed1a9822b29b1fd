"""What each way of masking does before softmax and after it, in the names NumPy and MLX share.

Shape legend: N passes, T positions. Scores are scaled, (N, T, T) or (1, T); masks broadcast.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.experiments.masks.precision import Precision

FAR_FILL = 20_000.0  # how far above its row's visible scores one hidden score is raised, -1e4 row
FAR_UNDERFLOW = 200.0  # the same, zero and renormalise row

# In the order of the table.
VARIANTS: tuple[str, ...] = (
    "minus-infinity",  # where(mask, s, -inf) before softmax: the reference
    "minus-1e9",  # s + (-1e9 where hidden) before softmax
    "minus-1e4",  # s + (-1e4 where hidden) before softmax
    "minus-1e4-far",  # the same, one hidden score FAR_FILL above its row
    "times-0-1",  # s * mask before softmax
    "plus-0-1",  # s + mask before softmax (a 0/1 mask taken as additive)
    "zero-after",  # softmax(s) * mask
    "renormalise",  # softmax(s) * mask, each row divided by its sum
    "renormalise-far",  # the same, one hidden score FAR_UNDERFLOW above its row
    "wrong-axis",  # padding hidden along the query axis instead of the key axis
    "transposed",  # mask.T, upside down: the upper triangle instead of the lower
    "inverted",  # ~mask: True taken for "hide"
)
FAR = {"minus-1e4-far": FAR_FILL, "renormalise-far": FAR_UNDERFLOW}
# Here hidden scores take part and cancel, up to rounding; elsewhere they take part or do not.
CANCELLING = ("renormalise", "renormalise-far")

# (xp, scores or weights, mask, precision) -> the same, masked
Step = Callable[[Any, Any, Any, Precision], Any]


def masked_scores(xp: Any, name: str, scores: Any, mask: Any, precision: Precision) -> Any:
    """Return what a variant gives to softmax."""
    step = _BEFORE.get(name, _hide)
    return step(xp, scores, mask, precision)


def weights_of(xp: Any, name: str, masked: Any, mask: Any, precision: Precision) -> Any:
    """Return the weights that a variant makes of its masked scores."""
    weights = softmax(xp, masked, precision)
    step = _AFTER.get(name)
    return weights if step is None else step(xp, weights, mask, precision)


def softmax(xp: Any, scores: Any, precision: Precision) -> Any:
    """Normalise each row, as the formula says: a row of minus infinities becomes NaN."""
    exponentials = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))
    return precision.round(xp, exponentials / xp.sum(exponentials, axis=-1, keepdims=True))


def _hide(xp: Any, scores: Any, mask: Any, _precision: Precision) -> Any:
    return xp.where(mask, scores, -float("inf"))


def _fill(xp: Any, scores: Any, mask: Any, precision: Precision, *, value: float) -> Any:
    fill = precision.enter(xp, xp.where(mask, 0.0, value))
    return precision.round(xp, scores + fill)


def _times(_xp: Any, scores: Any, mask: Any, _precision: Precision) -> Any:
    return scores * mask  # exact


def _plus(xp: Any, scores: Any, mask: Any, precision: Precision) -> Any:
    return precision.round(xp, scores + mask)


def _as_they_are(_xp: Any, scores: Any, _mask: Any, _precision: Precision) -> Any:
    return scores


def _zero(_xp: Any, weights: Any, mask: Any, _precision: Precision) -> Any:
    return weights * mask  # exact


def _renormalise(xp: Any, weights: Any, mask: Any, precision: Precision) -> Any:
    kept = weights * mask
    return precision.round(xp, kept / xp.sum(kept, axis=-1, keepdims=True))


_BEFORE: dict[str, Step] = {
    "minus-1e9": partial(_fill, value=-1e9),
    "minus-1e4": partial(_fill, value=-1e4),
    "minus-1e4-far": partial(_fill, value=-1e4),
    "times-0-1": _times,
    "plus-0-1": _plus,
    "zero-after": _as_they_are,
    "renormalise": _as_they_are,
    "renormalise-far": _as_they_are,
}
_AFTER: dict[str, Step] = {
    "zero-after": _zero,
    "renormalise": _renormalise,
    "renormalise-far": _renormalise,
}

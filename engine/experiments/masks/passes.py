"""Every variant computed for real in one dtype: unchanged, and with one token changed at a time.

Each step (projections, scores, scaling, masking, softmax, renormalising, output) works in float32
(float64 for float64) and rounds its result to the dtype, as fused kernels and PyTorch do; softmax
(largest score, exponentials, sum, division) is one step.

Shape legend: T positions, C changed tokens, N = 1 + C passes (the first unchanged), D = d_k,
E = d_v, V variants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.backends import Backend
from engine.experiments.masks.influence import CHANGE
from engine.experiments.masks.inputs import Head
from engine.experiments.masks.plan import Plan
from engine.experiments.masks.precision import Precision
from engine.experiments.masks.variants import FAR, VARIANTS, masked_scores, softmax, weights_of


def compute_passes(
    head: Head, plan: Plan, precision: Precision, backend: Backend
) -> dict[str, dict[str, Any]]:
    """Return what each variant computes, and under ``"given"`` what it is measured against.

    Returns
    -------
    dict
        Variant -> ``weights`` (T, T), ``output`` (N, T, E); of the row that is hidden whole
        ``full`` and, had nothing been hidden, ``free``, both (1, T), and the scores that softmax
        took, ``masked`` (1, T). ``"given"`` -> ``v`` (T, E), and ``padded`` (T, T), the right
        weights of the wrong-axis row; those of the others are what minus infinity gives.
    """
    changed = list(plan.changed)
    T = len(head.tokens)
    places = np.zeros((1 + len(changed), T, 1), dtype=np.bool_)
    places[np.arange(1, 1 + len(changed)), changed] = True
    # Only pass n may differ in token n, so the others are projected once, for all passes.
    x = np.concatenate([head.x, head.x[:1], head.x[changed] + CHANGE])
    result: dict[str, dict[str, Any]] = backend.run(
        _all_variants,
        x,
        head.w_q,
        head.w_k,
        head.w_v,
        places,
        np.stack([plan.used[name] for name in VARIANTS]),
        np.stack([plan.full_used[name] for name in VARIANTS]),
        np.stack([plan.visible, plan.intended["wrong-axis"]]),
        raised=plan.raised,
        full_row=plan.full_row,
        precision=precision,
    )
    return result


def _all_variants(
    xp: Any,
    x: Any,
    w_q: Any,
    w_k: Any,
    w_v: Any,
    places: Any,
    used: Any,
    full_used: Any,
    meant: Any,
    *,
    raised: tuple[int, int],
    full_row: int,
    precision: Precision,
) -> dict[str, dict[str, Any]]:
    q, k, v = (_project(xp, x, w, places, precision) for w in (w_q, w_k, w_v))
    scores = precision.round(xp, xp.matmul(q, xp.swapaxes(k, -1, -2)))  # (N, T, T)
    scaled = precision.round(xp, scores * (1.0 / q.shape[-1] ** 0.5))
    result: dict[str, dict[str, Any]] = {
        "given": {
            "v": v[0],
            # In the shape of every variant, since a sum may depend on it in the last bit.
            "padded": softmax(xp, xp.where(meant[1], scaled, -float("inf")), precision)[0],
        }
    }
    # Of its own scores, without the one that is raised: that one is another test.
    row = scaled[0, full_row][None, :]  # (1, T)
    for number, name in enumerate(VARIANTS):
        far = FAR.get(name)
        own = scaled if far is None else _raise(xp, scaled, meant[0], raised, far, precision)
        result[name] = {
            **_one_variant(xp, name, own, used[number], v, precision),
            **_full_row(xp, name, row, full_used[number][None, :], precision),
        }
    return result


def _project(xp: Any, x: Any, w: Any, places: Any, precision: Precision) -> Any:
    """Return Q, K or V of every pass, (N, T, D), from T unchanged and N replaced tokens."""
    N, T = places.shape[:2]
    x, w = precision.enter(xp, x), precision.enter(xp, w)
    projected = precision.round(xp, xp.matmul(x, w))  # (T + N, D)
    return xp.where(places, projected[T : T + N][:, None, :], projected[None, :T])


def _raise(
    xp: Any, scaled: Any, visible: Any, place: tuple[int, int], far: float, precision: Precision
) -> Any:
    """Add a constant to one hidden score, which puts it ``far`` above its row's visible ones."""
    row, column = place
    highest = xp.max(xp.where(visible[row], scaled[0, row], -float("inf")))
    spot = np.zeros(scaled.shape[-2:], dtype=np.bool_)
    spot[row, column] = True
    added = xp.where(xp.array(spot), highest + far - scaled[0, row, column], 0.0)
    return precision.round(xp, scaled + added)


def _one_variant(
    xp: Any, name: str, scaled: Any, mask: Any, v: Any, precision: Precision
) -> dict[str, Any]:
    masked = masked_scores(xp, name, scaled, mask, precision)
    weights = weights_of(xp, name, masked, mask, precision)
    output = precision.round(xp, xp.matmul(weights, v))  # (N, T, E)
    return {"weights": weights[0], "output": output}


def _full_row(xp: Any, name: str, row: Any, mask: Any, precision: Precision) -> dict[str, Any]:
    masked = masked_scores(xp, name, row, mask, precision)
    return {
        "masked": masked,
        "full": weights_of(xp, name, masked, mask, precision),
        "free": softmax(xp, row, precision),
    }

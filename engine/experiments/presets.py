"""Ready-made worked examples, and how one of them becomes another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.errors import OptionError
from engine.experiments.worked_example import (
    LIMITS,
    Matrix,
    Params,
    require_size,
    sizes_of,
)

LARGEST_SEED = 2**32 - 1
_FIELDS = ("x", "w_q", "w_k", "w_v", "context")


def textbook() -> Params:
    """Return the example of section 2.8: T = 4, d_model = 4, d_k = d_v = 2.

    The text gives the tokens no words, so they are called x1 to x4.
    """
    return Params()


def three_scores() -> Params:
    """Return an example whose first query scores 2.1, 0.4 and -0.3 at d_k = 4.

    The scores are those of section five of the other text, which gives no vectors; all
    vectors here are ours, chosen so that exactly these scores come out.
    """
    return Params(
        x=((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 0.0, 0.0)),
        w_q=(
            (1.0, 0.0, 0.0, 1.0),
            (0.0, 1.0, 0.0, 0.0),
            (0.0, 0.0, 1.0, 0.0),
            (0.0, 1.0, 0.0, 1.0),
        ),
        w_k=(
            (0.5, 1.0, 0.5, -0.5),
            (-0.5, 0.5, -0.3, 0.0),
            (1.0, 0.0, 0.1, 0.5),
            (0.2, 0.0, 1.0, 0.0),
        ),
        w_v=((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 2.0)),
        tokens=labels("x", 3),
    )


def random_example(
    seed: int, T: int, d_model: int, d_k: int, d_v: int, S: int | None = None
) -> Params:
    """Return an example of the given sizes, drawn from a seed, one decimal a cell.

    ``S`` makes it cross-attention with a second input of that length. A cell depends on the
    seed and its place only, so a larger example holds every smaller one in its corner.

    Raises
    ------
    ShapeError
        When a size is out of its limits.
    OptionError
        When the seed is not a whole number from 0 to ``LARGEST_SEED``.
    """
    _require_sizes(T=T, d_model=d_model, d_k=d_k, d_v=d_v, S=S)
    return Params(
        x=_draw(seed, "x", T, d_model),
        w_q=_draw(seed, "w_q", d_model, d_k),
        w_k=_draw(seed, "w_k", d_model, d_k),
        w_v=_draw(seed, "w_v", d_model, d_v),
        context=None if S is None else _draw(seed, "context", S, d_model),
        tokens=labels("x", T),
        context_tokens=() if S is None else labels("c", S),
    )


def identity_example(seed: int, T: int, d_model: int) -> Params:
    """Return an example with W_Q = W_K = W_V = identity, so that d_k = d_v = d_model.

    Raises
    ------
    ShapeError
        When a size is out of its limits; d_model is bounded by the limit of d_k here.
    """
    _require_sizes(T=T, d_model=d_model, d_k=d_model, d_v=d_model, S=None)
    identity = _as_matrix(np.eye(d_model))
    return Params(
        x=_draw(seed, "x", T, d_model),
        w_q=identity,
        w_k=identity,
        w_v=identity,
        tokens=labels("x", T),
    )


def resize(
    params: Params, *, T: int, d_model: int, d_k: int, d_v: int, S: int | None = None, seed: int
) -> Params:
    """Return ``params`` at other sizes: cells and labels that fit stay, new ones are drawn.

    Parameters
    ----------
    S : int, optional
        The length of the second input; None keeps it. Ignored in self-attention.
    seed : int
        Where new cells come from, one decimal each.
    """
    if params.context is None:
        S = None
    elif S is None:
        S = len(params.context)
    fresh = random_example(seed, T, d_model, d_k, d_v, S)
    context = fresh.context
    if params.context is not None and context is not None:
        context = _keep(params.context, context)
    return replace(
        params,
        x=_keep(params.x, fresh.x),
        w_q=_keep(params.w_q, fresh.w_q),
        w_k=_keep(params.w_k, fresh.w_k),
        w_v=_keep(params.w_v, fresh.w_v),
        context=context,
        tokens=_keep_labels(params.tokens, fresh.tokens),
        context_tokens=_keep_labels(params.context_tokens, fresh.context_tokens),
    )


def with_context(params: Params, seed: int, S: int) -> Params:
    """Return ``params`` as cross-attention: a drawn second input of length S feeds K and V."""
    _require_sizes(S=S)
    context = _draw(seed, "context", S, sizes_of(params).d_model)
    return replace(params, context=context, context_tokens=labels("c", S))


def without_context(params: Params) -> Params:
    """Return ``params`` as self-attention."""
    return replace(params, context=None, context_tokens=())


def labels(letter: str, size: int) -> tuple[str, ...]:
    """Return plain token labels: x1, x2, ..."""
    return tuple(f"{letter}{number}" for number in range(1, size + 1))


def _require_sizes(**sizes: int | None) -> None:
    for name, size in sizes.items():
        if size is not None:
            require_size(name, size)


def _draw(seed: int, field: str, rows: int, columns: int) -> Matrix:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise OptionError(
            "The seed must be a whole number from 0 to {most}, got {seed}.",
            most=LARGEST_SEED,
            seed=seed,
        )
    generator = np.random.default_rng([seed, _FIELDS.index(field)])
    largest = max(most for _, most in LIMITS.values())
    cells = np.round(generator.normal(size=(largest, largest)), 1) + 0.0  # no minus zero
    return _as_matrix(cells[:rows, :columns])


def _as_matrix(cells: np.ndarray) -> Matrix:
    return tuple(tuple(float(cell) for cell in row) for row in cells)


def _keep(old: Matrix, fresh: Matrix) -> Matrix:
    return tuple(
        old[row][: len(cells)] + cells[len(old[row]) :] if row < len(old) else cells
        for row, cells in enumerate(fresh)
    )


def _keep_labels(old: tuple[str, ...], fresh: tuple[str, ...]) -> tuple[str, ...]:
    return old[: len(fresh)] + fresh[len(old) :]

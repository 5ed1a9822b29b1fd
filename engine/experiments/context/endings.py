"""One token in two texts: where its attention goes, and which heads turn.

Shape legend: L layers, H heads, S tokens that both texts share.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from engine.backends import Backend
from engine.experiments.context.compared import (
    EndingsParams,
    Places,
    chosen_places,
    query_place,
    shared_places,
)
from engine.experiments.context.specials import Specials, kept_places, keys_kept, require_way
from engine.experiments.context.study import Study, Studying, StudyParams
from engine.experiments.context.study import study as study_of
from engine.experiments.read_only import close_fields
from engine.shapes import Array

__all__ = ["EndingsParams", "EndingsResult", "Places", "compare_endings"]

# What logarithms of ratios of float32 weights may err: equal ones differ by less than 1e-6 where
# weights are usual; a very small weight has a large score, which errs by a share of itself.
ROUNDING = 1e-5
ERROR = 4 * float(np.finfo(np.float32).eps)
LEAST_WEIGHT = float(np.finfo(np.float32).tiny)  # below, float32 has fewer digits, then none
# Twice what nudges of every number, up or down by float32's least step, move in MiniLM and in
# models of up to 24 layers with generated weights.
MOVEMENT_ROUNDING = 5e-6


@dataclass(frozen=True)
class EndingsResult:
    """The rows of one token in two texts.

    Attributes
    ----------
    params : EndingsParams
    first, second : Study
    shared : tuple of (int, int)
        S tokens of both texts, from 0: those of their common beginning and their common end. When
        special tokens are not shown they are not among these.
    query, one, other : (int, int)
        Where the tokens stand in the first and in the second text, from 0.
    rows : np.ndarray
        (2, L, H, S): weights of the query on the shared tokens.
    rest : np.ndarray
        (2, L, H): its weight on the tokens that are not shared.
    movement : np.ndarray
        (L, H): half the sum of the absolute differences of ``rows`` and ``rest``: the share of
        its attention that moves (total variation; at least, as what is not shared counts as one).
    preference : np.ndarray
        (2, L, H): weight on ``one`` minus weight on ``other``.
    log_ratio : np.ndarray
        (2, L, H): natural logarithm of weight on ``one`` : weight on ``other``; NaN where one of
        them is 0, or too small for all digits of float32 (under 1.2e-38).
    turned : np.ndarray
        bool, (L, H): whether the query prefers one in one text and the other in the other: by
        ``log_ratio``, where it is more than rounding; by ``preference`` where that is NaN. False
        everywhere in a causal model where the texts do not differ before the query.
    movement_rounding : float
        How much of ``movement`` rounding alone can make, a share of 1 like it; all of it in a
        causal model where the texts do not differ before the query.
    ratio_rounding : float
        How much rounding alone can make of a difference of ``log_ratio`` in layer 1.
    most_moved : (int, int) or None
        Layer and head, from 0, that move most; None where none moves by more than rounding.
    most_turned : (int, int) or None
        Among those that turn, the one whose preference changes most.
    first_layer_difference : float
        Largest difference of ``log_ratio`` between the texts in layer 1; NaN where it is nowhere
        defined. 0 but for rounding when ``same_places``.
    same_places : bool
        Whether query, one and other stand at the same positions in both texts.
    automatic : bool
        Whether ``one`` or ``other`` was chosen by its weights, in no pair that is known.
    backend_name, precision : str
    seconds : float
    """

    params: EndingsParams
    first: Study
    second: Study
    shared: tuple[Places, ...]
    query: Places
    one: Places
    other: Places
    rows: Array
    rest: Array
    movement: Array
    preference: Array
    log_ratio: Array
    turned: Array
    movement_rounding: float
    ratio_rounding: float
    most_moved: tuple[int, int] | None
    most_turned: tuple[int, int] | None
    first_layer_difference: float
    same_places: bool
    automatic: bool
    backend_name: str
    precision: str
    seconds: float


def compare_endings(
    params: EndingsParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    study: Studying | None = None,
) -> EndingsResult:
    """Compare the rows of one token in two texts.

    Parameters
    ----------
    study : callable, optional
        What gives the study of each text, say one that keeps those it gave; by default they are
        made anew.

    Raises
    ------
    EngineError
        As `study.study` does.
    OptionError
        When the texts are the same to the model or share too little; when a position is not among
        the tokens that both share.
    """
    require_way(params.specials)
    started = time.perf_counter()
    studying = study or partial(study_of, backend=backend)
    texts = []
    for number, text in enumerate((params.first, params.second)):
        texts.append(studying(StudyParams(params.model, params.version, text)))
        if progress:
            progress((number + 1) / 2)
    result = _compared(params, texts[0], texts[1])
    close_fields(result)
    return replace(result, seconds=time.perf_counter() - started)


def _compared(params: EndingsParams, first: Study, second: Study) -> EndingsResult:
    shared = shared_places(first, second, params.specials)
    query = query_place(params, first, shared)
    rows, rest = _rows(first, second, shared, query, params.specials)
    one, other, automatic = chosen_places(params, first, query, shared, rows)
    pair = rows[..., [shared.index(one), shared.index(other)]]  # (2, L, H, 2)
    preference = pair[..., 0] - pair[..., 1]
    log_ratio, error = _log_ratio(_weights(first, second, query, (one, other)))
    movement = (np.abs(rows[0] - rows[1]).sum(axis=-1) + np.abs(rest[0] - rest[1])) / 2
    still = _is_still(first, second, query)
    rounding = max(MOVEMENT_ROUNDING, float(movement.max()) if still else 0.0)
    turned = _turned(preference, log_ratio, error) & (not still)
    return EndingsResult(
        params=params,
        first=first,
        second=second,
        shared=shared,
        query=query,
        one=one,
        other=other,
        rows=rows,
        rest=rest,
        movement=movement,
        preference=preference,
        log_ratio=log_ratio,
        turned=turned,
        movement_rounding=rounding,
        ratio_rounding=float(np.nanmax(error[:, 0], initial=ROUNDING)),
        most_moved=_largest(movement) if movement.max() > rounding else None,
        most_turned=_most_turned(preference, turned),
        first_layer_difference=_first_layer_difference(log_ratio),
        same_places=all(i == j for i, j in (query, one, other)),
        automatic=automatic,
        backend_name=first.backend_name,
        precision=first.precision,
        seconds=0.0,
    )


def _rows(
    first: Study, second: Study, shared: tuple[Places, ...], query: Places, way: Specials
) -> tuple[Array, Array]:
    """Return the weights (2, L, H, S) on shared tokens and (2, L, H) on the others."""
    split = []
    for text, place, own in zip((first, second), query, zip(*shared, strict=True), strict=True):
        places = kept_places(text, way)
        kept = keys_kept(text.attention[:, :, place].astype(np.float64), places, way)
        both = np.searchsorted(places, own)
        split.append((kept[..., both], np.delete(kept, both, axis=-1).sum(axis=-1)))
    (rows_first, rest_first), (rows_second, rest_second) = split
    return np.array([rows_first, rows_second]), np.array([rest_first, rest_second])


def _is_still(first: Study, second: Study, query: Places) -> bool:
    """Say whether the query, in a causal model, sees the same in both texts: nothing can move."""
    seen = query[0] + 1
    same = query[0] == query[1] and first.tokens[:seen] == second.tokens[:seen]
    return first.causal and same


def _weights(first: Study, second: Study, query: Places, pair: tuple[Places, Places]) -> Array:
    """Return the weights of the query on both candidates in both texts, (2, L, H, 2), float32."""
    places = zip((first, second), query, zip(*pair, strict=True), strict=True)
    return np.array([text.attention[:, :, at][..., list(keys)] for text, at, keys in places])


def _log_ratio(pair: Array) -> tuple[Array, Array]:
    """Return the logarithm of the first over the second of (..., 2), and how far it may err.

    Both are NaN where a weight has lost its digits.
    """
    whole = (pair >= LEAST_WEIGHT).all(axis=-1, keepdims=True)
    logs = np.log(np.where(whole, pair.astype(np.float64), np.nan))
    error: Array = np.maximum(ERROR * np.abs(logs).max(axis=-1), ROUNDING)
    ratio: Array = logs[..., 0] - logs[..., 1]
    return ratio, error


def _turned(preference: Array, log_ratio: Array, error: Array) -> Array:
    """Return where (L, H) one is preferred in one text and the other in the other."""
    clear = np.where(np.abs(log_ratio) > error, np.sign(log_ratio), 0.0)
    preferred = np.where(np.isnan(log_ratio), np.sign(preference), clear)
    turned: Array = preferred[0] * preferred[1] < 0
    return turned


def _most_turned(preference: Array, turned: Array) -> Places | None:
    change = np.where(turned, np.abs(preference[0] - preference[1]), -1)
    return _largest(change) if turned.any() else None


def _largest(values: Array) -> Places:
    layer, head = np.unravel_index(int(values.argmax()), values.shape)
    return int(layer), int(head)


def _first_layer_difference(log_ratio: Array) -> float:
    difference = np.abs(log_ratio[0, 0] - log_ratio[1, 0])
    defined = difference[np.isfinite(difference)]
    return float(defined.max()) if defined.size else math.nan

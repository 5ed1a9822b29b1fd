"""Weight is not cause: one key after the other is cut, and the effect is measured.

A key that is cut gets a score of minus infinity before softmax, so that the row is a
distribution again. Scope says where: in one head, in all heads of a layer, or in every layer.
Rows says for whom: "token" takes the key from the query alone, so that all other tokens still
read it (and may pass it on); "all" takes it from every token.

Shape legend: L layers, H heads, T tokens.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.context.effects import (
    ROWS,
    SCOPES,
    Place,
    Rows,
    Scope,
    above,
    measured_effects,
    place_of,
    recorded_effects,
)
from engine.experiments.context.focus import query_of
from engine.experiments.context.ranks import chance_of, rank_correlation
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.study import Study, Studying, StudyParams
from engine.experiments.context.study import study as study_of
from engine.experiments.number_text import shortened
from engine.experiments.read_only import close_fields
from engine.shapes import Array

__all__ = ["KnockParams", "KnockResult", "Rows", "Scope", "knock"]

WEIGHT_ROUNDING = 16 * float(np.finfo(np.float32).eps)  # of the largest: what a softmax may err


@dataclass(frozen=True)
class KnockParams:
    """What is cut.

    Attributes
    ----------
    model, version, text : str
        As in `StudyParams`.
    query : int
        The token whose final vector is compared: its position from 1; 0 = automatic.
    scope : str
        "head", "layer" or "everywhere".
    layer, head : int
        From 1. The head counts in the scope "head" only, the layer not in "everywhere".
    rows : str
        "token": the query no longer sees the key; "all": no token does.
    """

    model: str = ""
    version: str = ""
    text: str = PAIRS[0].first
    query: int = 0
    scope: Scope = "everywhere"
    layer: int = 5
    head: int = 1
    rows: Rows = "token"


@dataclass(frozen=True)
class KnockResult:
    """Weight and effect of each key.

    Attributes
    ----------
    params : KnockParams
    study : Study
    query : int
        From 0.
    weights : np.ndarray
        (T,): weights of the query: of that head, the mean over the heads of that layer, or over
        all heads of all layers.
    effects : np.ndarray
        (T,): |z' - z| / |z|, z the final vector of the query and z' what it is without the key;
        NaN where the key cannot be taken away, because the query does not see it or some token
        would see none.
    correlation : float
        Spearman's rank correlation of weight and effect over the keys that were measured; NaN
        with fewer than 3, where all weights or all effects are equal, or where most effects are
        rounding.
    chance : float
        What its absolute value exceeds in 1 of 20 cases where weight and effect have nothing to
        do with each other (normal approximation); NaN with fewer than 3.
    top_weight, top_effect : int
        The keys, from 0, with the largest weight and the largest effect of those measured; the
        first where several have it; -1 where none was.
    top_weights, top_effects : tuple of int
        Every key that has the largest weight, or the largest effect, to rounding; all of those
        measured where all are alike.
    floor : float
        What rounding alone can move; an effect that is no larger is 0 in ``effects``.
    measured : int
        How many keys were taken away.
    backend_name, precision : str
    seconds : float
    """

    params: KnockParams
    study: Study
    query: int
    weights: Array
    effects: Array
    correlation: float
    chance: float
    top_weight: int
    top_effect: int
    top_weights: tuple[int, ...]
    top_effects: tuple[int, ...]
    floor: float
    measured: int
    backend_name: str
    precision: str
    seconds: float


def knock(
    params: KnockParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    study: Studying | None = None,
) -> KnockResult:
    """Cut each key in turn and measure what becomes of the query's final vector.

    Parameters
    ----------
    study : callable, optional
        What gives the study of the text, say one that keeps those it gave.

    Raises
    ------
    EngineError
        As `study.study` does.
    OptionError
        When the scope or the rows do not exist; when the text has no such token, or the model no
        such layer or head; when a text that is not recorded has over ``MOST_TOKENS`` tokens.
    """
    _require_options(params)
    started = time.perf_counter()
    asked = StudyParams(params.model, params.version, params.text)
    read = study(asked) if study else study_of(asked, backend=backend)
    query = query_of(read, params.query)
    place = place_of(read, params.scope, params.layer, params.head)
    found, floor = (
        recorded_effects(read, place, query, params.rows)
        if read.recorded
        else measured_effects(read, place, query, params.rows, backend, progress)
    )
    if progress:
        progress(1.0)
    result = _result(params, read, query, place, above(found, floor), floor)
    close_fields(result)
    return replace(result, seconds=time.perf_counter() - started)


def _require_options(params: KnockParams) -> None:
    if params.scope not in SCOPES:
        raise OptionError(
            "A key is cut in one head, in one layer or everywhere, got {scope}.",
            scope=shortened(str(params.scope)),
        )
    if params.rows not in ROWS:
        raise OptionError(
            "A key is cut for the token alone or for all tokens, got {rows}.",
            rows=shortened(str(params.rows)),
        )


def _result(
    params: KnockParams, read: Study, query: int, place: Place, effects: Array, floor: float
) -> KnockResult:
    weights = place.of(read.attention)[..., query, :].astype(np.float64)
    weights = weights.reshape(-1, read.length).mean(axis=0)
    known = np.flatnonzero(~np.isnan(effects))
    top_weights = _tops(weights, known, WEIGHT_ROUNDING * float(weights.max()))
    top_effects = _tops(effects, known, floor)
    return KnockResult(
        params=params,
        study=read,
        query=query,
        weights=weights,
        effects=effects.astype(np.float64),
        correlation=correlation_of(weights[known], effects[known]),
        chance=chance_of(len(known)),
        top_weight=min(top_weights, default=-1),
        top_effect=min(top_effects, default=-1),
        top_weights=top_weights,
        top_effects=top_effects,
        floor=floor,
        measured=len(known),
        backend_name=read.backend_name,
        precision=read.precision,
        seconds=0.0,
    )


def correlation_of(weights: Array, effects: Array) -> float:
    """Return the rank correlation; NaN where most effects are rounding: their order is chance."""
    if 2 * np.count_nonzero(effects) < len(effects):
        return math.nan
    return rank_correlation(weights, effects)


def _tops(values: Array, known: Array, rounding: float) -> tuple[int, ...]:
    """Return the keys whose value is the largest of those known, to rounding."""
    if not known.size:
        return ()
    high = values[known] >= values[known].max() - rounding
    return tuple(known[high].tolist())

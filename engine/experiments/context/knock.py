"""Weight is not cause: one key after the other is knocked out, and the effect is measured.

A key that is knocked out gets a score of minus infinity before softmax, so that the row is a
distribution again. Scope says where: in one head, in all heads of a layer, or in every layer.
Rows says for whom: "token" takes the key from the query alone, so that all other tokens still
read it (and may pass it on); "all" takes it from every token.

Shape legend: L layers, H heads, T tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.study import Study, Studying
from engine.shapes import Array

Scope = Literal["head", "layer", "everywhere"]
Rows = Literal["token", "all"]


@dataclass(frozen=True)
class KnockParams:
    """What is knocked out.

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
    scope: Scope = "head"
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
        with fewer than 3, or where all weights or all effects are equal.
    chance : float
        What its absolute value exceeds in 1 of 20 cases where weight and effect have nothing to
        do with each other (normal approximation); NaN with fewer than 3.
    top_weight, top_effect : int
        The keys, from 0, with the largest weight and the largest effect of those measured; -1
        where none was.
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
    """Knock out each key in turn and measure what becomes of the query's final vector."""
    raise NotImplementedError

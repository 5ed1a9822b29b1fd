"""The cut keys as points on two logarithmic axes, and which of them are named first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.experiments.context.knock import KnockResult
from pages.text.context_names import token_names

Kind = Literal["token", "special", "self"]
_EMPTY = (0.01, 1.0)  # the ends of an axis without points
_MARGIN = 1.5  # the factor by which an axis goes beyond its points
_MOST_NAMED = 60  # points; more names would find no place, and take their time


@dataclass(frozen=True)
class KeyPoint:
    """A key that was cut: its place from 0, its name, its weight, its effect, and what it is."""

    place: int
    name: str
    weight: float
    effect: float
    kind: Kind
    top: bool


@dataclass(frozen=True)
class KeyPoints:
    """The keys that have a place, how many have none, the ends of both axes.

    A weight or an effect of 0, to rounding, has no place on a logarithmic axis.
    """

    keys: tuple[KeyPoint, ...]
    zeros: int
    across: tuple[float, float]
    up: tuple[float, float]

    @property
    def kinds(self) -> list[Kind]:
        """What kinds of keys there are."""
        every: tuple[Kind, ...] = ("token", "special", "self")
        return [kind for kind in every if any(key.kind == kind for key in self.keys)]

    def by_name(self) -> list[KeyPoint]:
        """Return the keys in the order in which they choose a place for their name."""
        weights, effects = (
            np.argsort(np.argsort([getattr(key, name) for key in self.keys]))
            for name in ("weight", "effect")
        )
        strength = np.maximum(weights, effects).tolist()
        order = sorted(range(len(self.keys)), key=lambda i: (not self.keys[i].top, -strength[i], i))
        return [self.keys[i] for i in order[:_MOST_NAMED]]


def standing_out(result: KnockResult) -> frozenset[int]:
    """Return the keys with the largest weight or effect, where these are not those of all keys."""
    tied = (result.top_weights, result.top_effects)
    return frozenset(key for keys in tied if 0 < len(keys) < result.measured for key in keys)


def points_of(result: KnockResult) -> KeyPoints:
    """Return the keys as points."""
    names, tops = token_names(result.study), standing_out(result)
    measured = np.flatnonzero(np.isfinite(result.effects)).tolist()
    keys = tuple(
        KeyPoint(
            place, names[place], float(result.weights[place]), float(result.effects[place]),
            _kind(result, place), place in tops,
        )
        for place in measured
        if result.weights[place] > 0 and result.effects[place] > 0
    )  # fmt: skip
    return KeyPoints(
        keys, len(measured) - len(keys),
        _ends([key.weight for key in keys]), _ends([key.effect for key in keys]),
    )  # fmt: skip


def _kind(result: KnockResult, place: int) -> Kind:
    if place == result.query:
        return "self"
    return "special" if result.study.special[place] else "token"


def _ends(values: list[float]) -> tuple[float, float]:
    """Return the ends of an axis: a margin beyond its points, half a power of ten at least."""
    if not values:
        return _EMPTY
    least, most = min(values) / _MARGIN, max(values) * _MARGIN
    wider = max(1.0, math.sqrt(5 / (most / least)))
    return least / wider, most * wider

"""How far the final vectors move when a key is taken away.

Shape legend: L layers, H heads a layer, T tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.context.recorded import recorded_text
from engine.experiments.context.study import Study, require_version
from engine.experiments.scaling.inputs import require_count
from engine.models.cuts import Cut
from engine.models.forward import run_cuts, run_model
from engine.models.loading import Model, load
from engine.models.nudged import run_nudged
from engine.shapes import Array

Scope = Literal["head", "layer", "everywhere"]
Rows = Literal["token", "all"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
ROWS: tuple[Rows, ...] = get_args(Rows)
MOST_TOKENS = 256  # of a text that is not recorded: one forward pass for each
# Relative differences that float32 makes by itself in any model, and in how many times the most
# that nudges make nothing is told from rounding: sums round more than the numbers nudged.
ROUNDING = 2e-6
MARGIN = 2.0


@dataclass(frozen=True)
class Place:
    """Where keys are taken away.

    Attributes
    ----------
    layer, head : int or None
        From 0; None is every one.
    number : int
        Its place among all: every head of every layer, every layer, everywhere.
    """

    layer: int | None
    head: int | None
    number: int

    def of(self, attention: Array) -> Array:
        """Return what there is here of (L, H, T, T)."""
        layers = slice(None) if self.layer is None else slice(self.layer, self.layer + 1)
        heads = slice(None) if self.head is None else slice(self.head, self.head + 1)
        return attention[layers, heads]


def place_of(study: Study, scope: Scope, layer: int, head: int) -> Place:
    """Return the place that a layer and a head, from 1, name; those that do not count may be any.

    Raises
    ------
    OptionError
        When the model has no such layer or head.
    """
    layers, heads = study.layers, study.heads
    if scope == "everywhere":
        return Place(None, None, layers * heads + layers)
    require_count("layer", layer, 1, layers)
    if scope == "layer":
        return Place(layer - 1, None, layers * heads + layer - 1)
    require_count("head", head, 1, heads)
    return Place(layer - 1, head - 1, (layer - 1) * heads + head - 1)


def every_place(layers: int, heads: int) -> tuple[Place, ...]:
    """Return L * H + L + 1 places, each at its number."""
    each = [(layer, head) for layer in range(layers) for head in range(heads)]
    every = [*each, *((layer, None) for layer in range(layers)), (None, None)]
    return tuple(Place(layer, head, number) for number, (layer, head) in enumerate(every))


def removable(length: int, causal: bool, query: int, rows: Rows) -> Array:
    """Return which keys (T,) the query sees and can lack, so that every row keeps a key."""
    keys = np.arange(length)
    if not causal:
        return np.full(length, length > 1)
    first = 1 if rows == "all" else 0  # without it, the first token would see none
    return (keys >= first) & (keys <= query) & (query > 0)


def recorded_effects(study: Study, place: Place, query: int, rows: Rows) -> tuple[Array, float]:
    """Return what was recorded of that: effects (T,), and the largest that rounding makes."""
    found = recorded_text(study.text)
    effects: Array = found.effects[ROWS.index(rows), place.number, query]
    return effects, float(found.floors[place.layer or 0, query])


def measured_effects(
    study: Study,
    place: Place,
    query: int,
    rows: Rows,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[Array, float]:
    """Run the model without each key and return what that does to the query's final vector.

    Returns
    -------
    effects : np.ndarray
        (T,): |z' - z| / |z|, z the vector, z' what it is without the key; NaN where the key cannot
        be taken away.
    floor : float
        The largest effect that rounding makes there, see `floors_of`.
    """
    if study.length > MOST_TOKENS:
        raise OptionError(
            "Keys are cut in texts of at most {most} tokens, got {count}; shorten the text.",
            most=MOST_TOKENS,
            count=study.length,
        )
    model = load(study.params.model)
    require_version(study.version, model.version, model.name)
    keys = np.flatnonzero(removable(study.length, study.causal, query, rows))
    effects, floor = np.full(study.length, np.nan), ROUNDING
    if keys.size:
        ids = model.encode(study.text).ids
        target = query if rows == "token" else None
        cuts = [Cut(int(key), target, place.layer, place.head) for key in keys]
        whole = run_model(model.config, model.parameters, ids, backend=backend).final
        lacking = run_cuts(
            model.config, model.parameters, ids, cuts, backend=backend, progress=progress
        )
        effects[keys] = relative(lacking[:, query], whole[query])
        floor = float(floors_of(model, ids, whole, place.layer or 0, backend)[query])
    return effects, floor


def floors_of(
    model: Model, ids: Array, whole: Array, start: int, backend: Backend | str | None
) -> Array:
    """Return the largest effect (T,) on each token that rounding makes from a layer on.

    ``MARGIN`` times the largest in runs that differ by nudges alone, see `run_nudged`, and
    ``ROUNDING`` at least.

    Parameters
    ----------
    ids : np.ndarray
        (T,)
    whole : np.ndarray
        (T, width): the final vectors without nudges, of the same backend.
    start : int
        From 0: what is cut in a layer lets those before it be.
    """
    moved = run_nudged(model.config, model.parameters, ids, start=start, backend=backend)
    floors: Array = np.maximum(MARGIN * relative(moved, whole).max(axis=0), ROUNDING)
    return floors


def above(effects: Array, floor: Array | float) -> Array:
    """Return the effects, 0 where they are no larger than the floor; NaN stays."""
    return np.where(effects <= floor, 0.0, effects)


def relative(lacking: Array, whole: Array) -> Array:
    """Return |z' - z| / |z| along the last axis."""
    apart = np.linalg.norm(lacking.astype(np.float64) - whole, axis=-1)
    length = np.linalg.norm(whole.astype(np.float64), axis=-1)
    effect: Array = apart / np.where(length == 0, 1, length)
    return effect

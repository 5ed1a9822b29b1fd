"""A model run once for each cut: many runs at a time, and those on every core of the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.backends.threads import run_all
from engine.models.config import ModelConfig
from engine.models.cuts import Cut, first_layer, visible_with
from engine.models.steps import Steps
from engine.models.telling import Told
from engine.shapes import Array


@dataclass(frozen=True)
class Batch:
    """Runs that are made at once.

    Attributes
    ----------
    start : int
        The first layer in which their cuts take effect, counted from 0.
    places : tuple of int
        Which cuts they are.
    """

    start: int
    places: tuple[int, ...]


class CutRuns:
    """The runs of a model on one text, one for each cut.

    Parameters
    ----------
    config : ModelConfig
    steps : Steps
    T : int
        Number of tokens.
    cuts : sequence of Cut
    listener : callable or None
        See `engine.models.telling.Told`.
    """

    def __init__(
        self,
        config: ModelConfig,
        steps: Steps,
        T: int,
        cuts: Sequence[Cut],
        listener: Callable[[float], None] | None,
    ) -> None:
        self._config, self._steps, self._cuts = config, steps, cuts
        self._starts = [first_layer(cut) for cut in cuts]
        self._whole = max(self._starts, default=0)
        total = self._whole + sum(config.layers - start for start in self._starts)
        self._told = Told(listener, total)
        self._entering: list[Array] = []
        self._final = np.empty((len(cuts), T, config.width), np.float32)

    def run(self, *, at_once: int, threads: int) -> Array:
        """Return the final vectors, (len(cuts), T, width).

        Parameters
        ----------
        at_once : int
            How many runs a thread makes at once.
        threads : int
            How many at most work on them.
        """
        self._enter()
        batches = tuple(_batches(self._starts, at_once))
        if threads == 1:
            for batch in batches:
                self._run(batch)
        else:
            run_all(batches, lambda: self._run, threads=threads)
        self._told.tell()
        return self._final

    def _enter(self) -> None:
        """Compute what enters each layer as long as nothing is cut: the same for every run."""
        self._entering = [self._steps.embedded()]
        for layer in range(self._whole):
            x, _weights = self._steps.layer(layer, self._entering[layer], self._steps.visible)
            self._entering.append(x)
            self._told.add(1)

    def _run(self, batch: Batch) -> None:
        cuts = [self._cuts[place] for place in batch.places]
        x = np.repeat(self._entering[batch.start], len(cuts), axis=0)
        for layer in range(batch.start, self._config.layers):
            visible = visible_with(self._steps.visible, cuts, layer, self._config.heads)
            x, _weights = self._steps.layer(layer, x, visible)
            self._told.add(len(cuts))
        self._final[list(batch.places)] = self._steps.finished(x)


def _batches(starts: Sequence[int], most: int) -> Iterator[Batch]:
    """Yield at most ``most`` cuts that begin in the same layer; the longest runs first."""
    for start in sorted(set(starts)):
        places = [place for place, each in enumerate(starts) if each == start]
        for begin in range(0, len(places), most):
            yield Batch(start, tuple(places[begin : begin + most]))

"""What final losses carry: whether one way learned, and whether it is ahead of the other.

A statement holds for every seed, and by more than a tenth of the loss of guessing, ln S: less is
no more than chance on one task. Losses are in nats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.experiments.scaling.training import SweepResult, TrainingResult
from engine.shapes import Array

MARGIN = 0.1  # of the loss of guessing
Standing = Literal["learned", "between", "guessing"]
Ahead = Literal["scaled", "unscaled", "neither"]
Outcome = Literal["both", "none", "scaled", "unscaled", "neither"]
Edge = Literal["inside", "least", "largest"]


@dataclass(frozen=True)
class Losses:
    """The final losses of one way.

    Attributes
    ----------
    of_seeds : np.ndarray
        (seeds,)
    guess : float
        The loss of guessing, ln S.
    rate : float
        The learning rate.
    """

    of_seeds: Array
    guess: float
    rate: float

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return float(self.of_seeds.mean())

    @property
    def standing(self) -> Standing:
        """``"learned"``: every seed at most a tenth of guessing; ``"guessing"``: none below 0.9."""
        if self.of_seeds.max() <= MARGIN * self.guess:
            return "learned"
        return "guessing" if self.of_seeds.min() >= (1 - MARGIN) * self.guess else "between"

    @property
    def no_better(self) -> bool:
        """Whether no seed is below guessing."""
        return bool(self.of_seeds.min() >= self.guess)

    @property
    def above_guessing(self) -> bool:
        """Whether every seed is above guessing, by more than the margin."""
        return bool(self.of_seeds.min() > (1 + MARGIN) * self.guess)

    def below(self, other: Losses) -> bool:
        """Say whether every seed is below every one of another way, by more than the margin."""
        return bool(self.of_seeds.max() + MARGIN * self.guess < other.of_seeds.min())


def ahead(unscaled: Losses, scaled: Losses) -> Ahead:
    """Return which of two ways is ahead."""
    if scaled.below(unscaled):
        return "scaled"
    return "unscaled" if unscaled.below(scaled) else "neither"


def outcome_of(unscaled: Losses, scaled: Losses) -> Outcome:
    """Return whether both ways learned, or none did, or else which is ahead."""
    standings = {unscaled.standing, scaled.standing}
    if standings == {"learned"}:
        return "both"
    return "none" if standings == {"guessing"} else ahead(unscaled, scaled)


def final_losses(result: TrainingResult, *, scaled: bool) -> Losses | None:
    """Return the final losses of one way of a training; None where a seed diverged or is to come.

    Of a training that is not finished they are those of the steps so far.
    """
    finals = [run.final("loss") for run in result.of(scaled)]
    whole = [value for value in finals if value is not None]
    if not whole or len(whole) < len(finals):
        return None
    return Losses(np.array(whole), math.log(result.params.pairs), result.params.rate)


def best_losses(result: SweepResult, *, scaled: bool) -> Losses | None:
    """Return the losses at the rate where their mean is lowest.

    None where at every rate some seed diverged.
    """
    best = result.best(scaled=scaled)
    if best is None:
        return None
    place = int(np.flatnonzero(result.rates == best[0])[0])
    of_seeds = (result.scaled if scaled else result.unscaled)[place]
    return Losses(of_seeds, math.log(result.params.pairs), best[0])


def best_rates(result: SweepResult, *, scaled: bool) -> tuple[float, ...]:
    """Return every rate where the mean of the losses is lowest.

    None where at every rate some seed diverged. Usually one; with a single step, whose loss is
    measured before the update, all.
    """
    best = result.best(scaled=scaled)
    if best is None:
        return ()
    means = (result.scaled if scaled else result.unscaled).mean(axis=1)
    return tuple(result.rates[means == best[1]].tolist())


def edge_of(result: SweepResult, *, scaled: bool) -> Edge:
    """Return at which end of the rates that were chosen the best one lies.

    A rate at which a seed diverged counts: the best one beside it lies inside. Several that are
    best alike lie inside: beyond them nothing falls any more. The only rate is the largest.
    """
    best = best_rates(result, scaled=scaled)
    if len(best) != 1 or best[0] not in (result.chosen[0], result.chosen[-1]):
        return "inside"
    return "largest" if best[0] == result.chosen[-1] else "least"

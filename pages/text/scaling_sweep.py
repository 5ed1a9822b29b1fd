"""What a sweep of learning rates says, as it is true for a result.

A sweep that goes on or was stopped carries no conclusion: its sentences say how far it came.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.experiments.scaling.training import LAST, SweepResult
from engine.experiments.scaling.verdict import (
    MARGIN,
    Edge,
    Losses,
    best_losses,
    best_rates,
    edge_of,
    outcome_of,
)
from engine.shapes import Array
from pages.figures.numerals import measured_number
from pages.text.grouping import short_power
from pages.text.marking import mark
from pages.text.scaling_readings import DIGITS, WAYS, beside, capitalised
from pages.text.scaling_training import Stage, mean_words, with_range
from pages.text.scaling_words import optimiser_words, way_sign
from pages.text.translator import Translator

_LOST = {
    False: mark("Without the division at least one run diverged at each of the {count} rates."),
    True: mark("With the division at least one run diverged at each of the {count} rates."),
}
_OPEN: dict[tuple[bool, Edge], str] = {
    (False, "largest"): mark(
        "The best rate without the division is the largest that was tried; a larger one might do "
        "better."
    ),
    (True, "largest"): mark(
        "The best rate with the division is the largest that was tried; a larger one might do "
        "better."
    ),
    (False, "least"): mark(
        "The best rate without the division is the smallest that was tried; a smaller one might do "
        "better."
    ),
    (True, "least"): mark(
        "The best rate with the division is the smallest that was tried; a smaller one might do "
        "better."
    ),
}
_NO_BETTER = {
    False: mark("At its best rate the head without the division does no better than guessing."),
    True: mark("At its best rate the head with the division does no better than guessing."),
}
_HARDLY_BETTER = {
    False: mark(
        "At its best rate the head without the division does hardly any better than guessing."
    ),
    True: mark("At its best rate the head with the division does hardly any better than guessing."),
}
# Each verdict of several seeds, and of one.
_SAID = {
    "both": (
        mark(
            "Both ways learn the task: at their best rates every seed has a loss of at most "
            "{margin}, a tenth of ln {S}."
        ),
        mark(
            "Both ways learn the task: at their best rates the loss with this seed is at most "
            "{margin}, a tenth of ln {S}."
        ),
    ),
    "none": (
        mark(
            "Neither way learns the task: even at the best rates no seed has a loss below {rest}, "
            "nine tenths of ln {S}; so nothing follows about the division."
        ),
        mark(
            "Neither way learns the task: even at the best rates the loss with this seed is not "
            "below {rest}, nine tenths of ln {S}; so nothing follows about the division."
        ),
    ),
    "scaled": (
        mark(
            "None of these rates makes up for the missing division: even at the best one every "
            "seed has a loss higher than with the division by more than {margin}, a tenth of "
            "ln {S}."
        ),
        mark(
            "None of these rates makes up for the missing division: even at the best one the loss "
            "with this seed is higher than with the division by more than {margin}, a tenth of "
            "ln {S}."
        ),
    ),
    "scaled so far": (
        mark(
            "At the best rates every seed has a loss higher without the division than with it, by "
            "more than {margin}, a tenth of ln {S}."
        ),
        mark(
            "At the best rates the loss with this seed is higher without the division than with "
            "it, by more than {margin}, a tenth of ln {S}."
        ),
    ),
    "unscaled": (
        mark(
            "At the best rates every seed has a loss lower without the division than with it, by "
            "more than {margin}, a tenth of ln {S}."
        ),
        mark(
            "At the best rates the loss with this seed is lower without the division than with "
            "it, by more than {margin}, a tenth of ln {S}."
        ),
    ),
    "neither": (
        mark(
            "At the best rates neither way has every seed below all of the other way by more than "
            "{margin}, a tenth of ln {S}; so it is not decided which way does better."
        ),
        mark(
            "At the best rates the losses with this seed are not apart by more than {margin}, a "
            "tenth of ln {S}; so it is not decided which way does better."
        ),
    ),
}


def rate_words(rate: float) -> str:
    """Return a learning rate in as many digits as tell it from others."""
    short = f"{rate:g}"
    return short_power(short if float(short) == rate else repr(float(rate)))


def place_words(result: SweepResult, scaled: bool, t: Translator) -> str:
    """Return at which rates the loss of one way is lowest; empty where there is none."""
    rates = best_rates(result, scaled=scaled)
    if not rates:
        return ""
    if 1 < len(rates) == len(result.rates):
        return t("at every rate alike")
    return t("at rate {rate}", rate=t.listing(map(rate_words, rates)))


def loss_words(losses: Sequence[float], t: Translator) -> str:
    """Return the mean of the losses at one rate, with the digits that the seeds have in common."""
    return t("diverged") if any(map(math.isnan, losses)) else mean_words(losses, "loss")


def end_title(result: SweepResult, t: Translator) -> str:
    """Return what the losses of a sweep are."""
    if _last(result) == 1:
        return t("Loss at the last step, mean over the seeds")
    return t("Loss over the last tenth of the steps, mean over the seeds")


def _last(result: SweepResult) -> int:
    """Return the number of steps whose mean is the loss."""
    return max(1, result.params.steps // LAST)


# ---- what to notice


def sweep_notices(result: SweepResult, stage: Stage, t: Translator) -> list[str]:
    """Return what to notice in a sweep; its lowest losses stand beside it as numbers."""
    lost = [_always_lost_words(result, scaled, t) for scaled in WAYS]
    if stage != "done":
        return [tried_words(result, stage, t), *lost]
    return [*lost, *verdict_words(result, t)]


def tried_words(result: SweepResult, stage: Stage, t: Translator) -> str:
    """Return how many rates were trained to their end."""
    values = {"done": len(result.rates), "total": len(result.chosen)}
    if stage == "running":
        return t(
            "So far {done} of {total} learning rates are trained to their end; the two ways are "
            "compared once all are.",
            **values,
        )
    return t(
        "Stopped after {done} of {total} learning rates; what was done is kept. The two ways are "
        "compared once all are trained.",
        **values,
    )


def _always_lost_words(result: SweepResult, scaled: bool, t: Translator) -> str:
    if not len(result.rates) or best_losses(result, scaled=scaled) is not None:
        return ""
    return t(_LOST[scaled], count=len(result.rates))


def verdict_words(result: SweepResult, t: Translator) -> list[str]:
    """Return whether a rate makes up for the division; nothing where one way always diverged."""
    unscaled, scaled = (best_losses(result, scaled=way) for way in WAYS)
    if unscaled is None or scaled is None:
        return []
    outcome: str = outcome_of(unscaled, scaled)
    if outcome == "scaled" and edge_of(result, scaled=False) != "inside":
        outcome = "scaled so far"
    several, one = _SAID[outcome]
    single = len(result.params.seeds) == 1
    values = {
        "S": result.params.pairs,
        "margin": measured_number(MARGIN * unscaled.guess, DIGITS),
        "rest": measured_number((1 - MARGIN) * unscaled.guess, DIGITS),
    }
    return [
        t(one if single else several, **values),
        *([] if outcome == "none" else _guessing_words(unscaled, scaled, t)),
        *edge_words(result, unscaled, scaled, t),
        t("With one seed the spread over seeds is not known.") if single else "",
    ]


def _guessing_words(unscaled: Losses, scaled: Losses, t: Translator) -> list[str]:
    """Return for each way that does not even learn at its best rate that it does not."""
    return [
        t((_NO_BETTER if losses.no_better else _HARDLY_BETTER)[way])
        for way, losses in ((False, unscaled), (True, scaled))
        if losses.standing == "guessing"
    ]


def edge_words(result: SweepResult, unscaled: Losses, scaled: Losses, t: Translator) -> list[str]:
    """Return for each way that did not learn where a rate that was not tried might do better."""
    if len(result.chosen) == 1:
        return [t("Only one rate was tried; another might do better.")]
    edges = ((way, edge_of(result, scaled=way)) for way in WAYS)
    learned = {False: unscaled.standing == "learned", True: scaled.standing == "learned"}
    return [t(_OPEN[way, edge]) for way, edge in edges if edge != "inside" and not learned[way]]


# ---- the note of the figure


def sweep_words(result: SweepResult, t: Translator) -> str:
    """Return the least loss of each way with its rate, and the rates at which runs diverged."""
    parts, lost = [], []
    for way, losses in zip(WAYS, (result.unscaled, result.scaled), strict=True):
        best = best_losses(result, scaled=way)
        if best is not None:
            loss = with_range(best.of_seeds.tolist(), "loss")
            value = t("{loss} {place}", loss=loss, place=place_words(result, way, t))
            parts.append((way_sign(way, t), value))
        lost.append(_lost_words(way, result.rates[np.isnan(losses).any(axis=1)], t))
    least = t("Lowest loss, {parts}.", parts=beside(parts, t)) if parts else ""
    return t.sentences(least, *lost)


def _lost_words(way: bool, rates: Array, t: Translator) -> str:
    if not len(rates):
        return ""
    return t(
        "{name}: runs diverged at rate {rates}.",
        name=capitalised(way_sign(way, t)),
        rates=t.listing(map(rate_words, rates.tolist())),
    )


def sweep_rule_words(result: SweepResult, t: Translator) -> str:
    """Return what the loss of a sweep is, and why a single step tells nothing of a rate."""
    values = {
        "steps": f"{result.params.steps:,}",
        "optimiser": optimiser_words(result.params.optimiser),
    }
    if result.params.steps == 1:
        return t("Loss: of the first step, before any update, so that no rate matters yet.")
    if _last(result) == 1:
        return t("Loss: of the last of {steps} steps with {optimiser}.", **values)
    return t("Loss: mean of the last tenth of {steps} steps with {optimiser}.", **values)


def sweep_part_words(result: SweepResult, t: Translator) -> str:
    """Return which of the rates are trained to their end; empty where all are."""
    if result.finished:
        return ""
    return t(
        "So far only {done} of {total} rates, those that were trained to the end: {rates}.",
        done=len(result.rates),
        total=len(result.chosen),
        rates=t.listing(map(rate_words, result.rates.tolist())),
    )

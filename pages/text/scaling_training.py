"""What to notice in a training and in a sweep of learning rates, as it is true for a result.

A result that goes on or was stopped carries no conclusion: its sentences say how far it came.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from engine.experiments.scaling.trainable import RATES
from engine.experiments.scaling.training import Measure, Run, SweepResult, TrainingResult
from engine.experiments.scaling.verdict import (
    MARGIN,
    Losses,
    ahead,
    best_losses,
    final_losses,
)
from pages.figures.numerals import MINUS, measured_number
from pages.text.marking import mark
from pages.text.scaling_readings import DIGITS, WAYS, diverged_words
from pages.text.translator import Translator

Stage = Literal["running", "stopped", "done"]
_SIGNIFICANT = 3  # digits of a probability or a share
_PLAIN = 4  # places after the point; a smaller one is written as a power of ten
_LOST = {
    False: mark("Without the division at least one run diverged at each of the {count} rates."),
    True: mark("With the division at least one run diverged at each of the {count} rates."),
}
_UNSURE = {
    False: mark(
        "Without the division the mean loss is {loss}, above ln {S} = {guess}: in the geometric "
        "mean the right answer gets a probability of {right}, less than the 1/{S} = {chance} of "
        "guessing."
    ),
    True: mark(
        "With the division the mean loss is {loss}, above ln {S} = {guess}: in the geometric "
        "mean the right answer gets a probability of {right}, less than the 1/{S} = {chance} of "
        "guessing."
    ),
}


def stage_of(result: TrainingResult | SweepResult, *, running: bool) -> Stage:
    """Return whether a result still grows, was stopped, or is whole."""
    if result.finished:
        return "done"
    return "running" if running else "stopped"


# ---- one training


def training_notices(result: TrainingResult, stage: Stage, t: Translator) -> list[str]:
    """Return what to notice in a training."""
    if stage == "done":
        conclusions = [right_words(result, stage, t), *unsure_words(result, t)]
    else:
        conclusions = [reached_words(result, stage, t), right_words(result, stage, t)]
    return [*conclusions, diverged_words(result, t), scope_words(t)]


def steps_taken(result: TrainingResult) -> tuple[int, int]:
    """Return the fewest and the most steps of the runs that did not diverge; all where none."""
    taken = [len(run.steps) for run in result.runs if run.diverged_at is None]
    every = result.params.steps
    return (min(taken), max(taken)) if taken else (every, every)


def reached_words(result: TrainingResult, stage: Stage, t: Translator) -> str:
    """Return how far a training came."""
    fewest, most = steps_taken(result)
    values = {"least": f"{fewest:,}", "done": f"{most:,}", "steps": f"{result.params.steps:,}"}
    if stage == "running":
        if fewest == most:
            return t("So far, after step {done} of {steps}; the end may look different.", **values)
        return t(
            "So far, after {least} to {done} of {steps} steps, since the runs take turns; the end "
            "may look different.",
            **values,
        )
    if fewest == most:
        return t("Stopped after step {done} of {steps}; what was done is kept.", **values)
    return t(
        "Stopped after {least} to {done} of {steps} steps, since the runs take turns; what was "
        "done is kept.",
        **values,
    )


def right_words(result: TrainingResult, stage: Stage, t: Translator) -> str:
    """Return what share of the answers is right, both ways; empty where one way has none."""
    values = [result.final("accuracy", scaled=scaled) for scaled in WAYS]
    if None in values:
        return ""
    unscaled, scaled = (_percent(float(value or 0)) for value in values)
    names = {
        "scaled": scaled,
        "unscaled": unscaled,
        "guess": _percent(1 / result.params.pairs),
    }
    if stage != "done":
        return t(
            "Over the last tenth of these steps {scaled} of the answers are right with the "
            "division and {unscaled} without it; guessing gives {guess}.",
            **names,
        )
    if any(map(_diverged, result.runs)):
        return t(
            "Over the last tenth of the steps {scaled} of the answers are right with the division "
            "and {unscaled} without it, in the runs that did not diverge; guessing gives {guess}.",
            **names,
        )
    return t(
        "Over the last tenth of the steps {scaled} of the answers are right with the division and "
        "{unscaled} without it, from the same starts and the same examples; guessing gives "
        "{guess}.",
        **names,
    )


def _percent(share: float) -> str:
    """Return a share in percent; one that is nearly all is not called all."""
    text = f"{100 * share:.{_SIGNIFICANT}g}"
    return ">99.9%" if text == "100" and share < 1 else f"{text}%"


def unsure_words(result: TrainingResult, t: Translator) -> list[str]:
    """Return for each way whose loss is above that of guessing what that means."""
    S, said = result.params.pairs, []
    for scaled in WAYS:
        losses = final_losses(result, scaled=scaled)
        if losses is not None and losses.above_guessing:
            values = {
                "loss": measured_number(losses.mean, DIGITS),
                "S": S,
                "guess": measured_number(losses.guess, DIGITS),
                "right": _probability(losses.mean),
                "chance": _probability(losses.guess),
            }
            said.append(t(_UNSURE[scaled], **values))
    return said


def _probability(loss: float) -> str:
    """Return exp(-loss), also where no float holds it."""
    power = loss / math.log(10)
    if power < _PLAIN:
        return f"{math.exp(-loss):.{_SIGNIFICANT}g}"
    places = math.ceil(power)
    factor = round(10 ** (places - power))
    return f"{factor}e{MINUS}{places}" if factor < 10 else f"1e{MINUS}{places - 1}"


def scope_words(t: Translator) -> str:
    """Return for what a training holds."""
    return t(
        "This is one task, with the same keys in every example; it does not say that no head could "
        "learn without the division."
    )


def final_words(result: TrainingResult, measure: Measure, t: Translator) -> str:
    """Return one measure, not divided and divided, over the last tenth of the steps."""
    return " | ".join(_final(result, measure, scaled, t) for scaled in WAYS)


def _final(result: TrainingResult, measure: Measure, scaled: bool, t: Translator) -> str:
    value = result.final(measure, scaled=scaled)
    if value is not None:
        return measured_number(value, DIGITS)
    return t("diverged") if all(map(_diverged, result.of(scaled))) else "–"


def _diverged(run: Run) -> bool:
    return run.diverged_at is not None


# ---- a sweep of learning rates


def sweep_notices(result: SweepResult, stage: Stage, t: Translator) -> list[str]:
    """Return what to notice in a sweep; its lowest losses stand beside it as numbers."""
    lost = [_lost_words(result, scaled, t) for scaled in WAYS]
    if stage != "done":
        return [tried_words(result, stage, t), *lost]
    return [*lost, verdict_words(result, t), above_words(result, t)]


def tried_words(result: SweepResult, stage: Stage, t: Translator) -> str:
    """Return how many rates were trained to their end."""
    values = {"done": len(result.rates), "total": len(RATES[result.params.optimiser])}
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


def _lost_words(result: SweepResult, scaled: bool, t: Translator) -> str:
    if not len(result.rates) or best_losses(result, scaled=scaled) is not None:
        return ""
    return t(_LOST[scaled], count=len(result.rates))


def verdict_words(result: SweepResult, t: Translator) -> str:
    """Return whether a rate makes up for the division; empty where one way always diverged."""
    unscaled, scaled = (best_losses(result, scaled=way) for way in WAYS)
    if unscaled is None or scaled is None:
        return ""
    said = _compared(unscaled, scaled, result.params.pairs, t)
    if len(result.params.seeds) == 1:
        said = t.sentences(said, t("With one seed the spread over seeds is not known."))
    return said


def _compared(unscaled: Losses, scaled: Losses, S: int, t: Translator) -> str:
    values = {
        "S": S,
        "margin": measured_number(MARGIN * unscaled.guess, DIGITS),
        "rest": measured_number((1 - MARGIN) * unscaled.guess, DIGITS),
    }
    standings = {unscaled.standing, scaled.standing}
    if standings == {"learned"}:
        return t(
            "Both ways learn the task: at their best rates every seed has a loss of at most "
            "{margin}, a tenth of ln {S}.",
            **values,
        )
    if standings == {"guessing"}:
        return t(
            "Neither way learns the task: even at the best rates no seed has a loss below {rest}, "
            "nine tenths of ln {S}; so nothing follows about the division.",
            **values,
        )
    return t(_AHEAD[ahead(unscaled, scaled)], **values)


_AHEAD = {
    "scaled": mark(
        "None of these rates makes up for the missing division: even at the best one every seed "
        "has a loss higher than with the division by more than {margin}, a tenth of ln {S}."
    ),
    "unscaled": mark(
        "Here the head without the division does better: at the best rates every seed has a loss "
        "lower than with it by more than {margin}, a tenth of ln {S}."
    ),
    "neither": mark(
        "At the best rates the seeds of the two ways are not all apart by more than {margin}, a "
        "tenth of ln {S}; so it is not decided which way does better."
    ),
}


def above_words(result: SweepResult, t: Translator) -> str:
    """Return at how many rates the mean loss is above that of guessing, as far as it is shown."""
    guess = round(math.log(result.params.pairs), DIGITS)
    means = [losses.mean(axis=1) for losses in (result.unscaled, result.scaled)]
    known = [each[~np.isnan(each)] for each in means]  # where no seed diverged
    above = [int((np.round(each, DIGITS) > guess).sum()) for each in known]
    if not any(above):
        return ""
    values = {
        "unscaled": above[0],
        "scaled": above[1],
        "of_unscaled": len(known[0]),
        "of_scaled": len(known[1]),
    }
    if len(known[0]) == len(known[1]) == len(result.rates):
        return t(
            "The mean loss is above that of guessing at {unscaled} of {of_unscaled} rates without "
            "the division and at {scaled} of {of_scaled} with it.",
            **values,
        )
    return t(
        "The mean loss is above that of guessing at {unscaled} of {of_unscaled} rates without the "
        "division and at {scaled} of {of_scaled} with it; rates at which a run diverged are left "
        "out.",
        **values,
    )

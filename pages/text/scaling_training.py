"""What a training says, as it is true for a result.

A training that goes on or was stopped carries no conclusion: its sentences say how far it came.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from engine.experiments.scaling.task import wrong_look
from engine.experiments.scaling.training import LAST, Measure, Run, SweepResult, TrainingResult
from engine.experiments.scaling.verdict import final_losses
from pages.figures.numerals import measured_number
from pages.text.marking import mark
from pages.text.scaling_readings import (
    DIGITS,
    MOST_DECIMALS,
    WAYS,
    beside,
    capitalised,
    error_decimals,
    grouped,
    percent,
)
from pages.text.scaling_words import way_sign
from pages.text.translator import Translator

Stage = Literal["running", "stopped", "done"]
_SIGNIFICANT = 3  # digits of a share
_TO = "–"  # from the lowest to the highest
_CURVES: dict[Measure, str] = {
    "loss": mark("Loss"),
    "accuracy": mark("Accuracy"),
    "gradient": mark("Gradient norm"),
}


def stage_of(result: TrainingResult | SweepResult, *, running: bool) -> Stage:
    """Return whether a result still grows, was stopped, or is whole."""
    if result.finished:
        return "done"
    return "running" if running else "stopped"


# ---- one training


def training_notices(result: TrainingResult, stage: Stage, t: Translator) -> list[str]:
    """Return what to notice in a training: at most three sentences of its course."""
    right, lost = right_words(result, t), diverged_words(result, t)
    if stage == "done":
        return [right, lost or unsure_words(result, t)]
    return [reached_words(result, stage, t), right, lost]


def steps_taken(result: TrainingResult) -> tuple[int, int]:
    """Return the fewest and the most steps of the runs that did not diverge.

    Where all of them did, those of the runs that went furthest.
    """
    taken = [len(run.steps) for run in result.runs if not _diverged(run)]
    furthest = max(len(run.steps) for run in result.runs)
    return (min(taken), max(taken)) if taken else (furthest, furthest)


def tail_words(result: TrainingResult, t: Translator) -> str:
    """Return over which steps the numbers of a training are the mean."""
    _, most = steps_taken(result)
    if most < 2 * LAST:  # a tenth of them is one step
        return t("at the last step") if result.finished else t("at the last of these steps")
    if result.finished:
        return t("over the last tenth of the steps")
    return t("over the last tenth of these steps")


def resting_on(result: TrainingResult, scaled: bool) -> tuple[int, int]:
    """Return on how many runs the numbers of one way rest, and of how many.

    A run that diverged or has not begun has no number.
    """
    return len(result.finals("loss", scaled=scaled)), len(result.params.seeds)


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


def right_words(result: TrainingResult, t: Translator) -> str:
    """Return what share of the answers is right, both ways; empty where one way has none."""
    unscaled, scaled = (result.finals("accuracy", scaled=way) for way in WAYS)
    if not unscaled or not scaled:
        return ""
    names = {
        "span": capitalised(tail_words(result, t)),
        "scaled": percent_words(scaled),
        "unscaled": percent_words(unscaled),
        "guess": guessing_words(result.params.pairs),
    }
    if all(map(_counted, result.runs)):
        return t(
            "{span} {scaled} of the answers are right with the division and {unscaled} without it; "
            "guessing gives {guess}.",
            **names,
        )
    if all(_counted(run) or _diverged(run) for run in result.runs):
        return t(
            "{span} {scaled} of the answers are right with the division and {unscaled} without it, "
            "in the runs that did not diverge; guessing gives {guess}.",
            **names,
        )
    with_it, without_it = (resting_on(result, way)[0] for way in (True, False))
    return t(
        "{span} {scaled} of the answers are right with the division (in {with_it} of {runs} runs) "
        "and {unscaled} without it (in {without_it} of {runs}); guessing gives {guess}.",
        with_it=with_it,
        without_it=without_it,
        runs=len(result.params.seeds),
        **names,
    )


def guessing_words(pairs: int) -> str:
    """Return the share that guessing gets right in percent, with three digits."""
    return f"{100 / pairs:.{_SIGNIFICANT}g}%"


def percent_words(finals: Sequence[float]) -> str:
    """Return the mean of one share a seed in percent, with as many digits as `mean_words` has."""
    mean = sum(finals) / len(finals)
    decimals = min(max(_decimals(finals, mean) - 2, 0), _SIGNIFICANT - 2)
    return percent(mean, 0 if mean in (0, 1) else decimals)


def unsure_words(result: TrainingResult, t: Translator) -> str:
    """Return why a loss can be above that of guessing, where all seeds of a way are."""
    found = (final_losses(result, scaled=way) for way in WAYS)
    if not any(losses is not None and losses.above_guessing for losses in found):
        return ""
    S = result.params.pairs
    return t(
        "The loss can exceed ln {S}, that of guessing, since W_V starts confident: looking at a "
        "wrong key alone costs {cost} at the start.",
        S=S,
        cost=measured_number(wrong_look(S), DIGITS),
    )


def final_words(result: TrainingResult, measure: Measure, scaled: bool, t: Translator) -> str:
    """Return one measure of one way, with the digits that its seeds have in common."""
    finals = result.finals(measure, scaled=scaled)
    if finals:
        return mean_words(finals, measure)
    return t("diverged") if all(map(_diverged, result.of(scaled))) else "–"


def spread_words(result: TrainingResult, measure: Measure, scaled: bool, t: Translator) -> str:
    """Return the spread of a measure over the seeds, or on how many runs it rests if not on all.

    Empty where there is no number, or all seeds have the same one in the digits shown.
    """
    count, seeds = resting_on(result, scaled)
    if not count:
        return ""
    if count < seeds:
        return t("{count} of {total} runs", count=count, total=seeds)
    if seeds == 1:
        return t("one seed")
    spread = range_words(result.finals(measure, scaled=scaled), measure)
    return spread if _TO in spread else ""


def _diverged(run: Run) -> bool:
    return run.diverged_at is not None


def _counted(run: Run) -> bool:
    """Say whether a run has a number that counts."""
    return not _diverged(run) and len(run.steps) > 0


# ---- numbers of several seeds
#
# A training without the division is chaotic: another processor or another library rounds otherwise,
# and a few steps later its loss differs as much as between seeds. More digits say nothing.


def mean_words(finals: Sequence[float], measure: Measure) -> str:
    """Return the mean of one number a seed, down to the second digit of their spread.

    Of one seed, whose spread is not known, it has two digits.
    """
    mean = sum(finals) / len(finals)
    return _rounded(mean, _decimals(finals, mean), measure)


def range_words(finals: Sequence[float], measure: Measure) -> str:
    """Return the lowest and the highest of one number a seed, or the one that they share."""
    decimals = _decimals(finals, max(finals))
    least, most = (_rounded(each, decimals, measure) for each in (min(finals), max(finals)))
    return least if least == most else f"{least}{_TO}{most}"


def with_range(finals: Sequence[float], measure: Measure) -> str:
    """Return a mean with the lowest and the highest of several seeds."""
    mean, spread = mean_words(finals, measure), range_words(finals, measure)
    return mean if mean == spread else f"{mean} ({spread})"


def _decimals(finals: Sequence[float], mean: float) -> int:
    if len(finals) > 1:
        return min(error_decimals(max(finals) - min(finals)), DIGITS)
    return min(max(1 - math.floor(math.log10(mean)), 0), DIGITS + 1) if mean > 0 else DIGITS


def _rounded(value: float, decimals: int, measure: Measure) -> str:
    """Return a number; a share that is nearly all is not called all."""
    text = grouped(value, max(decimals, _digits_before(value)))
    if measure != "accuracy" or value >= 1 or f"{value:.{decimals}f}"[0] == "0":
        return text
    text = grouped(value, DIGITS)
    return text if float(text) < 1 else f">{1 - 10**-DIGITS:.{DIGITS}f}"


def _digits_before(value: float) -> int:
    """Return the decimals to the first digit of a small number, which has no power of ten then."""
    return min(-math.floor(math.log10(value)), MOST_DECIMALS) if 0 < value < 1 else 0


# ---- the note of a curve


def end_words(result: TrainingResult, curve: Measure, t: Translator) -> str:
    """Return the mean over the last steps of the runs that did not diverge, and their spread."""
    finals = ((way, result.finals(curve, scaled=way)) for way in WAYS)
    parts = [(way_sign(way, t), with_range(each, curve)) for way, each in finals if each]
    if not parts:
        return ""
    values = {"curve": t(_CURVES[curve]), "span": tail_words(result, t), "parts": beside(parts, t)}
    if any(_TO in value for _, value in parts):
        return t("{curve} {span}, mean and (lowest–highest) over the seeds, {parts}.", **values)
    return t("{curve} {span}, {parts}.", **values)


def lines_words(counts: dict[bool, int], seeds: int, steps: int, t: Translator) -> str:
    """Return what the lines of a curve are the mean of.

    Parameters
    ----------
    counts : dict
        By way, of how many runs the line is the mean.
    seeds : int
        How many there are of each way.
    steps : int
        How many are drawn; one alone is a point, and has no spread around it.
    t : Translator
    """
    most = max(counts.values(), default=0)
    if min(counts.values(), default=0) == seeds:
        if seeds == 1:
            return ""
        if steps == 1:
            return t("Points: means over {seeds} seeds.", seeds=seeds)
        return t(
            "Lines: means over {seeds} seeds, with the lowest and the highest around them.",
            seeds=seeds,
        )
    parts = [
        (way_sign(way, t), t("{count} of {total} runs", count=count, total=seeds))
        for way, count in counts.items()
    ]
    rest = beside(parts, t)
    if most > 1 and steps > 1:
        return t("Lines: means with the lowest and the highest around them, {parts}.", parts=rest)
    return t("Lines: {parts}.", parts=rest)


def diverged_words(result: TrainingResult, t: Translator) -> str:
    """Return which runs diverged, and at which steps; empty where none did."""
    return t.sentences(*(_diverged_words(result, scaled, t) for scaled in WAYS))


def _diverged_words(result: TrainingResult, scaled: bool, t: Translator) -> str:
    begun = [run for run in result.of(scaled) if len(run.steps) or _diverged(run)]
    steps = [run.diverged_at for run in begun if run.diverged_at is not None]
    if not steps:
        return ""
    values = {
        "name": capitalised(way_sign(scaled, t)),
        "count": len(steps),
        "total": len(begun),
        "steps": t.listing(f"{step:,}" for step in sorted(set(steps))),
    }
    if len(steps) == len(begun):
        return t("{name}: {count} of {total} runs diverged, at step {steps}.", **values)
    return t(
        "{name}: {count} of {total} runs diverged, at step {steps}; the line is the mean of the "
        "others.",
        **values,
    )
